/** Measured values by name, one a round. */
import { median, rounded } from './report.ts';

export const say = (text: string): void => void process.stderr.write(`${text}\n`);

export class Samples {
  readonly #values = new Map<string, number[]>();

  note(name: string, value: number): void {
    say(`  ${name}: ${value}`);
    this.#values.set(name, [...this.of(name), value]);
  }

  of(name: string): readonly number[] {
    return this.#values.get(name) ?? [];
  }

  /** Of the values of one round each. */
  ratios(above: string, below: string): number[] {
    return this.of(above).map((value, round) => value / (this.of(below)[round] ?? Number.NaN));
  }

  medians(): Record<string, number> {
    return Object.fromEntries(
      [...this.#values].map(([name, values]) => [name, rounded(median(values))]),
    );
  }
}

/** In an order of chance, so that what drifts with time falls on all alike. */
export function shuffled<T>(items: readonly T[]): T[] {
  return items
    .map((item) => ({ item, place: Math.random() }))
    .toSorted((a, b) => a.place - b.place)
    .map(({ item }) => item);
}
