import { normalizeEmail } from '@athos/domain/password';
import { m } from '@athos/messages/messages';
import { Notice } from '@athos/ui/primitives/notice';
import { AuthScreen } from '@athos/ui/layout/auth-screen';
import { useState } from 'react';
import { useLocation } from 'react-router';
import { forgotPassword } from '../../api/session.ts';
import { paths } from '../../routes/paths.ts';
import { EmailField } from '@athos/ui/fields/email-field';
import { Form } from './form.tsx';
import { SubmitButton } from './submit-button.tsx';
import { useSubmission } from './use-submission.ts';

/** Spec 2 and 4: /auth/forgot-password. */
export function ForgotPasswordScreen() {
  const query = new URLSearchParams(useLocation().search);
  const [email, setEmail] = useState(query.get('email') ?? '');
  const [phase, submit] = useSubmission(() => forgotPassword(email));

  return (
    <AuthScreen title={m.auth_forgot_title()} lead={m.auth_forgot_text()} backTo={paths.signIn}>
      <Form onSubmit={submit}>
        <EmailField value={email} onValueChange={setEmail} readOnly={phase !== 'idle'} />
        <SubmitButton
          phase={phase}
          labels={{
            idle: m.auth_forgot_submit(),
            submitting: m.auth_forgot_submitting(),
            submitted: m.auth_forgot_submitted(),
          }}
        />
        {phase === 'submitted' && (
          <Notice kind="success" title={m.auth_forgot_done_text({ email: normalizeEmail(email) })}>
            {m.auth_forgot_done_hint()}
          </Notice>
        )}
      </Form>
    </AuthScreen>
  );
}
