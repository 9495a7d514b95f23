import { m } from '@athos/messages/messages';
import { RecoveryCodes } from '@athos/ui/factors/recovery-codes';
import { TotpForm } from '@athos/ui/factors/totp-form';
import { PasswordField } from '@athos/ui/fields/password-field';
import { Button } from '@athos/ui/primitives/button';
import { CopyButton } from '@athos/ui/primitives/copy-button';
import { QrCode } from '@athos/ui/qr/qr-code';
import { useState } from 'react';
import { useNavigate } from 'react-router';
import {
  beginTotp,
  confirmTotp,
  refreshSecondStep,
  type TotpSecret,
} from '../../api/second-step.ts';
import { paths } from '../../routes/paths.ts';
import { useOfflineReason } from '../../state/offline-reason.ts';

type Step =
  | { readonly kind: 'password' }
  | { readonly kind: 'scan'; readonly secret: TotpSecret }
  | { readonly kind: 'codes'; readonly codes: readonly string[] };

/** Takes the password, then shows the app's secret and takes its first code, then shows the recovery codes. */
export function AuthenticatorSetup() {
  const [step, setStep] = useState<Step>({ kind: 'password' });
  const navigate = useNavigate();
  switch (step.kind) {
    case 'password':
      return <PasswordStep onBegun={(secret) => setStep({ kind: 'scan', secret })} />;
    case 'scan':
      return (
        <ScanStep
          secret={step.secret}
          onConfirmed={(codes) => {
            setStep({ kind: 'codes', codes });
            void refreshSecondStep();
          }}
        />
      );
    case 'codes':
      return <RecoveryCodes codes={step.codes} onDone={() => void navigate(paths.security)} />;
  }
}

function PasswordStep({ onBegun }: { onBegun: (secret: TotpSecret) => void }) {
  const [password, setPassword] = useState('');
  const [isPending, setIsPending] = useState(false);
  const offlineReason = useOfflineReason();

  async function handleSubmit(): Promise<void> {
    if (isPending) return;
    setIsPending(true);
    const secret = await beginTotp(password);
    setIsPending(false);
    if (secret !== undefined) onBegun(secret);
  }

  return (
    <form
      className="flex flex-col gap-5"
      onSubmit={(event) => {
        event.preventDefault();
        void handleSubmit();
      }}
    >
      <p className="text-body text-ink-quiet text-pretty">{m.security_totp_lead()}</p>
      <PasswordField
        value={password}
        onValueChange={setPassword}
        name="password"
        required
        autoComplete="current-password"
        hint={m.settings_delete_password_hint()}
      />
      <Button type="submit" isWide isPending={isPending} disabledReason={offlineReason}>
        {m.security_totp_continue()}
      </Button>
    </form>
  );
}

interface ScanStepProps {
  secret: TotpSecret;
  onConfirmed: (codes: readonly string[]) => void;
}

function ScanStep({ secret, onConfirmed }: ScanStepProps) {
  const [isPending, setIsPending] = useState(false);

  async function handleSubmit(code: string): Promise<void> {
    if (isPending) return;
    setIsPending(true);
    const codes = await confirmTotp(code);
    setIsPending(false);
    if (codes !== undefined) onConfirmed(codes);
  }

  return (
    <div className="flex flex-col gap-5">
      <p className="text-body text-ink-quiet text-pretty">{m.common_totp_lead()}</p>
      <div className="flex justify-center">
        <QrCode value={secret.address} label={m.common_totp_qr()} />
      </div>
      <div className="flex flex-col gap-3">
        <p className="text-caption text-ink-quiet">{m.common_totp_secret()}</p>
        <p className="font-code text-body break-all select-all">{secret.secret}</p>
        <CopyButton text={secret.secret} isWide />
      </div>
      <TotpForm
        submitLabel={m.common_totp_confirm()}
        isPending={isPending}
        onSubmit={handleSubmit}
      />
    </div>
  );
}
