/**
 * `npm run test:cluster`: our programs on a PostgreSQL cluster that loses one part after the other, under load (bench/cluster). `-- --fault
 * NAME --times N` causes single faults; `-- --resume FILE` stores each result in the file, and continues from there; `-- --watch` causes
 * none of them, but lets Prometheus watch a primary die. Only a run of all faults replaces the stored report of the rows that were proven.
 * It runs as root on Debian; elsewhere it reports what is missing, and passes.
 */
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { canProve, readFlags } from '../bench/cluster/flags.ts';
import { readHost, whatIsMissing } from '../bench/cluster/requirements.ts';
import { beginRun } from './spec/runs.ts';
import { root } from './start/paths.ts';
import { readCounts } from './test/counts.ts';
import { finish } from './test/run-tests.ts';

const words = process.argv.slice(2);
const missing = whatIsMissing(readHost());
if (missing === undefined) {
  const report = canProve(readFlags(words)) ? beginRun('test:cluster', words)('vitest') : undefined;
  const program = join(root, 'bench/cluster/run.ts');
  const stored = report === undefined ? [] : ['--report', report];
  const { status } = spawnSync(process.execPath, [program, ...stored, ...words], {
    stdio: 'inherit',
  });
  if (report === undefined) process.exitCode = status ?? 1;
  else finish([readCounts(report, status === 0)]);
} else {
  console.log(`test:cluster: 0 run: ${missing}`);
}
