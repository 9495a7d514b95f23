import { brand } from '@athos/brand/brand';
import { m } from '@athos/messages/messages';
import { Button } from '@athos/ui/primitives/button';
import { Notice } from '@athos/ui/primitives/notice';
import { EmailField } from '@athos/ui/fields/email-field';
import { PasswordField } from '@athos/ui/fields/password-field';
import { AuthScreen } from '@athos/ui/layout/auth-screen';
import { useState, type ReactNode } from 'react';
import { signIn, type Credentials, type SignInOutcome } from '../../api/session.ts';
import type { SessionEnd } from '../../state/session.ts';

interface SignInScreenProps {
  /** How the last session ended. */
  end: SessionEnd;
  /** Redemptions on the device that the server does not have. */
  children?: ReactNode;
}

/** The sign-in for staff. */
export function SignInScreen({ end, children }: SignInScreenProps) {
  const [given, setGiven] = useState<Credentials>({ email: '', password: '' });
  const [isSigningIn, setIsSigningIn] = useState(false);
  const [outcome, setOutcome] = useState<SignInOutcome>();

  async function handleSubmit(): Promise<void> {
    if (isSigningIn) return;
    setIsSigningIn(true);
    setOutcome(undefined);
    const next = await signIn(given);
    setIsSigningIn(false);
    setOutcome(next);
  }

  const words = outcome === undefined ? wordsOfEnd(end) : wordsOfOutcome(outcome);
  return (
    <AuthScreen
      title={m.scanner_app_sign_in_title()}
      lead={m.scanner_app_sign_in_lead({ programme: brand.programmeName })}
    >
      {words !== undefined && !isSigningIn && (
        <Notice kind={words.kind} title={words.title}>
          {words.text}
        </Notice>
      )}
      <form
        className="flex grow flex-col gap-5"
        onSubmit={(event) => {
          event.preventDefault();
          void handleSubmit();
        }}
      >
        <EmailField value={given.email} onValueChange={(email) => setGiven({ ...given, email })} />
        <PasswordField
          value={given.password}
          onValueChange={(password) => setGiven({ ...given, password })}
          name="password"
          required
          autoComplete="current-password"
        />
        <Button type="submit" isWide isPending={isSigningIn}>
          <span aria-live="polite">
            {isSigningIn ? m.auth_sign_in_submitting() : m.auth_sign_in_submit()}
          </span>
        </Button>
      </form>
      {children}
    </AuthScreen>
  );
}

interface Words {
  readonly kind: 'info' | 'danger';
  readonly title: string;
  readonly text: string;
}

function wordsOfEnd(end: SessionEnd): Words | undefined {
  switch (end) {
    case 'refused':
      return {
        kind: 'info',
        title: m.scanner_app_sign_in_ended_title(),
        text: m.scanner_app_sign_in_ended(),
      };
    case 'revoked':
      return {
        kind: 'danger',
        title: m.scanner_app_sign_in_revoked_title(),
        text: m.scanner_app_sign_in_revoked(),
      };
    case 'left':
    case 'never_begun':
      return undefined;
  }
}

function wordsOfOutcome(outcome: SignInOutcome): Words | undefined {
  switch (outcome.kind) {
    case 'signed_in':
      return undefined;
    case 'incorrect':
      return {
        kind: 'danger',
        title: m.scanner_app_sign_in_incorrect_title(),
        text: m.scanner_app_sign_in_incorrect(),
      };
    case 'held':
      return {
        kind: 'danger',
        title: m.scanner_app_sign_in_held_title(),
        text: m.scanner_app_sign_in_held(),
      };
    case 'second_step':
      return {
        kind: 'danger',
        title: m.scanner_app_sign_in_second_step_title(),
        text: m.scanner_app_sign_in_second_step(),
      };
    case 'not_staff':
      return outcome.wasStaff
        ? wordsOfEnd('revoked')
        : {
            kind: 'danger',
            title: m.scanner_app_sign_in_not_staff_title(),
            text: m.scanner_app_sign_in_not_staff(),
          };
    case 'device_blocked':
      return {
        kind: 'danger',
        title: m.scanner_app_sign_in_blocked_title(),
        text: outcome.isLogSent ? m.scanner_app_sign_in_blocked() : m.scanner_app_sign_in_held(),
      };
    case 'too_many':
      return {
        kind: 'danger',
        title: m.scanner_app_sign_in_too_many_title(),
        text: m.errors_too_many({ seconds: outcome.seconds }),
      };
    case 'no_network':
      return {
        kind: 'danger',
        title: m.scanner_app_sign_in_no_network_title(),
        text: m.scanner_app_sign_in_no_network(),
      };
    case 'failed':
      return {
        kind: 'danger',
        title: m.scanner_app_sign_in_failed_title(),
        text: m.scanner_app_sign_in_failed(),
      };
  }
}
