/** A custom role: its title, and a mark for each permission. */
import {
  PERMISSIONS,
  type Grants,
  type Mark,
  type Permission,
} from '@athos/contract/console/permissions';
import { m } from '@athos/messages/messages';
import { toasts } from '@athos/ui/overlays/toast-store';
import { Button } from '@athos/ui/primitives/button';
import { useState } from 'react';
import { useAdminAction, type ActionOutcome } from '../../api/admin.ts';
import { OutcomeNotice } from '../../kit/action-dialog.tsx';
import { Conflict } from '../../kit/conflict.tsx';
import { DenseField, DenseSelect, DenseText } from '../../kit/dense-field.tsx';
import { Page } from '../../kit/page.tsx';
import { MARK_WORDS, marksOf, type Role } from './roles.ts';

const REASON_LENGTH_MIN = 10;

/** `Night shift` becomes `night_shift`. */
const idOf = (title: string): string =>
  title
    .trim()
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '_')
    .replaceAll(/^_+|_+$/g, '');

interface Draft {
  readonly title: string;
  readonly grants: Grants;
  readonly reason: string;
}

function missingIn({ title, grants, reason }: Draft): string | undefined {
  if (idOf(title) === '') return m.console_role_reason_title();
  if (Object.keys(grants).length === 0) return m.console_role_reason_grants();
  if (reason.trim().length >= REASON_LENGTH_MIN) return undefined;
  return m.console_reason_too_short({ count: REASON_LENGTH_MIN });
}

type Outcome = ActionOutcome<'createRole' | 'changeRole'>;

export function RoleForm({ role, onDone }: { role: Role | undefined; onDone: () => void }) {
  const create = useAdminAction('createRole');
  const change = useAdminAction('changeRole');
  const [draft, setDraft] = useState<Draft>({
    title: role?.title ?? '',
    grants: role?.grants ?? {},
    reason: '',
  });
  const [failure, setFailure] = useState<Outcome>();
  const isPending = create.isPending || change.isPending;

  async function save(version: number | undefined): Promise<void> {
    setFailure(undefined);
    const title = draft.title.trim();
    const body = { title, grants: draft.grants, reason: draft.reason.trim() };
    const outcome: Outcome =
      role === undefined
        ? await create.run({ body: { ...body, id: idOf(title) } })
        : await change.run({ params: { id: role.id }, body }, version);
    if (outcome.kind !== 'done' && outcome.kind !== 'requested') return setFailure(outcome);
    const said = outcome.kind === 'done' ? m.console_saved() : m.console_requested();
    toasts.show('success', said, 4000);
    onDone();
  }

  const present = failure?.kind === 'conflict' ? (failure.present as Role) : undefined;
  function handleTake({ title, grants }: Role): void {
    setDraft({ ...draft, title, grants });
    setFailure(undefined);
  }

  return (
    <Page title={role?.title ?? m.console_role_new()}>
      <div className="max-w-column flex flex-col gap-5">
        {failure !== undefined && present === undefined && <OutcomeNotice outcome={failure} />}
        {present !== undefined && (
          <Conflict
            present={{ title: present.title, ...present.grants }}
            typed={{ title: draft.title, ...draft.grants }}
            isPending={isPending}
            onKeep={() => void save(present.version)}
            onTake={() => handleTake(present)}
          />
        )}
        <RoleFields draft={draft} onChange={setDraft} />
        <div className="flex flex-wrap items-baseline gap-2 pb-8">
          <Button
            isDense
            isPending={isPending}
            disabledReason={missingIn(draft)}
            onClick={() => void save(role?.version)}
          >
            {m.console_save()}
          </Button>
          <Button variant="quiet" isDense onClick={onDone}>
            {m.common_cancel()}
          </Button>
        </div>
      </div>
    </Page>
  );
}

const withMark = (grants: Grants, permission: Permission, mark: string): Grants => {
  const { [permission]: _gone, ...rest } = grants;
  return mark === '' ? rest : { ...rest, [permission]: mark as Mark };
};

function RoleFields({ draft, onChange }: { draft: Draft; onChange: (draft: Draft) => void }) {
  const { title, grants, reason } = draft;
  return (
    <>
      <DenseField
        label={m.console_role_title()}
        value={title}
        onValueChange={(next) => onChange({ ...draft, title: next })}
        maxLength={100}
      />
      <fieldset>
        <legend className="text-caption text-ink-quiet pb-2 font-semibold">
          {m.console_role_grants()}
        </legend>
        <div className="@min-[40rem]/shell:grid-cols-2 grid gap-x-6 gap-y-3">
          {PERMISSIONS.map((permission) => (
            <DenseSelect
              key={permission}
              label={permission}
              value={grants[permission] ?? ''}
              onValueChange={(mark) =>
                onChange({ ...draft, grants: withMark(grants, permission, mark) })
              }
              options={[
                { value: '', label: m.console_mark_none() },
                ...marksOf(permission).map((mark) => ({
                  value: mark,
                  label: `${mark} ${MARK_WORDS[mark]()}`,
                })),
              ]}
            />
          ))}
        </div>
      </fieldset>
      <DenseText
        label={m.console_reason()}
        value={reason}
        onValueChange={(next) => onChange({ ...draft, reason: next })}
      />
    </>
  );
}
