/** A value kept in local storage under one key, as JSON, that screens can follow. */
import { followKey, localStore } from './storage.ts';
import { createValue, type ReadonlyValue } from './value.ts';

interface StoredOptions<T> {
  readonly key: string;
  /** Stands for nothing stored; setting it removes the key. */
  readonly empty: T;
  /** Reads what another version of the app, or a hand, may have stored. `undefined`: it cannot be used. */
  readonly parse: (stored: unknown) => T | undefined;
  /** What JSON is made of. By default the value itself. */
  readonly format?: (value: T) => unknown;
}

export interface StoredValue<T> extends ReadonlyValue<T> {
  /** What is stored now. The event of another tab's write may not have reached `get` yet. */
  read: () => T;
  /** Writes `step` of what is stored now, so that two tabs that both change it lose nothing. */
  change: (step: (stored: T) => T) => void;
  /** Takes up what other tabs write, until the returned function is called. `onCleared`: they cleared all of storage. */
  followOtherTabs: (onCleared?: () => void) => () => void;
}

export function openStored<T>({ key, empty, parse, format }: StoredOptions<T>): StoredValue<T> {
  function read(): T {
    try {
      const text = localStore.read(key);
      return text === null ? empty : (parse(JSON.parse(text)) ?? empty);
    } catch {
      // Edited by hand or cut off.
      return empty;
    }
  }
  const value = createValue(read());

  return {
    get: value.get,
    subscribe: value.subscribe,
    read,
    change(step) {
      const next = step(read());
      if (Object.is(next, empty)) localStore.remove(key);
      else localStore.write(key, JSON.stringify(format === undefined ? next : format(next)));
      value.set(next);
    },
    followOtherTabs: (onCleared) =>
      followKey(key, (isCleared) => {
        if (isCleared) onCleared?.();
        value.set(read());
      }),
  };
}
