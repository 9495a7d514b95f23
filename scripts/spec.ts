/**
 * `npm run spec`: reports, row by row, what the last runs of the test commands proved of the specification. Exits
 * with 1 unless every row of a due section is proven, exempt (`later`, `rule`) or listed as untestable. Runs no tests
 * itself; see `docs/spec/README.md`.
 */
import { describeProof } from './spec/describe.ts';
import { isComplete, proveSpec } from './spec/prove.ts';
import { readSpecLists } from './spec/rows.ts';
import { readRuns } from './spec/runs.ts';

const { results, notes } = readRuns();
if (results.length === 0) {
  console.log('There are no results yet: run npm test first.');
  process.exitCode = 1;
} else {
  const proof = proveSpec(readSpecLists(), results);
  for (const line of [...notes, '', ...describeProof(proof)]) console.log(line);
  process.exitCode = isComplete(proof) ? 0 : 1;
}
