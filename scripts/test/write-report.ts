import { writeFileSync } from 'node:fs';

/** What a command has shown, and whether it holds. */
export interface Proof {
  readonly title: string;
  readonly isPassed: boolean;
}

/** Writes the results of a command that runs without Vitest in the format of Vitest's report, which `npm run spec` reads. */
export function writeReport(file: string, script: string, proofs: readonly Proof[]): void {
  const passedCount = proofs.filter(({ isPassed }) => isPassed).length;
  const assertionResults = proofs.map(({ title, isPassed }) => ({
    ancestorTitles: [],
    title,
    status: isPassed ? 'passed' : 'failed',
  }));
  const report = {
    numPassedTests: passedCount,
    numFailedTests: proofs.length - passedCount,
    numPendingTests: 0,
    numTodoTests: 0,
    testResults: [{ name: script, assertionResults }],
  };
  writeFileSync(file, JSON.stringify(report));
}
