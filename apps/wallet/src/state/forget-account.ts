import { applyThemeChoice } from '@athos/ui/theme';
import { closeContactBook } from './contacts.ts';
import { endSession } from './session.ts';
import { tokenStore } from './token.ts';

const clear = (storageOf: () => Storage): void => {
  try {
    storageOf().clear();
  } catch {
    // Refused storage holds nothing.
  }
};

/** Spec 7: a deleted account leaves nothing on this device, neither in storage nor on the screen. Other tabs follow. */
export function forgetAccount(): void {
  // With what it has to write, which is cleared then.
  closeContactBook();
  endSession('signed_out');
  tokenStore.remove();
  clear(() => localStorage);
  clear(() => sessionStorage);
  applyThemeChoice('system');
}
