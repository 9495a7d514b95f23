/**
 * The browser's storage, which may be full, forbidden or gone: every access falls back to memory, so that the app works
 * on without remembering.
 */
export interface Store {
  read: (key: string) => string | null;
  write: (key: string, text: string) => void;
  remove: (key: string) => void;
  /** Removes everything whose key begins like this. */
  removeAll: (prefix: string) => void;
}

function createStore(storageOf: () => Storage): Store {
  const memory = new Map<string, string>();
  return {
    read(key) {
      // What is in memory could not be stored, so what is stored is older.
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
        // Nothing was stored there then.
      }
    },
    removeAll(prefix) {
      const isMeant = (key: string): boolean => key.startsWith(prefix);
      for (const key of [...memory.keys()].filter(isMeant)) memory.delete(key);
      try {
        for (const key of Object.keys(storageOf()).filter(isMeant)) storageOf().removeItem(key);
      } catch {
        // Nor there.
      }
    },
  };
}

export const localStore = createStore(() => localStorage);
export const sessionStore = createStore(() => sessionStorage);
