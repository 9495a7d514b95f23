/**
 * `npm run bench`: runs the measurements (bench/run.ts), and stores the rows of the specification that they prove. `-- --quick` only looks,
 * and `-- --only PART` proves no row, except for `latency` and `telemetry`.
 */
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { beginRun } from './spec/runs.ts';
import { root } from './start/paths.ts';

const PROVING_PARTS = ['latency', 'telemetry'];

const words = process.argv.slice(2);
const isProving =
  !words.includes('--quick') &&
  (!words.includes('--only') || words.some((word) => PROVING_PARTS.includes(word)));
const report = isProving ? ['--report', beginRun('bench', words)('vitest')] : [];
const program = join(root, 'bench/run.ts');
const { status } = spawnSync(process.execPath, [program, ...report, ...words], {
  stdio: 'inherit',
});
process.exitCode = status ?? 1;
