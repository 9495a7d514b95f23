import { PASSWORD_LENGTH_MIN, passwordStrength } from '@athos/domain/password';
import { m } from '@athos/messages/messages';
import { PasswordField } from '@athos/ui/fields/password-field';
import { PasswordStrength } from '@athos/ui/fields/password-strength';
import { AuthScreen } from '@athos/ui/layout/auth-screen';
import { toasts } from '@athos/ui/overlays/toast-store';
import { useEffect, useState } from 'react';
import { useNavigate, useLocation } from 'react-router';
import { resetPassword } from '../../api/session.ts';
import { paths } from '../../routes/paths.ts';
import { Form } from './form.tsx';
import { PASSWORD_RESET_STATE } from './reset-state.ts';
import { SubmitButton } from './submit-button.tsx';
import { useSubmission } from './use-submission.ts';

/** 'Password Reset!' is shown as long as 'Signed In!' is at a sign-in. */
const RESET_SHOWN_MS = 1000;

/** Spec 2, 4 and 5: /auth/reset-password. The route guard requires a code. */
export function ResetPasswordScreen() {
  const query = new URLSearchParams(useLocation().search);
  const code = query.get('code') ?? '';
  const [password, setPassword] = useState('');
  const [phase, submit] = useSubmission(() => resetPassword({ code, password }));
  const navigate = useNavigate();

  useEffect(() => {
    if (phase !== 'submitted') return;
    const timer = setTimeout(() => {
      const options = { replace: true, state: PASSWORD_RESET_STATE };
      void navigate(paths.signIn, options);
    }, RESET_SHOWN_MS);
    return () => clearTimeout(timer);
  }, [phase, navigate]);

  function handleSubmit() {
    // D-048: the password rules of sign-up apply.
    if (passwordStrength(password) !== 'Strong') {
      toasts.attempt('resetPassword')('danger', m.errors_password_weak(), 4000);
      return;
    }
    void submit();
  }

  return (
    <AuthScreen title={m.auth_reset_title()} lead={m.auth_reset_text()}>
      <Form onSubmit={handleSubmit}>
        <PasswordField
          label={m.auth_reset_new_password()}
          value={password}
          onValueChange={setPassword}
          name="new-password"
          required
          minLength={PASSWORD_LENGTH_MIN}
          autoComplete="new-password"
        />
        <PasswordStrength password={password} />
        <SubmitButton
          phase={phase}
          labels={{
            idle: m.auth_reset_submit(),
            submitting: m.auth_reset_submitting(),
            submitted: m.auth_reset_submitted(),
          }}
        />
      </Form>
    </AuthScreen>
  );
}
