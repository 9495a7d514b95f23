/** Reads what people hand in as a picture, believing nothing, and makes from it what is shown. */
import { PICTURE_WIDTHS, type PictureFormat } from '@athos/contract/pictures';
import { AppError } from '../../../platform/errors.ts';

/** A photograph of today's phones has some 8 MB. */
const BYTE_COUNT_MAX = 12 * 1024 * 1024;
/** Some 200 MB of memory while it is read: a file of 1 MB may claim to hold a thousand times that. */
const PIXEL_COUNT_MAX = 50_000_000;
const DECODE_WITHIN_SECONDS = 10;
/** Measured at 1280 px: 0.35 s; effort 4, the default, takes 1.6 s for 1.6 % fewer bytes, on a CPU that others need too. */
const AVIF = { quality: 55, effort: 2 } as const;
const WEBP = { quality: 82, effort: 4 } as const;

/** Of the picture as it is looked at: turned as its camera was held. */
export interface PictureSize {
  readonly width: number;
  readonly height: number;
}

const refuse = (cause?: unknown): AppError =>
  new AppError('invalid_request', {
    detail: 'Send a whole picture: JPEG, PNG, WebP or AVIF, up to 12 MB and 50 megapixels.',
    cause,
  });

/**
 * Loaded with the first picture: it takes a tenth of a second, which no start of the API should. Of the dozens of formats
 * that it reads, some run scripts or open other files: four are let through.
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
  // One thread and no memory of earlier pictures: requests and jobs beside it go on.
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

/** Throws `invalid_request` for anything that is not a picture of a size that can be shown. Decodes none of it yet. */
export async function measurePicture(bytes: Buffer): Promise<PictureSize> {
  if (bytes.length === 0 || bytes.length > BYTE_COUNT_MAX) throw refuse();
  try {
    const { autoOrient } = await (await openPicture(bytes)).metadata();
    return { width: autoOrient.width, height: autoOrient.height };
  } catch (error) {
    throw refuse(error);
  }
}

/**
 * The picture in each width, one after another; never made wider than it is. What a camera wrote beside it, such as the
 * place, is left out. Throws `invalid_request` where it cannot be decoded to its end.
 */
export async function encodePicture(
  bytes: Buffer,
  format: PictureFormat,
): Promise<ReadonlyMap<number, Buffer>> {
  const files = new Map<number, Buffer>();
  try {
    for (const width of PICTURE_WIDTHS) {
      const sized = (await openPicture(bytes))
        .autoOrient()
        .resize({ width, withoutEnlargement: true });
      files.set(width, await (format === 'avif' ? sized.avif(AVIF) : sized.webp(WEBP)).toBuffer());
    }
  } catch (error) {
    throw refuse(error);
  }
  return files;
}
