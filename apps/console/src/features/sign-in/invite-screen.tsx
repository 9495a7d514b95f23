import { ApiError } from '@athos/client/errors';
import { STAFF_PASSWORD_LENGTH_MIN } from '@athos/domain/password';
import { m } from '@athos/messages/messages';
import { PasswordField } from '@athos/ui/fields/password-field';
import { TextField } from '@athos/ui/fields/text-field';
import { AuthScreen } from '@athos/ui/layout/auth-screen';
import { Splash } from '@athos/ui/layout/splash';
import { Button } from '@athos/ui/primitives/button';
import { Notice } from '@athos/ui/primitives/notice';
import KeyRound from 'lucide-react/icons/key-round';
import { useEffect, useState } from 'react';
import { ask, type AdminAnswer } from '../../api/call.ts';
import { acceptInvite, type SignInFailure } from '../../api/session.ts';
import { hasPasskeys } from '../../api/passkeys.ts';
import { wordsOfFailure } from './sign-in-words.ts';

type Invite = AdminAnswer<'invite'>;
/** `over`: used, older than 24 h, or replaced by a newer one. */
type Read = Invite | 'loading' | 'over' | 'failed';

/** The code is in the fragment, which browsers neither send to a server nor include in the Referer. */
const codeOfAddress = (): string => location.hash.slice(1);

export function InviteScreen() {
  const [code] = useState(codeOfAddress);
  const [read, setRead] = useState<Read>('loading');
  useEffect(() => {
    ask('invite', { body: { code } }).then(setRead, (error: unknown) =>
      setRead(error instanceof ApiError && error.status < 500 ? 'over' : 'failed'),
    );
  }, [code]);

  if (read === 'loading') return <Splash />;
  if (read === 'over' || read === 'failed') {
    const isOver = read === 'over';
    return (
      <AuthScreen
        title={isOver ? m.console_invite_over_title() : m.console_failed_title()}
        lead={isOver ? m.console_invite_over() : m.console_failed()}
      >
        <Button isWide variant="quiet" onClick={() => location.reload()}>
          {m.common_try_again()}
        </Button>
      </AuthScreen>
    );
  }
  return <Accept code={code} invite={read} />;
}

function Accept({ code, invite }: { code: string; invite: Invite }) {
  const [name, setName] = useState(invite.name);
  const [isPending, setIsPending] = useState(false);
  const [failure, setFailure] = useState<SignInFailure>();
  const canUsePasskey = invite.hasPasskeys && hasPasskeys();

  async function accept(way: { password?: string }): Promise<void> {
    setIsPending(true);
    setFailure(undefined);
    setFailure(await acceptInvite({ code, name: name.trim(), ...way }));
    setIsPending(false);
  }

  const nameMissing = name.trim() === '' ? m.console_invite_reason_name() : undefined;
  const words = failure === undefined ? undefined : wordsOfFailure(failure);
  const roles = invite.roles.map(({ title }) => title).join(', ');
  return (
    <AuthScreen
      title={m.console_invite_title()}
      lead={m.console_invite_lead({ email: invite.email, roles })}
    >
      {words !== undefined && (
        <Notice kind={words.kind} title={words.title}>
          {words.text}
        </Notice>
      )}
      <TextField
        label={m.console_invite_name()}
        value={name}
        onValueChange={setName}
        autoComplete="name"
        maxLength={100}
      />
      {canUsePasskey && (
        <Button
          isWide
          icon={<KeyRound size={20} aria-hidden />}
          isPending={isPending}
          disabledReason={nameMissing}
          onClick={() => void accept({})}
        >
          {m.console_invite_passkey()}
        </Button>
      )}
      <PasswordForm
        isPending={isPending}
        isSecondary={canUsePasskey}
        nameMissing={nameMissing}
        onSubmit={(password) => void accept({ password })}
      />
    </AuthScreen>
  );
}

interface PasswordFormProps {
  isPending: boolean;
  /** A passkey is offered above the password form. */
  isSecondary: boolean;
  nameMissing: string | undefined;
  onSubmit: (password: string) => void;
}

function PasswordForm({ isPending, isSecondary, nameMissing, onSubmit }: PasswordFormProps) {
  const [password, setPassword] = useState('');
  const tooShort =
    password.length < STAFF_PASSWORD_LENGTH_MIN
      ? m.console_password_too_short({ count: STAFF_PASSWORD_LENGTH_MIN })
      : undefined;
  return (
    <form
      className="flex grow flex-col gap-5"
      onSubmit={(event) => {
        event.preventDefault();
        onSubmit(password);
      }}
    >
      <PasswordField
        label={m.console_invite_password()}
        hint={m.console_invite_password_hint({ count: STAFF_PASSWORD_LENGTH_MIN })}
        value={password}
        onValueChange={setPassword}
        autoComplete="new-password"
      />
      <Button
        type="submit"
        isWide
        variant={isSecondary ? 'quiet' : 'primary'}
        isPending={isPending}
        disabledReason={nameMissing ?? tooShort}
      >
        {m.console_invite_accept()}
      </Button>
    </form>
  );
}
