import { useValue } from '@athos/app-core/value';
import type { LegalKind } from '@athos/contract/legal';
import { legalFault } from '@athos/domain/legal-text';
import { m } from '@athos/messages/messages';
import { useState } from 'react';
import { useAdminAction } from '../../api/admin.ts';
import { ActionDialog } from '../../kit/action-dialog.tsx';
import { Conflict } from '../../kit/conflict.tsx';
import { momentOf } from '../../kit/days.ts';
import { DenseField, DenseSelect, DenseText } from '../../kit/dense-field.tsx';
import { timeZone } from '../../state/time-zone.ts';
import { FAULTS, KIND_TITLES, type LegalTexts, type LegalVersion } from './legal-words.ts';

const LABEL = /^[\w.-]{1,40}$/;
const BODY_ROWS = 16;

interface Draft {
  readonly label: string;
  readonly body: string;
}

/** The reason why it cannot be saved. */
function missingOf({ label, body }: Draft): string | undefined {
  if (!LABEL.test(label.trim())) return m.legal_label_missing();
  const fault = legalFault(body);
  return fault === undefined ? undefined : FAULTS[fault]();
}

const trimmed = ({ label, body }: Draft): Draft => ({ label: label.trim(), body: body.trim() });

function DraftFields({ draft, onChange }: { draft: Draft; onChange: (draft: Draft) => void }) {
  return (
    <>
      <DenseField
        label={m.legal_label()}
        hint={m.legal_label_hint()}
        value={draft.label}
        onValueChange={(label) => onChange({ ...draft, label })}
      />
      <DenseText
        label={m.legal_body()}
        hint={m.legal_body_hint()}
        rows={BODY_ROWS}
        value={draft.body}
        onValueChange={(body) => onChange({ ...draft, body })}
      />
    </>
  );
}

interface NewVersionDialogProps {
  inForce: LegalTexts['inForce'];
  /** Called with the id of a new draft. */
  onClose: (addedId?: number) => void;
}

/** Creates a draft with the text in force. */
export function NewVersionDialog({ inForce, onClose }: NewVersionDialogProps) {
  const { run, isPending } = useAdminAction('draftLegalText');
  const bodyOf = (kind: LegalKind): string =>
    inForce.find((text) => text.kind === kind)?.body ?? '';
  const [kind, setKind] = useState<LegalKind>('terms');
  const [draft, setDraft] = useState<Draft>(() => ({ label: '', body: bodyOf('terms') }));
  return (
    <ActionDialog
      title={m.legal_new()}
      effect={m.legal_new_effect()}
      actLabel={m.console_save()}
      doneText={m.console_saved()}
      hasReason={false}
      disabledReason={missingOf(draft)}
      isPending={isPending}
      run={() => run({ body: { kind, ...trimmed(draft) } })}
      onClose={(outcome) => onClose(outcome?.kind === 'done' ? outcome.answer.id : undefined)}
    >
      <DenseSelect
        label={m.legal_kind()}
        value={kind}
        onValueChange={(given) => {
          const next = inForce.find((text) => text.kind === given)?.kind ?? 'terms';
          setKind(next);
          setDraft({ ...draft, body: bodyOf(next) });
        }}
        options={Object.entries(KIND_TITLES).map(([value, title]) => ({ value, label: title() }))}
      />
      <DraftFields draft={draft} onChange={setDraft} />
    </ActionDialog>
  );
}

/** Edits a draft. Changes that another person saved meanwhile are shown beside the typed text. */
export function EditVersionDialog(props: { text: LegalVersion; onClose: () => void }) {
  const { id, label, body } = props.text;
  const { run, isPending } = useAdminAction('editLegalText');
  const [draft, setDraft] = useState<Draft>({ label, body });
  const [version, setVersion] = useState(props.text.version);
  const [present, setPresent] = useState<LegalVersion>();

  async function save() {
    const outcome = await run({ params: { id }, body: trimmed(draft) }, version);
    if (outcome.kind !== 'conflict') return outcome;
    const other = outcome.present as LegalVersion;
    setVersion(other.version);
    setPresent(other);
    return outcome;
  }
  const handleKeep = async (): Promise<void> => {
    if ((await save()).kind === 'done') props.onClose();
  };
  const handleTake = (other: LegalVersion): void => {
    setDraft({ label: other.label, body: other.body });
    setPresent(undefined);
  };

  return (
    <ActionDialog
      title={m.legal_edit()}
      effect={m.legal_edit_effect()}
      actLabel={m.console_save()}
      doneText={m.console_saved()}
      hasReason={false}
      hasConflictView
      disabledReason={missingOf(draft)}
      isPending={isPending}
      run={save}
      onClose={props.onClose}
    >
      {present !== undefined && (
        <Conflict
          present={{ label: present.label, body: present.body }}
          typed={trimmed(draft)}
          isPending={isPending}
          onKeep={() => void handleKeep()}
          onTake={() => handleTake(present)}
        />
      )}
      <DraftFields draft={draft} onChange={setDraft} />
    </ActionDialog>
  );
}

export function DiscardDialog(props: { text: LegalVersion; onClose: (isDone: boolean) => void }) {
  const { run, isPending } = useAdminAction('discardLegalText');
  const { id } = props.text;
  return (
    <ActionDialog
      title={m.legal_discard()}
      effect={m.legal_discard_effect()}
      actLabel={m.legal_discard()}
      isDanger
      doneText={m.legal_discard_done()}
      hasReason={false}
      isPending={isPending}
      run={() => run({ params: { id } })}
      onClose={(outcome) => props.onClose(outcome?.kind === 'done')}
    />
  );
}

/** Requests the publication of a draft, at once or at a later time. The other organisation must approve it. */
export function PublishDialog({ text, onClose }: { text: LegalVersion; onClose: () => void }) {
  const { id, kind, label, before } = text;
  const { run, isPending } = useAdminAction('publishLegalText');
  const zone = useValue(timeZone);
  const [at, setAt] = useState('');
  return (
    <ActionDialog
      title={m.legal_publish()}
      effect={
        kind === 'terms'
          ? m.legal_publish_effect_terms({ label, before: before.label })
          : m.legal_publish_effect({ text: KIND_TITLES[kind](), label, before: before.label })
      }
      actLabel={m.legal_publish_act({ label })}
      doneText={m.legal_publish_done()}
      isPending={isPending}
      run={(reason) =>
        run({ params: { id }, body: { inForceFrom: momentOf(at, zone) ?? null, reason } })
      }
      onClose={onClose}
    >
      <DenseField
        label={m.legal_publish_at()}
        type="datetime-local"
        value={at}
        onValueChange={setAt}
        hint={m.legal_publish_at_hint({ zone })}
      />
    </ActionDialog>
  );
}
