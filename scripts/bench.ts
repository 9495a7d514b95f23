/**
 * `npm run bench`: measures (bench/run.ts), and stores which rows of the specification that proves. `-- --quick` only looks, and
 * `-- --only PART` for another part than `latency` and `telemetry` proves no row.
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
