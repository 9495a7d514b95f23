/**
 * Cursors of the console's lists. A cursor holds the position where the next page begins and the count of the first page. Its
 * signature covers the list, its filters and its sort, so it is refused anywhere else.
 */
import { timingSafeEqual } from 'node:crypto';
import { z } from 'zod';
import type { ListCount } from '@athos/contract/console/lists';
import { AppError } from '../errors.ts';
import { hashesOf } from '../keys/hashing-keys.ts';

/** The sort values of the last row, as text. The last value is unique. */
export type ListPosition = readonly string[];

interface ListQuery {
  readonly limit: number;
  readonly cursor?: string | undefined;
  readonly sort?: string | undefined;
}

export interface ListPage {
  readonly limit: number;
  /** Where the previous page ended; `undefined` for the first page. */
  readonly after: ListPosition | undefined;
  /** The count of the first page. */
  readonly count: ListCount | undefined;
}

interface ListAnswer<Item> {
  readonly items: Item[];
  readonly next_cursor: string | null;
  readonly count: ListCount;
}

export interface ListCursors {
  /** Throws `invalid_cursor` if the cursor belongs to another list, other filters or another sort. */
  readPage(list: string, query: ListQuery): ListPage;
  /**
   * The answer for one page. `rows` has one row more than `limit` if there is a next page, and `positionOf` gives the position of
   * the last row shown. A list that scans a bounded number of rows passes `next` instead, because a short page need not be the last.
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

/** The text that the signature covers. The page length is left out, so it may change from page to page. */
function nameOf(list: string, { limit: _limit, cursor: _cursor, ...filters }: ListQuery): string {
  const given = Object.entries(filters).filter(([, value]) => value !== undefined);
  return JSON.stringify([list, ...given.toSorted(([a], [b]) => (a < b ? -1 : 1))]);
}

export function createListCursors(hashingKeys: readonly string[]): ListCursors {
  /** The signatures under every key, the first key's first. */
  const macsOf = (name: string, text: string): Buffer[] =>
    hashesOf(hashingKeys, `list cursor\n${name}\n${text}`).map((hash) =>
      hash.subarray(0, MAC_BYTES),
    );

  return {
    readPage(list, query) {
      const { limit, cursor } = query;
      if (cursor === undefined) return { limit, after: undefined, count: undefined };
      const [text = '', mac = ''] = cursor.split('.');
      const given = Buffer.from(mac, 'base64url');
      const isOurs = macsOf(nameOf(list, query), text).some(
        (expected) => given.length === expected.length && timingSafeEqual(given, expected),
      );
      if (!isOurs) {
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
        const [mac] = macsOf(nameOf(list, query), text);
        next = `${text}.${mac?.toString('base64url') ?? ''}`;
      }
      return { items: shown.map(present), next_cursor: next, count };
    },
  };
}
