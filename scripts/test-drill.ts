/**
 * `npm run test:drill`: the restore drill on a backup of pgBackRest, encrypted and made with deploy/database/pgbackrest.conf. It runs in a
 * file system of Debian testing, whose PostgreSQL 18 and pgBackRest are those of a database node. Elsewhere it reports what is missing,
 * and passes.
 */
import { spawnSync } from 'node:child_process';
import { dirname, join } from 'node:path';
import { ensureRootFileSystem } from '../bench/cluster/root-file-system.ts';
import { whatIsMissing } from './deploy/tools.ts';
import { NAMESPACES } from './image/build-image.ts';
import { beginRun } from './spec/runs.ts';
import { root } from './start/paths.ts';
import { readCounts } from './test/counts.ts';
import { finish } from './test/run-tests.ts';
import { writeReport } from './test/write-report.ts';

const TITLE = '[P-075] [P-077] a backup of pgBackRest is restored and proven by the nightly drill';
/** The backup made while a bucket is away waits for PostgreSQL's next try to archive. */
const RUN_LIMIT_MS = 8 * 60_000;

function isProven(): boolean {
  const system = ensureRootFileSystem({
    name: 'athos-drill',
    suite: 'testing',
    packages: ['postgresql-18', 'pgbackrest', 'libstdc++6'],
  });
  const node = dirname(process.execPath);
  const within = ['sh', join(import.meta.dirname, 'drill/within.sh'), system, root, node];
  const command = [process.execPath, 'bench/drill/prove-stanza.ts'];
  const { status } = spawnSync('unshare', [...NAMESPACES, ...within, ...command], {
    stdio: 'inherit',
    timeout: RUN_LIMIT_MS,
    env: { PATH: process.env['PATH'], LC_ALL: 'C.UTF-8' },
    killSignal: 'SIGKILL',
  });
  return status === 0;
}

const missing = whatIsMissing();
if (missing === undefined) {
  const report = beginRun('test:drill')('vitest');
  const isPassed = isProven();
  writeReport(report, 'scripts/test-drill.ts', [{ title: TITLE, isPassed }]);
  finish([readCounts(report, isPassed)]);
} else {
  console.log(`test:drill: 0 run: ${missing}`);
}
