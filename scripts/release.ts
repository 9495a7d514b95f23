/**
 * `npm run release`: writes the release of the current commit to `release/athos-wallet-VERSION`, and as an archive beside it: the commit's
 * sources, the built apps and programs, `release.json`, and the bill of materials `bom.cdx.json`. Image and units run it after `npm ci
 * --omit=dev --workspace apps/api`.
 */
import { makeRelease, ReleaseError } from './release/make-release.ts';
import { StartError } from './start/start-error.ts';

try {
  console.log(await makeRelease());
} catch (error) {
  const isPlain = error instanceof ReleaseError || error instanceof StartError;
  console.error(isPlain ? error.message : error);
  process.exitCode = 1;
}
