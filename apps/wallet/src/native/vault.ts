/** The token in the phone's secure storage: Keychain or Keystore. */
import type { TokenPlace } from '@athos/app-core/session';
import type { NativeLog } from './native-log.ts';
import { secureStorage } from './plugins.ts';

const PLACE = { prefixedKey: 'jwt', sync: false } as const;
const THIS_DEVICE_UNLOCKED = 1;

/** The Keychain outlives the app. A token from an earlier installation must not be used. */
const INSTALLED_KEY = 'app-installed';

function isFirstStart(): boolean {
  try {
    if (localStorage.getItem(INSTALLED_KEY) !== null) return false;
    localStorage.setItem(INSTALLED_KEY, 'true');
    return true;
  } catch {
    return false;
  }
}

/** Deleting an account clears the page's storage, but a later sign-in still belongs to this installation. */
function markInstalled(): void {
  try {
    localStorage.setItem(INSTALLED_KEY, 'true');
  } catch {
    // Storage is refused. In that case no later start is treated as the first one either.
  }
}

async function readStored(log: NativeLog): Promise<string | null> {
  try {
    if (isFirstStart()) {
      await secureStorage.internalRemoveItem(PLACE);
      return null;
    }
    return (await secureStorage.internalGetItem(PLACE)).data;
  } catch (error) {
    // A restored phone no longer has its Keystore key, so the user signs in again.
    log('vault_unreadable', { error: String(error) });
    return null;
  }
}

/**
 * Reads the token and returns a store that reads from memory and writes in the background, in order. A failed write is
 * logged: the session then ends when the app is closed.
 */
export async function openVault(log: NativeLog): Promise<Omit<TokenPlace, 'key'>> {
  let held = await readStored(log);
  let writing: Promise<unknown> = Promise.resolve();
  const then = (action: () => Promise<unknown>): void => {
    writing = writing
      .then(action)
      .catch((error: unknown) => log('vault_not_written', { error: String(error) }));
  };
  return {
    read: () => held,
    write(text) {
      held = text;
      markInstalled();
      then(() =>
        secureStorage.internalSetItem({ ...PLACE, data: text, access: THIS_DEVICE_UNLOCKED }),
      );
    },
    remove() {
      held = null;
      then(() => secureStorage.internalRemoveItem(PLACE));
    },
  };
}
