import { m } from '@athos/messages/messages';
import { TextField } from './text-field.tsx';

interface EmailFieldProps {
  value: string;
  onValueChange: (value: string) => void;
  readOnly?: boolean;
  /** Set to `webauthn` in addition, it lets the browser offer passkeys. */
  autoComplete?: string;
}

/** Spec 5: every e-mail field is of type email and required. */
export function EmailField(props: EmailFieldProps) {
  return (
    <TextField
      autoComplete="username"
      {...props}
      label={m.common_email()}
      type="email"
      name="email"
      required
      autoCapitalize="none"
      autoCorrect="off"
      spellCheck={false}
      inputMode="email"
    />
  );
}
