import { m } from '@athos/messages/messages';
import { AuthScreen } from '@athos/ui/layout/auth-screen';
import { Button } from '@athos/ui/primitives/button';
import { Notice } from '@athos/ui/primitives/notice';
import { useState } from 'react';
import { useAdminAction, useAdminItem } from '../../api/admin.ts';
import { hasPasskeys } from '../../api/passkeys.ts';
import { resumeSession, signOut } from '../../api/session.ts';
import { PasskeyButton } from './passkey-button.tsx';
import { RecoveryCodes } from '@athos/ui/factors/recovery-codes';
import { TotpSetup } from './totp-setup.tsx';

type Step = { at: 'choice' | 'totp' } | { at: 'codes'; codes: readonly string[] };

/** Adds the second factor, without which the rest of the console cannot be used, and then shows the recovery codes. */
export function EnrolScreen() {
  const { item: me } = useAdminItem('me', {});
  const makeCodes = useAdminAction('makeRecoveryCodes');
  const [step, setStep] = useState<Step>({ at: 'choice' });
  const [failure, setFailure] = useState<string>();

  async function handleFactor(): Promise<void> {
    const outcome = await makeCodes.run({});
    if (outcome.kind === 'done') setStep({ at: 'codes', codes: outcome.answer.codes });
    // The factor is stored. Recovery codes can be created later on the account's screen.
    else void resumeSession();
  }

  if (step.at === 'codes') {
    return (
      <AuthScreen title={m.common_recovery_title()}>
        <RecoveryCodes codes={step.codes} onDone={() => void resumeSession()} />
      </AuthScreen>
    );
  }
  if (step.at === 'totp') {
    return (
      <AuthScreen title={m.common_totp_title()}>
        <TotpSetup onDone={() => void handleFactor()} />
        <Button variant="plain" onClick={() => setStep({ at: 'choice' })}>
          {m.console_enrol_other()}
        </Button>
      </AuthScreen>
    );
  }
  return (
    <AuthScreen title={m.console_enrol_title()} lead={m.console_enrol_lead()}>
      {failure !== undefined && <Notice kind="danger">{failure}</Notice>}
      <div className="flex flex-col gap-3">
        {me?.hasPasskeys === true && hasPasskeys() && (
          <PasskeyButton isWide onDone={() => void handleFactor()} onFailure={setFailure} />
        )}
        <Button variant="quiet" isWide onClick={() => setStep({ at: 'totp' })}>
          {m.console_factor_add_totp()}
        </Button>
        <Button variant="plain" onClick={() => void signOut()}>
          {m.console_sign_out()}
        </Button>
      </div>
    </AuthScreen>
  );
}
