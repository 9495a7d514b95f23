import { localStore, sessionStore } from '@athos/app-core/storage';
import { applyThemeChoice } from '@athos/ui/theme/theme';
import { closeContactBooks } from './contacts.ts';
import { pageViewChoice } from './page-views.ts';
import { session } from './session.ts';

function clearStorage(): void {
  for (const storageOf of [() => localStorage, () => sessionStorage]) {
    try {
      // At once: key by key, another tab would take the first for a sign-out.
      storageOf().clear();
    } catch {
      // Refused storage holds nothing.
    }
  }
  localStore.removeAll('');
  sessionStore.removeAll('');
}

/** Spec 7: a deleted account leaves nothing on this device, neither in storage nor on the screen. Other tabs follow. */
export function forgetAccount(): void {
  // It writes what waits.
  closeContactBooks();
  clearStorage();
  session.end('signed_out');
  // An end leaves a note that there was a session.
  clearStorage();
  applyThemeChoice('system');
  pageViewChoice.set(undefined);
}
