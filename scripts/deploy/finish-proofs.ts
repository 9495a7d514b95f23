import { readCounts } from '../test/counts.ts';
import { finish } from '../test/run-tests.ts';
import { writeReport, type Proof } from '../test/write-report.ts';

/** Writes the report of a command that proved something with Debian's programs, prints its counts, and sets the exit code. */
export function finishProofs(report: string, script: string, proofs: readonly Proof[]): void {
  writeReport(report, script, proofs);
  const hasSucceeded = proofs.every(({ isPassed }) => isPassed);
  finish([readCounts(report, hasSucceeded)]);
}
