import { m } from '@athos/messages/messages';
import { Screen } from '@athos/ui/layout/screen';
import { Button } from '@athos/ui/primitives/button';
import { Card } from '@athos/ui/primitives/card';
import { FailureNotice } from '@athos/ui/primitives/failure-notice';
import { SkeletonRows } from '@athos/ui/primitives/skeleton';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { hasPasskeys } from '../../api/passkey-support.ts';
import {
  addPasskey,
  endPasskey,
  passkeysQuery,
  renamePasskey,
  type OwnPasskey,
} from '../../api/passkeys.ts';
import { secondStepQuery } from '../../api/second-step.ts';
import { paths } from '../../routes/paths.ts';
import { moment } from '@athos/ui/text/moment';
import { NameForm } from './passkey-name-form.tsx';
import { OwnerForm } from './owner-form.tsx';

const SKELETON_ROW_COUNT = 2;

type Change = { readonly kind: 'add' } | { readonly kind: 'rename' | 'end'; readonly id: string };

/** The act in progress on this screen; `after` is the one that has just ended. */
type Act = Change | { readonly kind: 'look'; readonly after?: Change };

/** A ref for what takes the place of the part that held the focus. A focus that the user has moved elsewhere meanwhile stays there. */
function takeFocus(element: HTMLElement | null): void {
  if (document.activeElement === document.body) element?.focus();
}

/** The passkeys of the account: adding, naming and removing them. */
export function PasskeysScreen() {
  const passkeys = useQuery(passkeysQuery);
  const secondStep = useQuery(secondStepQuery);
  const isFailed = passkeys.isError || secondStep.isError;

  function handleTryAgain(): void {
    void passkeys.refetch();
    void secondStep.refetch();
  }

  return (
    <Screen title={m.security_passkeys_title()} backTo={paths.security} width="form">
      <p className="text-body text-ink-quiet text-pretty">{m.security_passkeys_text()}</p>
      {passkeys.data !== undefined && secondStep.data !== undefined ? (
        <Passkeys passkeys={passkeys.data} isCodeAsked={secondStep.data.since !== null} />
      ) : isFailed ? (
        <FailureNotice text={m.security_passkeys_failed()} onTryAgain={handleTryAgain} />
      ) : (
        <SkeletonRows count={SKELETON_ROW_COUNT} />
      )}
    </Screen>
  );
}

interface PasskeysProps {
  passkeys: readonly OwnPasskey[];
  isCodeAsked: boolean;
}

function Passkeys({ passkeys, isCodeAsked }: PasskeysProps) {
  const [act, setAct] = useState<Act>({ kind: 'look' });
  const handleEnd = (): void =>
    setAct((ended) => (ended.kind === 'look' ? ended : { kind: 'look', after: ended }));
  const after = act.kind === 'look' ? act.after : undefined;
  // The passkey's card took the focus with it.
  const isGone = after?.kind === 'end' && !passkeys.some(({ id }) => id === after.id);
  useEffect(() => {
    if (isGone) takeFocus(document.getElementById('content'));
  }, [isGone]);
  return (
    <>
      {passkeys.length === 0 && (
        <p className="text-body font-semibold">{m.security_passkeys_none()}</p>
      )}
      {passkeys.map((passkey) => (
        <Card key={passkey.id} className="flex flex-col gap-3">
          <Facts passkey={passkey} />
          {act.kind === 'rename' && act.id === passkey.id ? (
            <NameForm
              firstField={takeFocus}
              name={passkey.name}
              onSubmit={(name) => renamePasskey(passkey.id, name)}
              onEnd={handleEnd}
            />
          ) : act.kind === 'end' && act.id === passkey.id ? (
            <OwnerForm
              lead={m.security_passkey_end_lead({ name: passkey.name })}
              label={m.security_passkey_end()}
              isCodeAsked={isCodeAsked}
              isDanger
              firstField={takeFocus}
              onSubmit={(proof) => endPasskey(passkey.id, proof)}
              onDone={handleEnd}
              onCancel={handleEnd}
            />
          ) : (
            <Choices
              name={passkey.name}
              ended={after?.kind !== 'add' && after?.id === passkey.id ? after.kind : undefined}
              onChoose={(kind) => setAct({ kind, id: passkey.id })}
            />
          )}
        </Card>
      ))}
      {act.kind === 'add' ? (
        <OwnerForm
          lead={m.security_passkey_add_lead()}
          label={m.security_passkey_add()}
          isCodeAsked={isCodeAsked}
          firstField={takeFocus}
          onSubmit={addPasskey}
          onDone={handleEnd}
          onCancel={handleEnd}
        />
      ) : hasPasskeys() ? (
        <Button
          ref={after?.kind === 'add' ? takeFocus : undefined}
          isWide
          onClick={() => setAct({ kind: 'add' })}
        >
          {m.security_passkey_add()}
        </Button>
      ) : (
        <p className="text-body text-ink-quiet">{m.security_passkeys_unsupported()}</p>
      )}
    </>
  );
}

function Facts({ passkey: { name, addedAt, usedAt } }: { passkey: OwnPasskey }) {
  return (
    <div className="flex flex-col gap-1">
      <h2 className="text-body font-semibold wrap-anywhere">{name}</h2>
      <p className="text-caption text-ink-quiet">
        {m.security_passkey_added_on({ date: moment(addedAt) })}
      </p>
      <p className="text-caption text-ink-quiet">
        {usedAt === null
          ? m.security_passkey_unused()
          : m.security_passkey_used_on({ date: moment(usedAt) })}
      </p>
    </div>
  );
}

interface ChoicesProps {
  name: string;
  /** The choice whose form these buttons replace. */
  ended: 'rename' | 'end' | undefined;
  onChoose: (kind: 'rename' | 'end') => void;
}

function Choices({ name, ended, onChoose }: ChoicesProps) {
  return (
    <div className="flex gap-3 *:grow">
      <Button
        ref={ended === 'rename' ? takeFocus : undefined}
        variant="quiet"
        aria-label={m.security_passkey_rename_of({ name })}
        onClick={() => onChoose('rename')}
      >
        {m.security_passkey_rename()}
      </Button>
      <Button
        ref={ended === 'end' ? takeFocus : undefined}
        variant="quiet"
        aria-label={m.security_passkey_end_of({ name })}
        onClick={() => onChoose('end')}
      >
        {m.security_passkey_end()}
      </Button>
    </div>
  );
}
