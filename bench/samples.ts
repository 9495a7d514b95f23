/** Measured values by name, one per round. */
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

  /** Returns one ratio per round. */
  ratios(above: string, below: string): number[] {
    return this.of(above).map((value, round) => value / (this.of(below)[round] ?? Number.NaN));
  }

  medians(): Record<string, number> {
    return Object.fromEntries(
      [...this.#values].map(([name, values]) => [name, rounded(median(values))]),
    );
  }
}

type Measure = () => Promise<void>;

/** The measurements of one part in a round. */
export interface Round {
  /** Measured next to TPC-B, to which they are compared. */
  readonly besideTpcB: readonly Measure[];
  /** Measurements of one group are compared to each other. */
  readonly others: readonly (readonly Measure[])[];
}

/** Runs measurements that are compared back to back and in random order, because the machine's speed varies over minutes. */
export async function measureRound(measureTpcB: Measure, parts: readonly Round[]): Promise<void> {
  const groups = [
    [measureTpcB, ...parts.flatMap(({ besideTpcB }) => besideTpcB)],
    ...parts.flatMap(({ others }) => others),
  ];
  for (const group of shuffled(groups)) {
    for (const measure of shuffled(group)) await measure();
  }
}

/** Shuffles the items, so that a drift over time affects all of them alike. */
export function shuffled<T>(items: readonly T[]): T[] {
  return items
    .map((item) => ({ item, place: Math.random() }))
    .toSorted((a, b) => a.place - b.place)
    .map(({ item }) => item);
}
