import { localStore, sessionStore } from '@athos/app-core/storage';
import { applyThemeChoice } from '@athos/ui/theme/theme';
import { closeContactBooks } from './contacts.ts';
import { pageViewChoice } from './page-views.ts';
import { session } from './session.ts';

function clearStorage(): void {
  for (const storageOf of [() => localStorage, () => sessionStorage]) {
    try {
      // All at once: if keys went one by one, another tab would take the first for a sign-out.
      storageOf().clear();
    } catch {
      // Refused storage holds nothing.
    }
  }
  localStore.removeAll('');
  sessionStore.removeAll('');
}

/** Spec 7: a deleted account leaves nothing on this device, in storage or on the screen. Other tabs follow. */
export function forgetAccount(): void {
  // Closing writes pending changes, so it comes before the clearing.
  closeContactBooks();
  clearStorage();
  session.end('signed_out');
  // The end of a session stores that there was one.
  clearStorage();
  applyThemeChoice('system');
  pageViewChoice.set(undefined);
}
