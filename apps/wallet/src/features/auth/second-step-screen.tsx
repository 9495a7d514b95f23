import { m } from '@athos/messages/messages';
import { TotpForm } from '@athos/ui/factors/totp-form';
import { TextField } from '@athos/ui/fields/text-field';
import { AuthScreen } from '@athos/ui/layout/auth-screen';
import { Button } from '@athos/ui/primitives/button';
import { useState } from 'react';
import { finishSignIn, type SecondStep } from '../../api/session.ts';
import { Form } from './form.tsx';
import { RecoveryRequest } from './recovery-request.tsx';

interface SecondStepScreenProps {
  secondStep: SecondStep;
  onSignedIn: () => void;
  /** Returns to the password. */
  onBack: () => void;
}

/** The means that the user has for the second step. */
type Means = 'app' | 'recovery_code' | 'nothing';

const LEADS: Record<Means, () => string> = {
  app: m.auth_second_step_lead,
  recovery_code: m.auth_second_step_recovery_lead,
  nothing: m.auth_recovery_lead,
};

type Phase = 'idle' | 'submitting' | 'submitted';

const LABELS: Record<Phase, () => string> = {
  idle: m.auth_sign_in_submit,
  submitting: m.auth_sign_in_submitting,
  submitted: m.auth_sign_in_submitted,
};

/** The second step of a sign-in: a code of the authenticator app, or a recovery code. */
export function SecondStepScreen({ secondStep, onSignedIn, onBack }: SecondStepScreenProps) {
  const [means, setMeans] = useState<Means>('app');
  const [phase, setPhase] = useState<Phase>('idle');

  async function handleSubmit(code: string): Promise<void> {
    if (phase !== 'idle') return;
    setPhase('submitting');
    const outcome = await finishSignIn(secondStep, code);
    setPhase(outcome === 'done' ? 'submitted' : 'idle');
    if (outcome === 'done') onSignedIn();
    if (outcome === 'ended') onBack();
  }

  return (
    <AuthScreen title={m.auth_second_step_title()} lead={LEADS[means]()}>
      {means === 'nothing' && <RecoveryRequest secondStep={secondStep} onEnded={onBack} />}
      {means === 'app' && (
        <TotpForm
          submitLabel={LABELS[phase]()}
          isPending={phase !== 'idle'}
          onSubmit={handleSubmit}
        />
      )}
      {means === 'recovery_code' && (
        <RecoveryForm
          submitLabel={LABELS[phase]()}
          isPending={phase !== 'idle'}
          onSubmit={handleSubmit}
        />
      )}
      <div className="flex flex-col gap-2">
        {means !== 'recovery_code' && (
          <Button variant="plain" isWide onClick={() => setMeans('recovery_code')}>
            {m.auth_second_step_use_recovery()}
          </Button>
        )}
        {means !== 'app' && (
          <Button variant="plain" isWide onClick={() => setMeans('app')}>
            {m.auth_second_step_use_app()}
          </Button>
        )}
        {means === 'recovery_code' && (
          <Button variant="plain" isWide onClick={() => setMeans('nothing')}>
            {m.auth_recovery_lost()}
          </Button>
        )}
        <Button variant="plain" isWide onClick={onBack}>
          {m.auth_second_step_back()}
        </Button>
      </div>
    </AuthScreen>
  );
}

interface RecoveryFormProps {
  submitLabel: string;
  isPending: boolean;
  onSubmit: (code: string) => Promise<void>;
}

function RecoveryForm({ submitLabel, isPending, onSubmit }: RecoveryFormProps) {
  const [code, setCode] = useState('');
  return (
    <Form onSubmit={() => void onSubmit(code.trim())}>
      <TextField
        label={m.security_recovery_code()}
        value={code}
        onValueChange={setCode}
        required
        maxLength={40}
        autoComplete="off"
        autoCapitalize="characters"
        spellCheck={false}
      />
      <Button type="submit" isWide isPending={isPending}>
        {submitLabel}
      </Button>
    </Form>
  );
}
