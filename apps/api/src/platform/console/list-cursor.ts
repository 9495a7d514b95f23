/**
 * Cursors of the console's lists. A cursor says where the next page begins and what the first page counted. It is signed over
 * the list, its filters and its sort, so it opens no page of any other.
 */
import { createHmac, timingSafeEqual } from 'node:crypto';
import { z } from 'zod';
import type { ListCount } from '@athos/contract/console/lists';
import { AppError } from '../errors.ts';

/** The values of the last row that the sort goes by, as text. The last of them is unique. */
export type ListPosition = readonly string[];

interface ListQuery {
  readonly limit: number;
  readonly cursor?: string | undefined;
  readonly sort?: string | undefined;
}

export interface ListPage {
  readonly limit: number;
  /** Where the page before ended; `undefined` for the first page. */
  readonly after: ListPosition | undefined;
  /** What the first page counted. */
  readonly count: ListCount | undefined;
}

interface ListAnswer<Item> {
  readonly items: Item[];
  readonly next_cursor: string | null;
  readonly count: ListCount;
}

export interface ListCursors {
  /** Throws `invalid_cursor` for one that was made for another list, other filters or another sort. */
  readPage(list: string, query: ListQuery): ListPage;
  /**
   * The page's answer. `rows` has one more than `limit` if there is a next page; `positionOf` is asked about the last row shown. A
   * list that looks at a bounded number of rows says itself where the `next` page begins, even if this one is short.
   */
  answer<Row, Item>(
    list: string,
    query: ListQuery,
    page: {
      readonly rows: readonly Row[];
      readonly count: ListCount;
      readonly present: (row: Row) => Item;
    } & (
      | { readonly positionOf: (row: Row) => ListPosition }
      | { readonly next: ListPosition | undefined }
    ),
  ): ListAnswer<Item>;
}

const MAC_BYTES = 16;
const content = z.tuple([
  z.array(z.string()).min(1),
  z.object({ value: z.int(), is_at_least: z.boolean(), estimate: z.int().optional() }),
]);

/** A longer page under the same filters is the same list. */
function nameOf(list: string, { limit: _limit, cursor: _cursor, ...filters }: ListQuery): string {
  const given = Object.entries(filters).filter(([, value]) => value !== undefined);
  return JSON.stringify([list, ...given.toSorted(([a], [b]) => (a < b ? -1 : 1))]);
}

export function createListCursors(hashingKey: string): ListCursors {
  const macOf = (name: string, text: string): Buffer =>
    createHmac('sha256', hashingKey)
      .update(`list cursor\n${name}\n${text}`)
      .digest()
      .subarray(0, MAC_BYTES);

  return {
    readPage(list, query) {
      const { limit, cursor } = query;
      if (cursor === undefined) return { limit, after: undefined, count: undefined };
      const [text = '', mac = ''] = cursor.split('.');
      const expected = macOf(nameOf(list, query), text);
      const given = Buffer.from(mac, 'base64url');
      if (given.length !== expected.length || !timingSafeEqual(given, expected)) {
        throw new AppError('invalid_cursor', { detail: 'Begin again with the first page.' });
      }
      const [after, count] = content.parse(JSON.parse(Buffer.from(text, 'base64url').toString()));
      return { limit, after, count };
    },

    answer(list, query, page) {
      const { rows, count, present } = page;
      const shown = rows.slice(0, query.limit);
      const last = rows.length > query.limit ? shown.at(-1) : undefined;
      const position = 'next' in page ? page.next : last && page.positionOf(last);
      let next: string | null = null;
      if (position !== undefined) {
        const text = Buffer.from(JSON.stringify([position, count])).toString('base64url');
        next = `${text}.${macOf(nameOf(list, query), text).toString('base64url')}`;
      }
      return { items: shown.map(present), next_cursor: next, count };
    },
  };
}
