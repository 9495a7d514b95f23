/** The signed-in person's account: factors, sessions and appearance. */
import { useValue } from '@athos/app-core/value';
import { m } from '@athos/messages/messages';
import { Checkbox } from '@athos/ui/fields/checkbox';
import { toasts } from '@athos/ui/overlays/toast-store';
import { Button } from '@athos/ui/primitives/button';
import { ThemeSwitch } from '@athos/ui/theme/theme-switch';
import { useState } from 'react';
import { useAdminAction, useAdminItem, type ActionOutcome } from '../../api/admin.ts';
import type { AdminAnswer } from '../../api/call.ts';
import { hasPasskeys } from '../../api/passkeys.ts';
import { signOut } from '../../api/session.ts';
import { OutcomeNotice } from '../../kit/action-dialog.tsx';
import { Dialog } from '../../kit/dialog.tsx';
import { DetailOf, Facts, Section } from '../../kit/detail.tsx';
import { FailureView } from '../../kit/failure.tsx';
import { areKeysOn } from '../../kit/keys.ts';
import { Page } from '../../kit/page.tsx';
import { SessionList } from '../../kit/session-list.tsx';
import { Time } from '../../kit/time.tsx';
import { ORGANISATION_TITLES } from '../../kit/organisations.ts';
import { paths } from '../../routes/paths.ts';
import { PasskeyButton } from './passkey-button.tsx';
import { RecoveryCodes } from '@athos/ui/factors/recovery-codes';

import { TotpSetup } from './totp-setup.tsx';

type Me = AdminAnswer<'me'>;

export function MeScreen() {
  const read = useAdminItem('me', {});
  return (
    <DetailOf read={read} kind={m.console_me_title()} backTo={paths.home}>
      {(me) => (
        <Page
          title={m.console_me_title()}
          actions={
            <Button variant="quiet" isDense onClick={() => void signOut()}>
              {m.console_sign_out()}
            </Button>
          }
        >
          <div className="max-w-column flex flex-col gap-8">
            <Facts
              facts={[
                { label: m.console_me_name(), value: me.name },
                { label: m.common_email(), value: me.email },
                {
                  label: m.console_me_organisation(),
                  value: ORGANISATION_TITLES[me.organisation](),
                },
                {
                  label: m.console_me_roles(),
                  value: me.roles.map(({ title }) => title).join(', '),
                },
              ]}
            />
            <Factors me={me} />
            <OwnSessions />
            <Look />
          </div>
        </Page>
      )}
    </DetailOf>
  );
}

type FactorOutcome = ActionOutcome<'removeFactor' | 'makeRecoveryCodes'>;

function Factors({ me }: { me: Me }) {
  const remove = useAdminAction('removeFactor');
  const [isAddingTotp, setIsAddingTotp] = useState(false);
  const [failure, setFailure] = useState<FactorOutcome>();

  async function handleRemove(id: string): Promise<void> {
    setFailure(undefined);
    const outcome = await remove.run({ params: { id } });
    if (outcome.kind !== 'done') setFailure(outcome);
  }

  return (
    <Section
      title={m.console_me_factors()}
      actions={
        <>
          {me.hasPasskeys && hasPasskeys() && (
            <PasskeyButton
              variant="quiet"
              isDense
              onDone={() => toasts.show('success', m.console_factor_added(), 3000)}
              onFailure={(text) => toasts.show('danger', text, 5000)}
            />
          )}
          <Button variant="quiet" isDense onClick={() => setIsAddingTotp(true)}>
            {m.console_factor_add_totp()}
          </Button>
        </>
      }
    >
      {failure !== undefined && <OutcomeNotice outcome={failure} />}
      <ul className="divide-line text-dense flex flex-col divide-y">
        {me.factors.map((factor) => (
          <FactorRow
            key={factor.id}
            factor={factor}
            isPending={remove.isPending}
            onRemove={() => void handleRemove(factor.id)}
          />
        ))}
        <RecoveryRow leftCount={me.recoveryCodesLeft} onFailure={setFailure} />
      </ul>
      {isAddingTotp && (
        <Dialog onClose={() => setIsAddingTotp(false)} title={m.common_totp_title()}>
          <TotpSetup onDone={() => setIsAddingTotp(false)} />
        </Dialog>
      )}
    </Section>
  );
}

interface FactorRowProps {
  factor: Me['factors'][number];
  isPending: boolean;
  onRemove: () => void;
}

const rowClass = 'flex min-h-11 flex-wrap items-center gap-x-4 gap-y-1 py-1';

function FactorRow({ factor, isPending, onRemove }: FactorRowProps) {
  const { name, createdAt, usedAt } = factor;
  return (
    <li className={rowClass}>
      <span className="flex grow basis-48 flex-wrap items-baseline gap-x-4">
        <span className="font-semibold">{name}</span>
        <span className="text-caption text-ink-quiet">
          {m.console_factor_since()} <Time at={createdAt} precision="day" />
          {usedAt !== null && (
            <>
              {' · '}
              {m.console_factor_used()} <Time at={usedAt} />
            </>
          )}
        </span>
      </span>
      <span className="ml-auto">
        <Button
          variant="plain"
          isDense
          isPending={isPending}
          aria-label={m.console_factor_remove_name({ name })}
          onClick={onRemove}
        >
          {m.console_factor_remove()}
        </Button>
      </span>
    </li>
  );
}

interface RecoveryRowProps {
  leftCount: number;
  /** `undefined` at the start of an attempt. */
  onFailure: (failure: FactorOutcome | undefined) => void;
}

function RecoveryRow({ leftCount, onFailure }: RecoveryRowProps) {
  const { run, isPending } = useAdminAction('makeRecoveryCodes');
  const [codes, setCodes] = useState<readonly string[]>();
  async function handleMake(): Promise<void> {
    onFailure(undefined);
    const outcome = await run({});
    if (outcome.kind === 'done') setCodes(outcome.answer.codes);
    else onFailure(outcome);
  }
  return (
    <li className={rowClass}>
      <span className="font-semibold">{m.common_recovery_title()}</span>
      <span className="text-caption text-ink-quiet tabular">
        {m.console_recovery_left({ count: leftCount })}
      </span>
      <span className="ml-auto">
        <Button variant="plain" isDense isPending={isPending} onClick={() => void handleMake()}>
          {m.console_recovery_make()}
        </Button>
      </span>
      {codes !== undefined && (
        <Dialog title={m.common_recovery_title()}>
          <RecoveryCodes codes={codes} onDone={() => setCodes(undefined)} />
        </Dialog>
      )}
    </li>
  );
}

function OwnSessions() {
  const { item, failure, reload } = useAdminItem('ownSessions', {});
  const end = useAdminAction('endOwnSession');
  return (
    <Section title={m.console_me_sessions()}>
      {item === undefined && failure !== undefined ? (
        <FailureView failure={failure} onRetry={reload} />
      ) : (
        <SessionList
          sessions={item?.items}
          isPending={end.isPending}
          onEnd={(id) => end.run({ params: { id } })}
        />
      )}
    </Section>
  );
}

function Look() {
  const isOn = useValue(areKeysOn);
  return (
    <Section title={m.console_me_look()}>
      <ThemeSwitch />
      <Checkbox isChecked={isOn} onCheckedChange={(next) => areKeysOn.change(() => next)}>
        <span className="text-dense">{m.console_keys_on()}</span>
      </Checkbox>
    </Section>
  );
}
