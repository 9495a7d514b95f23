/** Counts what is in progress for each owner. */
export class InProgress<Key> {
  readonly #countOf = new Map<Key, number>();

  /** Adds one, which `end` must take back. Returns `false` and counts nothing if there are already `countMax`. */
  begin(key: Key, countMax: number): boolean {
    const count = this.#countOf.get(key) ?? 0;
    if (count >= countMax) return false;
    this.#countOf.set(key, count + 1);
    return true;
  }

  end(key: Key): void {
    const left = (this.#countOf.get(key) ?? 1) - 1;
    if (left === 0) this.#countOf.delete(key);
    else this.#countOf.set(key, left);
  }
}
