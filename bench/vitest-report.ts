/** Results of commands that run without Vitest, in the format of Vitest's report, which `npm run spec` reads. */

/** What a command has shown. */
export interface Proof {
  readonly title: string;
  /** `undefined` if there were too few runs to tell. */
  readonly isProven: boolean | undefined;
}

/** The report of `file`, the module that made the proofs. */
export function reportOf(proofs: readonly Proof[], file: string): object {
  const assertionResults = proofs.map(({ title, isProven }) => ({
    ancestorTitles: [],
    title,
    status: isProven === undefined ? 'pending' : isProven ? 'passed' : 'failed',
  }));
  const count = (status: string): number =>
    assertionResults.filter((result) => result.status === status).length;
  return {
    numPassedTests: count('passed'),
    numFailedTests: count('failed'),
    numPendingTests: count('pending'),
    numTodoTests: 0,
    testResults: [{ name: file, assertionResults }],
  };
}
