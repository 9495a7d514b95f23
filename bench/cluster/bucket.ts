/** The bucket of pictures and anchors, on the machine of the external services (outside.ts), and what the test looks for in it. */
import { createDeps } from '../../apps/api/src/deps.ts';
import { readConfig } from '../../apps/api/src/config/config.ts';
import { openAnchorBucket } from '../../apps/api/src/modules/bookkeeping/index.ts';
import { keepPicture, pictureIdOf } from '../../apps/api/src/modules/shop/index.ts';
import { createLog } from '../../apps/api/src/platform/log/log.ts';
import { PICTURE_PREFIX, PICTURE_WIDTHS } from '@athos/contract/pictures';
import { BUCKET_PORT, OUTSIDE_ADDRESS } from './outside.ts';

/** Those that the server of the tests accepts (apps/api/test/s3-server.ts). */
const ACCESS = { region: 'eu-north-1', accessKeyId: 'key-id', secretAccessKey: 'secret' };
const ENDPOINT = `http://${OUTSIDE_ADDRESS}:${BUCKET_PORT}`;
const ANCHORS = { ...ACCESS, endpoint: ENDPOINT, bucket: 'anchors' };

const settingsOf = (start: 'MEDIA' | 'ANCHOR', bucket: string): Record<string, string> => ({
  [`${start}_S3_ENDPOINT`]: ENDPOINT,
  [`${start}_S3_BUCKET`]: bucket,
  [`${start}_S3_REGION`]: ACCESS.region,
  [`${start}_S3_ACCESS_KEY_ID`]: ACCESS.accessKeyId,
  [`${start}_S3_SECRET_ACCESS_KEY`]: ACCESS.secretAccessKey,
});
export const PICTURE_SETTINGS = settingsOf('MEDIA', 'pictures');
/** Only for workers: the API must not hold the key of the anchors. */
export const ANCHOR_SETTINGS = settingsOf('ANCHOR', ANCHORS.bucket);

/** As large as a picture of the catalogue. Nothing decodes it. */
const PICTURE = Buffer.alloc(60_000, 'picture');
const PICTURE_SIZE = { width: 1280, height: 800 };
export const PICTURE_PATH = `${PICTURE_PREFIX}/${pictureIdOf(PICTURE)}/640.webp`;
/** The job that would decode it begins after the run. */
const DAY_MS = 24 * 3_600_000;

/** Stores a picture of the catalogue, to be asked for at `PICTURE_PATH`. */
export async function storePicture(settings: Record<string, string>): Promise<void> {
  const deps = createDeps(readConfig(settings), createLog('warn'));
  try {
    const files = new Map(PICTURE_WIDTHS.map((width) => [width, PICTURE]));
    const picture = { ...PICTURE_SIZE, original: PICTURE, files };
    await keepPicture(deps, picture, new Date(Date.now() + DAY_MS));
  } finally {
    await deps.close();
  }
}

/** Whether the bucket holds an anchor of the ledger's head that was read after the time. */
export async function hasAnchorSince(from: Date): Promise<boolean> {
  const anchor = await openAnchorBucket(ANCHORS).findLast({ from, to: new Date() });
  // The anchor of the first minute may be older than `from`.
  return anchor !== undefined && new Date(anchor.at) > from;
}
