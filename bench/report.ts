/** The table of a run: measure, must, aim, reached. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

interface RatioGoal {
  /** Begins with the row of docs/spec that states this goal, if there is one: `[P-012] …`. */
  readonly name: string;
  readonly must: number;
  readonly aim: number;
  /** `atMost`: smaller is better. */
  readonly sense: 'atLeast' | 'atMost';
}

export interface MeasuredRatio extends RatioGoal {
  /** One value per round; empty if a tool is missing. */
  readonly rounds: readonly number[];
}

export interface BenchReport {
  readonly at: string;
  readonly machine: string;
  readonly settings: Readonly<Record<string, number | string>>;
  readonly ratios: readonly MeasuredRatio[];
  /** Medians of the values behind the ratios, with the unit in the name. */
  readonly figures: Readonly<Record<string, number>>;
}

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length >> 1;
  const upper = sorted[middle] ?? Number.NaN;
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? upper) + upper) / 2;
}

export const rounded = (value: number): number => Math.round(value * 100) / 100;

type Verdict = 'aim reached' | 'must reached' | 'MISSED' | 'not measured';

export function verdict({ rounds, must, aim, sense }: MeasuredRatio): Verdict {
  if (rounds.length === 0) return 'not measured';
  const reached = median(rounds);
  const isGood = (goal: number): boolean =>
    sense === 'atLeast' ? reached >= goal : reached <= goal;
  if (isGood(aim)) return 'aim reached';
  return isGood(must) ? 'must reached' : 'MISSED';
}

/** The goals that are rows of docs/spec, and whether they were met. */
export const proofsOf = (ratios: readonly MeasuredRatio[]) =>
  ratios.flatMap((ratio) => {
    const { name, must, sense } = ratio;
    if (!name.startsWith('[')) return [];
    const reached = verdict(ratio);
    return [
      {
        title: `${name}: ${sense === 'atLeast' ? 'at least' : 'at most'} ${must}`,
        isProven: reached === 'not measured' ? undefined : reached !== 'MISSED',
      },
    ];
  });

export function formatReport(report: BenchReport): string {
  const lines = report.ratios.map((ratio) => {
    const { name, must, aim, rounds } = ratio;
    const range = `${rounded(Math.min(...rounds))}–${rounded(Math.max(...rounds))}`;
    const reached = rounds.length === 0 ? '–' : `${rounded(median(rounds))} (${range})`;
    return [name, String(must), String(aim), reached, verdict(ratio)];
  });
  const table = [['measure', 'must', 'aim', 'median (range)', 'verdict'], ...lines];
  const widths = [0, 1, 2, 3, 4].map((column) =>
    Math.max(...table.map((row) => (row[column] ?? '').length)),
  );
  const rows = table.map((row) =>
    row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('  '),
  );
  const figures = Object.entries(report.figures).map(([name, value]) => `  ${name}: ${value}`);
  return [...rows, '', ...figures].join('\n');
}

/** Returns the name of the file. */
export function writeReport(report: BenchReport): string {
  const dir = join(import.meta.dirname, 'results');
  mkdirSync(dir, { recursive: true });
  const file = join(dir, `${report.at.replaceAll(':', '-')}.json`);
  writeFileSync(file, `${JSON.stringify(report, null, 2)}\n`);
  return file;
}
