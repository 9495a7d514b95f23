import { m } from '@athos/messages/messages';
import { PasswordField } from '@athos/ui/fields/password-field';
import { TextField } from '@athos/ui/fields/text-field';
import { Button } from '@athos/ui/primitives/button';
import { useState, type Ref } from 'react';
import type { OwnerProof } from '../../api/passkeys.ts';
import { useOfflineReason } from '../../state/offline-reason.ts';

const CODE_LENGTH_MAX = 40;

interface OwnerFormProps {
  lead: string;
  label: string;
  /** Signing in also requires a code. */
  isCodeAsked: boolean;
  isDanger?: boolean;
  firstField?: Ref<HTMLInputElement>;
  /** Resolves to whether it was done. */
  onSubmit: (proof: OwnerProof) => Promise<boolean>;
  onDone: () => void;
  onCancel: () => void;
}

/** Takes proofs that a stolen session lacks: the password and, if signing in requires one, a code. */
export function OwnerForm(props: OwnerFormProps) {
  const { lead, label, isCodeAsked, isDanger = false, firstField } = props;
  const { onSubmit, onDone, onCancel } = props;
  const [password, setPassword] = useState('');
  const [code, setCode] = useState('');
  const [isPending, setIsPending] = useState(false);
  const offlineReason = useOfflineReason();

  async function handleSubmit(): Promise<void> {
    if (isPending) return;
    setIsPending(true);
    const isDone = await onSubmit({ password, code: isCodeAsked ? code : undefined });
    setIsPending(false);
    // A code can be used only once.
    setCode('');
    if (isDone) onDone();
  }

  return (
    <form
      className="flex flex-col gap-5"
      onSubmit={(event) => {
        event.preventDefault();
        void handleSubmit();
      }}
    >
      <p className="text-body text-ink-quiet text-pretty wrap-anywhere">{lead}</p>
      <PasswordField
        ref={firstField}
        value={password}
        onValueChange={setPassword}
        name="password"
        required
        autoComplete="current-password"
      />
      {isCodeAsked && (
        <TextField
          label={m.security_any_code()}
          value={code}
          onValueChange={setCode}
          required
          maxLength={CODE_LENGTH_MAX}
          autoComplete="one-time-code"
        />
      )}
      <div className="flex flex-col gap-2">
        <Button
          type="submit"
          variant={isDanger ? 'danger' : 'primary'}
          isWide
          isPending={isPending}
          disabledReason={offlineReason}
        >
          {label}
        </Button>
        <Button variant="plain" isWide onClick={onCancel}>
          {m.security_passkey_cancel()}
        </Button>
      </div>
    </form>
  );
}
