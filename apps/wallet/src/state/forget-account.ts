import { localStore, sessionStore } from '@athos/app-core/storage';
import { applyThemeChoice } from '@athos/ui/theme/theme';
import { closeContactBooks } from './contacts.ts';
import { pageViewChoice } from './page-views.ts';
import { session } from './session.ts';

function clearStorage(): void {
  for (const storageOf of [() => localStorage, () => sessionStorage]) {
    try {
      // Clears all keys at once. If they were removed one by one, another tab would treat the first removal as a
      // sign-out.
      storageOf().clear();
    } catch {
      // Storage is refused, so it contains nothing.
    }
  }
  localStore.removeAll('');
  sessionStore.removeAll('');
}

/** Spec 7: a deleted account leaves nothing on this device, neither in storage nor on the screen. Other tabs follow. */
export function forgetAccount(): void {
  // Closing writes pending changes, so it comes before clearing.
  closeContactBooks();
  clearStorage();
  session.end('signed_out');
  // Ending a session stores that there was one, so clear again.
  clearStorage();
  applyThemeChoice('system');
  pageViewChoice.set(undefined);
}
