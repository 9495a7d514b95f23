import { m } from '@athos/messages/messages';
import { toasts } from '../overlays/toast-store.ts';
import { device } from '../theme/device.ts';

/** Saves a file as the device does, and shows a toast if that fails. Never rejects. */
export async function saveFile(content: Blob, name: string): Promise<void> {
  const show = toasts.attempt('save');
  try {
    await device().saveFile(content, name);
  } catch {
    show('danger', m.common_failed(), 3000);
  }
}

/** Saves a text as a file. */
export const saveText = (
  text: string,
  { name, type }: { name: string; type: string },
): Promise<void> => saveFile(new Blob([text], { type }), name);
