/** The demo's pictures, which `dev/demo/draw-art.ts` has drawn in every width. They are stored as they are. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { PICTURE_WIDTHS } from '@athos/contract/pictures';
import type { Deps } from '../deps.ts';
import { keepPicture, pictureIdOf } from '../modules/shop/index.ts';
import { dateOf } from '../platform/clock.ts';
import { invariant } from '../platform/errors.ts';

const PICTURES_DIR = join(import.meta.dirname, '../../../../dev/demo/pictures');
/** The size that `dev/demo/draw-art.ts` draws. */
const SIZE = { width: 1280, height: 800 } as const;
/** Keeps the processor free for the first start and for the first minute of use. */
const OTHER_FORMATS_AFTER_MS = 60_000;
/** Limits the requests to a remote bucket. */
const AT_ONCE = 8;

async function importPicture(
  deps: Pick<Deps, 'db' | 'pictureStorage' | 'clock'>,
  slug: string,
): Promise<string> {
  const files = new Map<number, Buffer>();
  for (const width of PICTURE_WIDTHS) {
    files.set(width, await readFile(join(PICTURES_DIR, `${slug}-${width}.webp`)));
  }
  const original = files.get(SIZE.width);
  invariant(original !== undefined, 'the widest file stands for the original');
  const othersFrom = new Date(dateOf(deps.clock).getTime() + OTHER_FORMATS_AFTER_MS);
  await keepPicture(deps, { ...SIZE, original, files }, othersFrom);
  return pictureIdOf(original);
}

/** The ids of the pictures by slug. Pictures that are stored already are kept, and missing files are restored. */
export async function importPictures(
  deps: Pick<Deps, 'db' | 'pictureStorage' | 'clock'>,
  slugs: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const ids = new Map<string, string>();
  const waiting = [...slugs];
  const takeTurns = async (): Promise<void> => {
    for (let slug = waiting.pop(); slug !== undefined; slug = waiting.pop()) {
      ids.set(slug, await importPicture(deps, slug));
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, takeTurns));
  return ids;
}
