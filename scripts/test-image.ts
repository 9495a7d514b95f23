/**
 * `npm run test:image`: builds the image of the current commit without a daemon, and runs migration, API and worker from it as user 10001
 * on a read-only file system. It runs as root on Debian; elsewhere it reports what is missing, and passes.
 */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { finishProofs } from './deploy/finish-proofs.ts';
import { whatIsMissing } from './deploy/tools.ts';
import { buildImage } from './image/build-image.ts';
import { proveImage } from './image/prove-image.ts';
import type { Bill } from './release/bill.ts';
import { makeRelease } from './release/make-release.ts';
import { beginRun } from './spec/runs.ts';

/** @throws Error if the archive of the release has no bill of materials */
function proveBill(release: string): void {
  const words = ['-xzOf', `${release}.tar.gz`, `${basename(release)}/bom.cdx.json`];
  const bill = JSON.parse(
    execFileSync('tar', words, { encoding: 'utf8', maxBuffer: 1 << 26 }),
  ) as Bill;
  if (bill.components.length === 0) throw new Error('the bill of materials names no package');
}

const tell = (error: unknown): void => console.log(error instanceof Error ? error.message : error);

async function isProven(prove: () => Promise<void> | void): Promise<boolean> {
  try {
    await prove();
    return true;
  } catch (error) {
    tell(error);
    return false;
  }
}

async function proveImageOf(release: string): Promise<void> {
  const work = mkdtempSync(join(tmpdir(), 'athos-image-'));
  try {
    await proveImage(buildImage(release, work));
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}

const missing = whatIsMissing();
if (missing === undefined) {
  const report = beginRun('test:image')('vitest');
  const release = await makeRelease().catch(tell);
  const isShown = async (prove: (release: string) => Promise<void> | void): Promise<boolean> =>
    release !== undefined && (await isProven(() => prove(release)));
  finishProofs(report, 'scripts/test-image.ts', [
    {
      title: '[P-074] the archive of a release holds its bill of materials',
      isPassed: await isShown(proveBill),
    },
    {
      title: "[P-058] the image of user '10001' serves a send on a read-only root",
      isPassed: await isShown(proveImageOf),
    },
  ]);
} else {
  console.log(`test:image: 0 run: ${missing}`);
}
