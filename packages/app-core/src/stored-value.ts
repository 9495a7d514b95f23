/** A value stored as JSON under one key of local storage, to which screens can subscribe. */
import { followKey, localStore } from './storage.ts';
import { createValue, type ReadonlyValue } from './value.ts';

interface StoredOptions<T> {
  readonly key: string;
  /** The value if nothing is stored. Setting it removes the key. */
  readonly empty: T;
  /**
   * Parses stored JSON, which another version of the app or a user may have written. Returns `undefined` if it is
   * unusable.
   */
  readonly parse: (stored: unknown) => T | undefined;
  /** Converts the value to something that JSON can represent. By default the value is used as it is. */
  readonly format?: (value: T) => unknown;
}

export interface StoredValue<T> extends ReadonlyValue<T> {
  /** Returns the stored value. It may be newer than `get`, until the event of another tab's write arrives. */
  read: () => T;
  /** Applies `step` to the stored value, so two tabs that both change it lose nothing. */
  change: (step: (stored: T) => T) => void;
  /**
   * Follows writes of other tabs until the returned function is called. `onCleared`: another tab cleared all of
   * storage.
   */
  followOtherTabs: (onCleared?: () => void) => () => void;
}

export function openStored<T>({ key, empty, parse, format }: StoredOptions<T>): StoredValue<T> {
  function read(): T {
    try {
      const text = localStore.read(key);
      return text === null ? empty : (parse(JSON.parse(text)) ?? empty);
    } catch {
      // The text was edited or truncated.
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
