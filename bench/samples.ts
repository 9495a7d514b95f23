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

type Measure = () => Promise<void>;

/** What one part measures in a round. */
export interface Round {
  /** What is compared with TPC-B. */
  readonly besideTpcB: readonly Measure[];
  /** Each group is compared within itself. */
  readonly others: readonly (readonly Measure[])[];
}

/** What is compared is measured right after each other, in an order of chance: the machine of a minute later is another one. */
export async function measureRound(measureTpcB: Measure, parts: readonly Round[]): Promise<void> {
  const groups = [
    [measureTpcB, ...parts.flatMap(({ besideTpcB }) => besideTpcB)],
    ...parts.flatMap(({ others }) => others),
  ];
  for (const group of shuffled(groups)) {
    for (const measure of shuffled(group)) await measure();
  }
}

/** In an order of chance, so that what drifts with time falls on all alike. */
export function shuffled<T>(items: readonly T[]): T[] {
  return items
    .map((item) => ({ item, place: Math.random() }))
    .toSorted((a, b) => a.place - b.place)
    .map(({ item }) => item);
}
