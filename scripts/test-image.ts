/**
 * `npm run test:image`: builds the image of the current commit without a daemon, and runs migration, API and worker from it as user 10001
 * on a read-only file system. It runs as root on Debian; elsewhere it reports what is missing, and passes.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { whatIsMissing } from './deploy/tools.ts';
import { buildImage } from './image/build-image.ts';
import { proveImage } from './image/prove-image.ts';
import { makeRelease } from './release/make-release.ts';
import { beginRun } from './spec/runs.ts';
import { readCounts } from './test/counts.ts';
import { finish } from './test/run-tests.ts';
import { writeReport } from './test/write-report.ts';

const TITLE = "[P-058] the image of user '10001' serves a send on a read-only root";

async function isProven(): Promise<boolean> {
  const work = mkdtempSync(join(tmpdir(), 'athos-image-'));
  try {
    await proveImage(buildImage(await makeRelease(), work));
    return true;
  } catch (error) {
    console.log(error instanceof Error ? error.message : error);
    return false;
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}

const missing = whatIsMissing();
if (missing === undefined) {
  const report = beginRun('test:image')('vitest');
  const isPassed = await isProven();
  writeReport(report, 'scripts/test-image.ts', [{ title: TITLE, isPassed }]);
  finish([readCounts(report, isPassed)]);
} else {
  console.log(`test:image: 0 run: ${missing}`);
}
