import { useSyncExternalStore } from 'react';

/** A value outside React to which screens can subscribe. */
export interface ReadonlyValue<T> {
  get: () => T;
  subscribe: (listener: () => void) => () => void;
}

export interface Value<T> extends ReadonlyValue<T> {
  set: (next: T) => void;
}

export function createValue<T>(initial: T): Value<T> {
  let current = initial;
  const listeners = new Set<() => void>();
  return {
    get: () => current,
    set(next) {
      if (Object.is(next, current)) return;
      current = next;
      for (const listener of listeners) listener();
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

/** Returns the current value and renders again at each change. */
export function useValue<T>(value: ReadonlyValue<T>): T {
  return useSyncExternalStore(value.subscribe, value.get);
}
