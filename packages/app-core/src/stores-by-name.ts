/**
 * Keeps one store per name for as long as the page lives, even if the user changes: a request made through a store
 * reports its outcome to the same store.
 */
export interface StoresByName<Store> {
  /** Returns the store of this name and opens it at the first call. */
  readonly of: (name: string, open: (name: string) => Store) => Store;
  /** Closes all stores, so the next reader starts from what is stored, as after a reload. */
  readonly closeAll: () => void;
}

interface Closable {
  readonly get: () => unknown;
  readonly close?: () => void;
}

export function storesByName<Store extends Closable>(): StoresByName<Store> {
  const stores = new Map<string, Store>();
  return {
    of(name, open) {
      const store = stores.get(name) ?? open(name);
      stores.set(name, store);
      return store;
    },
    closeAll() {
      for (const store of stores.values()) store.close?.();
      stores.clear();
    },
  };
}
