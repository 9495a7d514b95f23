/** The demo's pictures, drawn in every width by `dev/demo/draw-art.ts` and stored without re-encoding. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { PICTURE_WIDTHS } from '@athos/contract/pictures';
import type { Deps } from '../deps.ts';
import { keepPicture, pictureIdOf } from '../modules/shop/index.ts';
import { dateOf } from '../platform/clock.ts';
import { invariant } from '../platform/errors.ts';

const PICTURES_DIR = join(import.meta.dirname, '../../../../dev/demo/pictures');
/** The original size of the drawings. */
const SIZE = { width: 1280, height: 800 } as const;
/** Keeps the processor free during the first start and the first minute of use. */
const OTHER_FORMATS_AFTER_MS = 60_000;
/** Limits the concurrent requests to a remote bucket. */
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
  invariant(original !== undefined, 'the widest file serves as the original');
  const othersFrom = new Date(dateOf(deps.clock).getTime() + OTHER_FORMATS_AFTER_MS);
  await keepPicture(deps, { ...SIZE, original, files }, othersFrom);
  return pictureIdOf(original);
}

/** Imports the pictures and returns their ids by slug. Stored pictures are kept, and missing files are restored. */
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
