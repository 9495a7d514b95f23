/** Decodes untrusted uploaded pictures and encodes them in the sizes and formats that the apps show. */
import { PICTURE_BYTES_MAX } from '@athos/contract/console/picture-files';
import { PICTURE_WIDTHS, type PictureFormat } from '@athos/contract/pictures';
import { AppError } from '../../../platform/errors.ts';

/** Decoding this many pixels takes about 200 MB of memory. A file of 1 MB may expand to a thousand times its size. */
const PIXEL_COUNT_MAX = 50_000_000;
const DECODE_WITHIN_SECONDS = 10;
/** Encoding takes 0.35 s at 1280 px; effort 4, the default, takes 1.6 s and saves 1.6 % of the bytes (measured). */
const AVIF = { quality: 55, effort: 2 } as const;
const WEBP = { quality: 82, effort: 4 } as const;

/** The size after the rotation recorded by the camera. */
export interface PictureSize {
  readonly width: number;
  readonly height: number;
}

const refuse = (cause?: unknown): AppError =>
  new AppError('invalid_request', {
    detail: 'Send one whole picture: JPEG, PNG, WebP or AVIF, up to 12 MB and 50 megapixels.',
    cause,
  });

/**
 * Loads sharp with the first picture, since loading takes 100 ms that the start of the API should not pay. Of the dozens of
 * formats that sharp can read, some run scripts or open other files, so all but four are blocked.
 */
async function loadSharp() {
  const { default: sharp } = await import('sharp');
  sharp.block({ operation: ['VipsForeignLoad'] });
  sharp.unblock({
    operation: [
      'VipsForeignLoadJpeg',
      'VipsForeignLoadPng',
      'VipsForeignLoadWebp',
      'VipsForeignLoadHeif',
    ],
  });
  // One thread and no cache, which leaves processor and memory to requests and other jobs.
  sharp.concurrency(1);
  sharp.cache(false);
  return sharp;
}

let loading: ReturnType<typeof loadSharp> | undefined;
const openPicture = async (bytes: Buffer) => {
  const sharp = await (loading ??= loadSharp());
  return sharp(bytes, { limitInputPixels: PIXEL_COUNT_MAX, failOn: 'truncated' }).timeout({
    seconds: DECODE_WITHIN_SECONDS,
  });
};

/**
 * Reads the size from the header. Throws `invalid_request` unless this is a picture of an accepted format and size, and a single one:
 * only the first frame of an animation or a sequence would be kept.
 */
export async function measurePicture(bytes: Buffer): Promise<PictureSize> {
  if (bytes.length === 0 || bytes.length > PICTURE_BYTES_MAX) throw refuse();
  try {
    const { autoOrient, pages = 1 } = await (await openPicture(bytes)).metadata();
    if (pages > 1) throw refuse();
    return { width: autoOrient.width, height: autoOrient.height };
  } catch (error) {
    throw error instanceof AppError ? error : refuse(error);
  }
}

/**
 * Encodes the picture in each width, one after another, without enlarging it. Decodes it once, since that takes most of the time.
 * Drops the camera's metadata, such as the place. Throws `invalid_request` if the picture cannot be decoded completely.
 */
export async function encodePicture(
  bytes: Buffer,
  format: PictureFormat,
): Promise<ReadonlyMap<number, Buffer>> {
  const files = new Map<number, Buffer>();
  try {
    const decoded = await (
      await openPicture(bytes)
    )
      .autoOrient()
      .resize({ width: Math.max(...PICTURE_WIDTHS), withoutEnlargement: true })
      .png({ compressionLevel: 0 })
      .toBuffer();
    for (const width of PICTURE_WIDTHS) {
      const sized = (await openPicture(decoded)).resize({ width, withoutEnlargement: true });
      files.set(width, await (format === 'avif' ? sized.avif(AVIF) : sized.webp(WEBP)).toBuffer());
    }
  } catch (error) {
    throw refuse(error);
  }
  return files;
}
