import { brand } from '@athos/brand/brand';
import { normalizePassword, PASSWORD_LENGTH_MIN } from '@athos/domain/password';
import { m } from '@athos/messages/messages';
import { TextLink } from '@athos/ui/primitives/link';
import { Notice } from '@athos/ui/primitives/notice';
import { PasswordField } from '@athos/ui/fields/password-field';
import { AuthScreen } from '@athos/ui/layout/auth-screen';
import { optionalPart } from '@athos/ui/layout/optional-part';
import { lazy, Suspense, useCallback, useEffect, useState } from 'react';
import { useLocation, useNavigate } from 'react-router';
import { currentUuid, signIn, type Credentials, type SecondStep } from '../../api/session.ts';
import { hasPasskeys } from '../../api/passkey-support.ts';
import { useTicketsOffer } from '../../api/tickets-offer.ts';
import { paths } from '../../routes/paths.ts';
import { takeRoute } from '../../state/intended-route.ts';
import { EmailField } from '@athos/ui/fields/email-field';
import { Form } from './form.tsx';
import { isPasswordReset } from './reset-state.ts';
import { SubmitButton } from './submit-button.tsx';
import { useSubmission } from './use-submission.ts';
import { WaitingReward } from './waiting-reward.tsx';

/** Few accounts have a second step, so its screen is loaded on demand. */
const SecondStepScreen = lazy(async () => ({
  default: (await import('./second-step-screen.tsx')).SecondStepScreen,
}));

/** Loaded after the form is drawn. Without it, the password still works. */
const PasskeyOffer = optionalPart(async () => (await import('./passkey-offer.tsx')).PasskeyOffer);

/** Spec 4: how long 'Signed In!' is shown before the app opens. */
const SIGNED_IN_MS = 1000;

/** Spec 2, 4 and 5: /auth/sign-in. */
export function SignInScreen() {
  const [isSignedIn, setIsSignedIn] = useState(false);
  const [secondStep, setSecondStep] = useState<SecondStep>();
  const navigate = useNavigate();

  useEffect(() => {
    if (!isSignedIn) return;
    const timer = setTimeout(() => {
      const route = takeRoute(currentUuid() ?? '') ?? paths.home;
      void navigate(route, { replace: true });
    }, SIGNED_IN_MS);
    return () => clearTimeout(timer);
  }, [isSignedIn, navigate]);

  const handleSignedIn = (): void => setIsSignedIn(true);
  if (secondStep === undefined) {
    return <PasswordStep onSignedIn={handleSignedIn} onSecondStep={setSecondStep} />;
  }
  return (
    <Suspense>
      <SecondStepScreen
        secondStep={secondStep}
        onSignedIn={handleSignedIn}
        onBack={() => setSecondStep(undefined)}
      />
    </Suspense>
  );
}

interface PasswordStepProps {
  onSignedIn: () => void;
  onSecondStep: (secondStep: SecondStep) => void;
}

function PasswordStep({ onSignedIn, onSecondStep }: PasswordStepProps) {
  const [given, setGiven] = useState<Credentials>({ email: '', password: '' });
  const [isTooShort, setIsTooShort] = useState(false);
  const [phase, submit] = useSubmission(async () => {
    const begun = await signIn(given);
    if (typeof begun === 'object') onSecondStep(begun);
    if (begun === true) onSignedIn();
    return begun === true;
  });
  const { state } = useLocation();
  const navigate = useNavigate();
  const openTickets = useCallback(() => void navigate(paths.keptTickets), [navigate]);
  const hasTickets = useTicketsOffer(openTickets);

  function handleSubmit() {
    // The browser's validation counts surrounding spaces and skips values filled in by a password manager.
    const isShort = normalizePassword(given.password).length < PASSWORD_LENGTH_MIN;
    setIsTooShort(isShort);
    if (!isShort) void submit();
  }

  return (
    <AuthScreen title={m.auth_sign_in_title()}>
      {isPasswordReset(state) && <Notice kind="success">{m.auth_sign_in_password_reset()}</Notice>}
      <WaitingReward text={m.auth_reward_sign_in()} />
      <Form onSubmit={handleSubmit}>
        <EmailField
          value={given.email}
          onValueChange={(email) => setGiven({ ...given, email })}
          autoComplete="username webauthn"
        />
        <PasswordField
          value={given.password}
          onValueChange={(password) => setGiven({ ...given, password })}
          name="password"
          required
          minLength={PASSWORD_LENGTH_MIN}
          autoComplete="current-password"
          error={isTooShort ? m.common_strength_rule_length() : undefined}
        />
        <p className="-mt-2">
          <TextLink to={paths.forgotPassword(given.email)}>{m.auth_forgot_link()}</TextLink>
        </p>
        <SubmitButton
          phase={phase}
          labels={{
            idle: m.auth_sign_in_submit(),
            submitting: m.auth_sign_in_submitting(),
            submitted: m.auth_sign_in_submitted(),
          }}
        />
      </Form>
      {hasPasskeys() && (
        <Suspense>
          <PasskeyOffer onSignedIn={onSignedIn} />
        </Suspense>
      )}
      {hasTickets && (
        <p className="text-center">
          <TextLink to={paths.keptTickets} isStandalone>
            {m.shell_tickets()}
          </TextLink>
        </p>
      )}
      <p className="text-body text-ink-quiet text-center">
        {m.auth_sign_in_no_account({ programme: brand.programmeName })}{' '}
        <TextLink to={paths.signUp}>{m.auth_sign_up()}</TextLink>
      </p>
    </AuthScreen>
  );
}
