export type Listener = (event: unknown) => void;

/** Listeners by event name. `off` ignores unknown listeners, because React calls it after destroy. */
export class Emitter {
  readonly #listeners = new Map<string, Set<Listener>>();
  readonly #onceOf = new WeakMap<Listener, Listener>();

  on(type: string, listener: Listener): void {
    const known = this.#listeners.get(type) ?? new Set();
    known.add(listener);
    this.#listeners.set(type, known);
  }

  once(type: string, listener: Listener): void {
    const wrapped: Listener = (event) => {
      this.off(type, wrapped);
      listener(event);
    };
    this.#onceOf.set(listener, wrapped);
    this.on(type, wrapped);
  }

  /** Removes one listener, or all listeners of the event if none is given. */
  off(type: string, listener?: Listener): void {
    if (listener === undefined) {
      this.#listeners.delete(type);
      return;
    }
    const known = this.#listeners.get(type);
    known?.delete(listener);
    const wrapped = this.#onceOf.get(listener);
    if (wrapped !== undefined) known?.delete(wrapped);
  }

  emit(type: string, event: unknown): void {
    for (const listener of this.#listeners.get(type) ?? []) listener(event);
  }

  clear(): void {
    this.#listeners.clear();
  }
}
