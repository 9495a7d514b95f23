import Copy from 'lucide-react/icons/copy';
import { m } from '@athos/messages/messages';
import { Button } from './button.tsx';
import type { ButtonLook } from './button-class.ts';
import { device } from '../theme/device.ts';
import { toasts } from '../overlays/toast-store.ts';

/** Copies a text to the clipboard and shows a toast for 3 s (spec 8). Resolves to `false` if the browser refuses. */
export async function copyText(text: string): Promise<boolean> {
  const show = toasts.attempt('copy');
  try {
    await device().copyText(text);
    show('success', m.common_copied(), 3000);
    return true;
  } catch {
    show('danger', m.common_failed(), 3000);
    return false;
  }
}

/** Spec 2: the 'Copy' button. */
export function CopyButton({
  text,
  variant = 'quiet',
  ...look
}: ButtonLook & { text: string; 'aria-label'?: string }) {
  return (
    <Button
      {...look}
      variant={variant}
      icon={<Copy size={18} aria-hidden />}
      onClick={() => void copyText(text)}
    >
      {m.common_copy()}
    </Button>
  );
}
