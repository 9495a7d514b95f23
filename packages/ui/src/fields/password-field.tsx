import Eye from 'lucide-react/icons/eye';
import EyeOff from 'lucide-react/icons/eye-off';
import { useState } from 'react';
import { m } from '@athos/messages/messages';
import { IconButton } from '../primitives/icon-button.tsx';
import { TextField } from './text-field.tsx';
import type { TextFieldProps } from './text-field.tsx';

export interface PasswordFieldProps extends Omit<
  TextFieldProps,
  'type' | 'trailing' | 'label' | 'autoComplete'
> {
  label?: string;
  autoComplete: 'current-password' | 'new-password';
}

/** Spec 2: every password field has a show/hide toggle. */
export function PasswordField({ label = m.common_password(), ...rest }: PasswordFieldProps) {
  const [isShown, setIsShown] = useState(false);
  return (
    <TextField
      autoCapitalize="none"
      autoCorrect="off"
      spellCheck={false}
      {...rest}
      label={label}
      type={isShown ? 'text' : 'password'}
      trailing={
        <IconButton
          label={isShown ? m.common_password_hide() : m.common_password_show()}
          aria-pressed={isShown}
          onClick={() => setIsShown(!isShown)}
          icon={isShown ? <EyeOff size={20} aria-hidden /> : <Eye size={20} aria-hidden />}
        />
      }
    />
  );
}
