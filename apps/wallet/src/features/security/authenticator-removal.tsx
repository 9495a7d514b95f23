import { m } from '@athos/messages/messages';
import { PasswordField } from '@athos/ui/fields/password-field';
import { TextField } from '@athos/ui/fields/text-field';
import { Button } from '@athos/ui/primitives/button';
import { useState } from 'react';
import { useNavigate } from 'react-router';
import { endTotp, refreshSecondStep } from '../../api/second-step.ts';
import { paths } from '../../routes/paths.ts';
import { useOfflineReason } from '../../state/offline-reason.ts';

const CODE_LENGTH_MAX = 40;

/** Takes the password and a code: neither a session nor a password alone may remove the app. */
export function AuthenticatorRemoval() {
  const [password, setPassword] = useState('');
  const [code, setCode] = useState('');
  const [isPending, setIsPending] = useState(false);
  const navigate = useNavigate();
  const offlineReason = useOfflineReason();

  async function handleSubmit(): Promise<void> {
    if (isPending) return;
    setIsPending(true);
    const isEnded = await endTotp({ password, code });
    setIsPending(false);
    // A code can be used only once.
    setCode('');
    if (!isEnded) return;
    void refreshSecondStep();
    void navigate(paths.security);
  }

  return (
    <form
      className="flex flex-col gap-5"
      onSubmit={(event) => {
        event.preventDefault();
        void handleSubmit();
      }}
    >
      <p className="text-body text-ink-quiet text-pretty">{m.security_totp_end_lead()}</p>
      <PasswordField
        value={password}
        onValueChange={setPassword}
        name="password"
        required
        autoComplete="current-password"
      />
      <TextField
        label={m.security_any_code()}
        value={code}
        onValueChange={setCode}
        required
        maxLength={CODE_LENGTH_MAX}
        autoComplete="one-time-code"
      />
      <Button
        type="submit"
        variant="danger"
        isWide
        isPending={isPending}
        disabledReason={offlineReason}
      >
        {m.security_totp_end()}
      </Button>
    </form>
  );
}
