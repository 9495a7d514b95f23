/**
 * `npm run test:cluster`: our programs on a PostgreSQL cluster that loses one part after the other, under load (bench/cluster). `-- --fault
 * NAME --times N` causes single faults; `-- --resume FILE` stores each result in the file, and continues from there; `-- --watch` causes
 * none of them, but lets Prometheus watch a primary die. It runs as root on Debian; elsewhere it reports what is missing, and passes.
 */
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { readHost, whatIsMissing } from '../bench/cluster/requirements.ts';
import { beginRun } from './spec/runs.ts';
import { root } from './start/paths.ts';
import { readCounts } from './test/counts.ts';
import { finish } from './test/run-tests.ts';

const words = process.argv.slice(2);
const missing = whatIsMissing(readHost());
if (missing === undefined) {
  const report = beginRun('test:cluster', words)('vitest');
  const program = join(root, 'bench/cluster/run.ts');
  const { status } = spawnSync(process.execPath, [program, '--report', report, ...words], {
    stdio: 'inherit',
  });
  finish([readCounts(report, status === 0)]);
} else {
  console.log(`test:cluster: 0 run: ${missing}`);
}
