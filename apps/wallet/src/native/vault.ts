/** The token in the phone's secure storage: Keychain or Keystore. */
import type { TokenPlace } from '@athos/app-core/session';
import type { NativeLog } from './native-log.ts';
import { secureStorage } from './plugins.ts';

const PLACE = { prefixedKey: 'jwt', sync: false } as const;
const THIS_DEVICE_UNLOCKED = 1;

/** The Keychain outlives the app: what an earlier installation left there is not this one's. */
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

/** A deleted account takes along all that the page stored; whoever signs in next is of this installation all the same. */
function markInstalled(): void {
  try {
    localStorage.setItem(INSTALLED_KEY, 'true');
  } catch {
    // Refused storage: then no start is taken for a first one either.
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
    // A restored phone has lost the key of its Keystore: whoever holds it signs in again.
    log('vault_unreadable', { error: String(error) });
    return null;
  }
}

/**
 * Reads the token, and gives a store that answers from memory at once and writes behind, one after the other. What cannot
 * be written is logged: the session then ends with the app.
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
