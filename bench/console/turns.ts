/** Asks for everything that is measured, once a turn and in another order each time. */
import { pick } from '../requests.ts';
import { shuffled } from '../samples.ts';
import type { Examples } from './examples.sql.ts';
import { MEASURED_READS } from './reads.ts';

/** What the name of a second page has behind that of the first. */
const NEXT_PAGE = ', next page';

/** Sends one request as the member of staff with this cookie, and returns the body of the answer. */
export type Read = (name: string, path: string, cookie: string) => Promise<string>;

/** Every list is also asked for its second page, if it has one. */
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
