/**
 * The browser's storage, which may be full, forbidden or missing. Every access falls back to memory, so the app works
 * but forgets its data when it is closed.
 */
export interface Store {
  read: (key: string) => string | null;
  write: (key: string, text: string) => void;
  remove: (key: string) => void;
  /** Removes every key with this prefix. */
  removeAll: (prefix: string) => void;
}

function createStore(storageOf: () => Storage): Store {
  const memory = new Map<string, string>();
  return {
    read(key) {
      // Memory holds what could not be stored, so the stored text is older.
      const kept = memory.get(key);
      if (kept !== undefined) return kept;
      try {
        return storageOf().getItem(key);
      } catch {
        return null;
      }
    },
    write(key, text) {
      try {
        storageOf().setItem(key, text);
        memory.delete(key);
      } catch {
        memory.set(key, text);
      }
    },
    remove(key) {
      memory.delete(key);
      try {
        storageOf().removeItem(key);
      } catch {
        // Storage is refused, so the value is kept only in memory.
      }
    },
    removeAll(prefix) {
      const matches = (key: string): boolean => key.startsWith(prefix);
      for (const key of [...memory.keys()].filter(matches)) memory.delete(key);
      try {
        for (const key of Object.keys(storageOf()).filter(matches)) storageOf().removeItem(key);
      } catch {
        // Storage is refused, so nothing is stored there.
      }
    },
  };
}

export const localStore = createStore(() => localStorage);
export const sessionStore = createStore(() => sessionStorage);

/**
 * Calls `act` when another tab changes `key` in local storage, with `isCleared` if it cleared all of it. Returns a
 * function that unsubscribes.
 */
export function followKey(key: string, act: (isCleared: boolean) => void): () => void {
  const handleStorage = (event: StorageEvent): void => {
    if (event.key === key || event.key === null) act(event.key === null);
  };
  addEventListener('storage', handleStorage);
  return () => removeEventListener('storage', handleStorage);
}
