import { m } from '@athos/messages/messages';
import { TextField } from '../fields/text-field.tsx';
import { Button } from '../primitives/button.tsx';
import { useState } from 'react';

const CODE_LENGTH = 6;

interface TotpFormProps {
  submitLabel: string;
  isPending: boolean;
  /** Whether another sign-in method above it is the primary one. */
  isSecondary?: boolean;
  onSubmit: (code: string) => Promise<void>;
}

/** Takes a code of an authenticator app. A code can be used only once, so the field is cleared afterwards. */
export function TotpForm({ submitLabel, isPending, isSecondary, onSubmit }: TotpFormProps) {
  const [code, setCode] = useState('');
  async function handleSubmit(): Promise<void> {
    await onSubmit(code.trim());
    setCode('');
  }
  return (
    <form
      className="flex flex-col gap-4"
      onSubmit={(event) => {
        event.preventDefault();
        void handleSubmit();
      }}
    >
      <TextField
        label={m.common_totp_code()}
        value={code}
        onValueChange={setCode}
        inputMode="numeric"
        autoComplete="one-time-code"
        maxLength={CODE_LENGTH + 1}
      />
      <Button
        type="submit"
        isWide
        variant={isSecondary === true ? 'quiet' : 'primary'}
        isPending={isPending}
        disabledReason={
          code.replaceAll(/\s/g, '').length < CODE_LENGTH
            ? m.common_totp_reason({ count: CODE_LENGTH })
            : undefined
        }
      >
        {submitLabel}
      </Button>
    </form>
  );
}
