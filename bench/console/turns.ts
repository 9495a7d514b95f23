/** Makes every measured request once per turn, in a different order each time. */
import { pick } from '../requests.ts';
import { shuffled } from '../samples.ts';
import type { Examples } from './examples.sql.ts';
import { MEASURED_READS } from './reads.ts';

/** Appended to the name of a list for its second page. */
const NEXT_PAGE = ', next page';

/** Sends one request with the cookie of a member of staff, and returns the body of the response. */
export type Read = (name: string, path: string, cookie: string) => Promise<string>;

/** Also requests the second page of every list that has one. */
export async function takeTurn(
  examples: Examples,
  cookies: readonly string[],
  read: Read,
): Promise<void> {
  for (const { name, makePath } of shuffled(MEASURED_READS)) {
    const path = makePath(examples);
    const cookie = pick(cookies);
    const body = await read(name, path, cookie);
    const { next_cursor: cursor } = JSON.parse(body) as { next_cursor?: string | null };
    if (typeof cursor !== 'string') continue;
    const mark = path.includes('?') ? '&' : '?';
    await read(name + NEXT_PAGE, `${path}${mark}cursor=${cursor}`, cookie);
  }
}
