import { m } from '@athos/messages/messages';
import { Screen } from '@athos/ui/layout/screen';
import { Button } from '@athos/ui/primitives/button';
import { Card } from '@athos/ui/primitives/card';
import { FailureNotice } from '@athos/ui/primitives/failure-notice';
import { SkeletonRows } from '@athos/ui/primitives/skeleton';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
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

/** The act in progress on this screen. */
type Act =
  | { readonly kind: 'look' }
  | { readonly kind: 'add' }
  | { readonly kind: 'rename' | 'end'; readonly id: string };

const LOOK: Act = { kind: 'look' };

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
  const [act, setAct] = useState<Act>(LOOK);
  const handleEnd = (): void => setAct(LOOK);
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
              onSubmit={(proof) => endPasskey(passkey.id, proof)}
              onDone={handleEnd}
              onCancel={handleEnd}
            />
          ) : (
            <Choices {...passkey} onChoose={(kind) => setAct({ kind, id: passkey.id })} />
          )}
        </Card>
      ))}
      {act.kind === 'add' ? (
        <OwnerForm
          lead={m.security_passkey_add_lead()}
          label={m.security_passkey_add()}
          isCodeAsked={isCodeAsked}
          onSubmit={addPasskey}
          onDone={handleEnd}
          onCancel={handleEnd}
        />
      ) : hasPasskeys() ? (
        <Button isWide onClick={() => setAct({ kind: 'add' })}>
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
  onChoose: (kind: 'rename' | 'end') => void;
}

function Choices({ name, onChoose }: ChoicesProps) {
  return (
    <div className="flex gap-3 *:grow">
      <Button
        variant="quiet"
        aria-label={m.security_passkey_rename_of({ name })}
        onClick={() => onChoose('rename')}
      >
        {m.security_passkey_rename()}
      </Button>
      <Button
        variant="quiet"
        aria-label={m.security_passkey_end_of({ name })}
        onClick={() => onChoose('end')}
      >
        {m.security_passkey_end()}
      </Button>
    </div>
  );
}
