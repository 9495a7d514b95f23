import { normalizeEmail, passwordStrength } from '@athos/domain/password';
import { m } from '@athos/messages/messages';
import { TextLink } from '@athos/ui/primitives/link';
import { PasswordField } from '@athos/ui/fields/password-field';
import { PasswordStrength } from '@athos/ui/fields/password-strength';
import { AuthScreen } from '@athos/ui/layout/auth-screen';
import { toasts } from '@athos/ui/overlays/toast-store';
import { useState } from 'react';
import { useLegalText } from '../../api/legal.ts';
import { signUp, type Credentials } from '../../api/session.ts';
import { paths } from '../../routes/paths.ts';
import { EmailField } from '@athos/ui/fields/email-field';
import { Form } from './form.tsx';
import { SignUpDone } from './sign-up-done.tsx';
import { SubmitButton } from './submit-button.tsx';
import { TermsNotice } from './terms-notice.tsx';
import { useSubmission } from './use-submission.ts';
import { WaitingReward } from './waiting-reward.tsx';

/** Spec 2, 4 and 5: /auth/sign-up. */
export function SignUpScreen() {
  const [given, setGiven] = useState<Credentials>({ email: '', password: '' });
  // The version that the link below the form shows. If it is not known yet, the server assumes the one in force.
  const termsVersion = useLegalText('terms')?.version;
  const register = () => signUp({ ...given, termsVersion });
  const [phase, submit] = useSubmission(register);

  function handleSubmit() {
    if (passwordStrength(given.password) !== 'Strong') {
      toasts.attempt('register')('danger', m.errors_password_weak(), 4000);
      return;
    }
    void submit();
  }

  if (phase === 'submitted') {
    return <SignUpDone email={normalizeEmail(given.email)} onSendAgain={register} />;
  }
  return (
    <AuthScreen title={m.auth_sign_up_title()} backTo={paths.choose}>
      <WaitingReward text={m.auth_reward_sign_up()} />
      <Form onSubmit={handleSubmit}>
        <EmailField value={given.email} onValueChange={(email) => setGiven({ ...given, email })} />
        <PasswordField
          value={given.password}
          onValueChange={(password) => setGiven({ ...given, password })}
          name="password"
          required
          autoComplete="new-password"
        />
        <PasswordStrength password={given.password} />
        <SubmitButton
          phase={phase}
          labels={{
            idle: m.auth_sign_up_submit(),
            submitting: m.auth_sign_up_submitting(),
            submitted: m.auth_sign_up_submitting(),
          }}
        />
        <TermsNotice />
      </Form>
      <p className="text-body text-ink-quiet text-center">
        {m.auth_sign_up_have_account()} <TextLink to={paths.signIn}>{m.auth_sign_in()}</TextLink>
      </p>
    </AuthScreen>
  );
}
