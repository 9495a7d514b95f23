/**
 * One store for each name for as long as the page lives, also over a change of account: what was asked for through a store
 * is answered in the same one.
 */
export interface StoresByName<Store> {
  /** The store of this name, opened when it is first asked for. */
  readonly of: (name: string, open: (name: string) => Store) => Store;
  /** Lets the next reader read what is stored, as a reload does. */
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
