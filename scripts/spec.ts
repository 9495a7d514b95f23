/**
 * `npm run spec`: what the last `npm test` proved of the specification, row by row. Ends with 1 unless every row is proven,
 * exempt (`later`, `rule`) or listed as untestable. It runs no test itself; see `docs/spec/README.md`.
 */
import { describeProof } from './spec/describe.ts';
import { readLastRun } from './spec/last-run.ts';
import { isComplete, proveSpec } from './spec/prove.ts';
import { readSpecLists } from './spec/rows.ts';

const lastRun = readLastRun();
if (lastRun === undefined) {
  console.log('There are no results of a last run: run npm test first.');
  process.exitCode = 1;
} else {
  const proof = proveSpec(readSpecLists(), lastRun.results);
  for (const line of [...lastRun.notes, '', ...describeProof(proof)]) console.log(line);
  process.exitCode = isComplete(proof) ? 0 : 1;
}
