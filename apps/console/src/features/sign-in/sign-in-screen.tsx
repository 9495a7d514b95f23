import { m } from '@athos/messages/messages';
import { EmailField } from '@athos/ui/fields/email-field';
import { PasswordField } from '@athos/ui/fields/password-field';
import { TextField } from '@athos/ui/fields/text-field';
import { AuthScreen } from '@athos/ui/layout/auth-screen';
import { Button } from '@athos/ui/primitives/button';
import { Notice } from '@athos/ui/primitives/notice';
import KeyRound from 'lucide-react/icons/key-round';
import { useState } from 'react';
import { hasPasskeys } from '../../api/passkeys.ts';
import { signIn, signInWithPasskey, type SignInFailure } from '../../api/session.ts';
import type { SessionEnd } from '../../state/session.ts';
import { wordsOfEnd, wordsOfFailure } from './sign-in-words.ts';

type Way = 'passkey' | 'password';

/** Offers the passkey first, since it counts as both factors, then password and code. `end` says how the last session ended. */
export function SignInScreen({ end }: { end: SessionEnd }) {
  const [pendingWay, setPendingWay] = useState<Way>();
  const [failure, setFailure] = useState<SignInFailure>();

  async function enter(way: Way, act: () => Promise<SignInFailure | undefined>): Promise<void> {
    if (pendingWay !== undefined) return;
    setPendingWay(way);
    setFailure(undefined);
    const next = await act();
    setPendingWay(undefined);
    setFailure(next);
  }

  const words = failure === undefined ? wordsOfEnd(end) : wordsOfFailure(failure);
  return (
    <AuthScreen title={m.console_sign_in_title()} lead={m.console_sign_in_lead()}>
      {words !== undefined && pendingWay === undefined && (
        <Notice kind={words.kind} title={words.title}>
          {words.text}
        </Notice>
      )}
      {hasPasskeys() && (
        <>
          <Button
            isWide
            icon={<KeyRound size={20} aria-hidden />}
            isPending={pendingWay === 'passkey'}
            onClick={() => void enter('passkey', signInWithPasskey)}
          >
            {m.console_sign_in_passkey()}
          </Button>
          <p className="text-caption text-ink-quiet flex items-center gap-3">
            <span aria-hidden="true" className="bg-line h-px grow" />
            {m.console_sign_in_or()}
            <span aria-hidden="true" className="bg-line h-px grow" />
          </p>
        </>
      )}
      <PasswordForm
        isPending={pendingWay === 'password'}
        onSubmit={(given) => enter('password', () => signIn(given))}
      />
    </AuthScreen>
  );
}

interface PasswordFormProps {
  isPending: boolean;
  onSubmit: (given: Parameters<typeof signIn>[0]) => Promise<void>;
}

function PasswordForm({ isPending, onSubmit }: PasswordFormProps) {
  const [email, setEmail] = useState('');
  const [password, setPassword] = useState('');
  const [code, setCode] = useState('');

  async function handleSubmit(): Promise<void> {
    await onSubmit({ email, password, ...(code.trim() !== '' && { code: code.trim() }) });
    // A code can be used only once.
    setCode('');
  }

  return (
    <form
      className="flex grow flex-col gap-5"
      onSubmit={(event) => {
        event.preventDefault();
        void handleSubmit();
      }}
    >
      <EmailField value={email} onValueChange={setEmail} />
      <PasswordField
        value={password}
        onValueChange={setPassword}
        name="password"
        required
        autoComplete="current-password"
      />
      <TextField
        label={m.console_sign_in_code()}
        hint={m.console_sign_in_code_hint()}
        value={code}
        onValueChange={setCode}
        name="code"
        autoComplete="one-time-code"
        autoCapitalize="none"
        spellCheck={false}
      />
      <Button
        type="submit"
        isWide
        variant={hasPasskeys() ? 'quiet' : 'primary'}
        isPending={isPending}
      >
        {m.auth_sign_in_submit()}
      </Button>
    </form>
  );
}
