import { m } from '@athos/messages/messages';
import { PasswordField } from '@athos/ui/fields/password-field';
import { ButtonLink } from '@athos/ui/primitives/button';
import { TextLink } from '@athos/ui/primitives/link';
import { AuthScreen } from '@athos/ui/layout/auth-screen';
import { Spinner } from '@athos/ui/primitives/spinner';
import { useEffect, useRef, useState } from 'react';
import { useNavigate, useLocation } from 'react-router';
import { currentUuid, verifyAccount, type Verification } from '../../api/session.ts';
import { paths } from '../../routes/paths.ts';
import { takeRoute } from '../../state/intended-route.ts';
import { invitePasskey } from '../../state/own-choices.ts';
import { Form } from './form.tsx';
import { SubmitButton } from './submit-button.tsx';
import { useSubmission } from './use-submission.ts';

/** Spec 2 and 4: /auth/verify-account. The route guard requires a code. */
export function VerifyAccountScreen() {
  const query = new URLSearchParams(useLocation().search);
  const code = query.get('code') ?? '';
  const navigate = useNavigate();
  const [answer, setAnswer] = useState<Verification>();
  const startedCode = useRef<string>(undefined);

  useEffect(() => {
    // A code can be used once, so running the effect twice would fail.
    if (startedCode.current === code) return;
    startedCode.current = code;
    void verifyAccount(code).then(setAnswer);
  }, [code]);

  useEffect(() => {
    if (answer !== 'verified') return;
    const userUuid = currentUuid() ?? '';
    invitePasskey(userUuid);
    void navigate(takeRoute(userUuid) ?? paths.home, { replace: true });
  }, [answer, navigate]);

  switch (answer) {
    case undefined:
    case 'verified':
      return <Verifying />;
    case 'password_needed':
      return <PasswordStep code={code} onVerified={() => setAnswer('verified')} />;
    case false:
      return <Failed />;
  }
}

function Verifying() {
  return (
    <AuthScreen title={m.auth_verify_line()}>
      <div role="status" className="text-accent-text flex justify-center py-8">
        <Spinner />
      </div>
    </AuthScreen>
  );
}

function PasswordStep({ code, onVerified }: { code: string; onVerified: () => void }) {
  const [password, setPassword] = useState('');
  const [isWrong, setIsWrong] = useState(false);
  const field = useRef<HTMLInputElement>(null);
  const [phase, submit] = useSubmission(async () => {
    setIsWrong(false);
    const answer = await verifyAccount(code, password);
    setIsWrong(answer === 'password_needed');
    if (answer === 'verified') onVerified();
    else field.current?.focus();
    return answer === 'verified';
  });

  // The screen changed without input, so keyboard focus and screen reader are moved to the field it asks for.
  useEffect(() => field.current?.focus(), []);

  return (
    <AuthScreen title={m.auth_verify_password_title()} lead={m.auth_verify_password_text()}>
      <Form onSubmit={() => void submit()}>
        <PasswordField
          ref={field}
          value={password}
          onValueChange={setPassword}
          name="password"
          required
          autoComplete="current-password"
          error={isWrong ? m.auth_verify_password_wrong() : undefined}
        />
        <SubmitButton
          phase={phase}
          labels={{
            idle: m.auth_verify_submit(),
            submitting: m.auth_verify_submitting(),
            submitted: m.auth_verify_submitting(),
          }}
        />
      </Form>
      <p className="text-body text-ink-quiet text-center text-pretty">
        {m.auth_verify_not_you()} <TextLink to={paths.signUp}>{m.auth_sign_up()}</TextLink>
      </p>
    </AuthScreen>
  );
}

function Failed() {
  return (
    <AuthScreen title={m.auth_verify_failed_title()} lead={m.auth_verify_failed_text()}>
      <ButtonLink to={paths.signIn} isWide>
        {m.auth_sign_in()}
      </ButtonLink>
    </AuthScreen>
  );
}
