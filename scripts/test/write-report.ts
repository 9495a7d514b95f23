import { writeFileSync } from 'node:fs';
import { reportOf } from '../../bench/vitest-report.ts';

/** What a command has shown, and whether it holds. */
export interface Proof {
  readonly title: string;
  readonly isPassed: boolean;
}

/** Writes the results of a script in the format of Vitest's report, which `npm run spec` reads. */
export function writeReport(file: string, script: string, proofs: readonly Proof[]): void {
  const report = reportOf(
    proofs.map(({ title, isPassed }) => ({ title, isProven: isPassed })),
    script,
  );
  writeFileSync(file, JSON.stringify(report));
}
