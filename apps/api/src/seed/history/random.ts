/** Reproducible random numbers: the same words give the same history. */
import { createHash } from 'node:crypto';

export class Random {
  readonly #state: Uint32Array;

  constructor(words: string) {
    const digest = createHash('sha256').update(words).digest();
    this.#state = Uint32Array.from([0, 4, 8, 12], (offset) => digest.readUInt32LE(offset));
  }

  /** From 0 up to, but not including, 1 (xoshiro128**). */
  next(): number {
    const state = this.#state;
    const [a = 0, b = 0, c = 0, d = 0] = state;
    const scrambled = Math.imul(rotated(Math.imul(b, 5), 7), 9) >>> 0;
    state[0] = a ^ d ^ b;
    state[1] = b ^ c ^ a;
    state[2] = c ^ a ^ (b << 9);
    state[3] = rotated(d ^ b, 11);
    return scrambled / 2 ** 32;
  }

  /** A whole number from `least` to `most`, both inclusive. */
  between(least: number, most: number): number {
    return least + Math.floor(this.next() * (most - least + 1));
  }

  chance(probability: number): boolean {
    return this.next() < probability;
  }

  /** One of `values`, which must not be empty. */
  pick<T>(values: readonly T[]): T {
    return at(values, this.between(0, values.length - 1));
  }

  /** One of `values`, which must not be empty, each with a probability in proportion to its weight. */
  weighted<T>(values: readonly T[], weightOf: (value: T) => number): T {
    let left = this.next() * values.reduce((sum, value) => sum + weightOf(value), 0);
    for (const value of values) {
      left -= weightOf(value);
      if (left < 0) return value;
    }
    return at(values, values.length - 1);
  }

  shuffled<T>(values: readonly T[]): T[] {
    const rest = [...values];
    for (let last = rest.length - 1; last > 0; last -= 1) {
      const other = this.between(0, last);
      const moved = at(rest, last);
      rest[last] = at(rest, other);
      rest[other] = moved;
    }
    return rest;
  }
}

const rotated = (word: number, bits: number): number => (word << bits) | (word >>> (32 - bits));

function at<T>(values: readonly T[], index: number): T {
  const value = values[index];
  if (value === undefined) throw new RangeError(`there is no value ${index}`);
  return value;
}
