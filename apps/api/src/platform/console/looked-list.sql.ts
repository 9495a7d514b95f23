/**
 * Pages of lists that have no index of their own, newest first. A call reads a bounded number of rows, so a page may be short although
 * more rows follow; it then says how far it looked.
 */
import { sql, type RawBuilder } from 'kysely';
import { LIST_COUNT_MAX, type ListCount } from '@athos/contract/console/lists';
import type { Db, Tx } from '../database/database.ts';

/** The maximum number of rows that one call reads, which takes about 3 ms. */
const LOOKED_MAX = 5_000;

export interface LookedList {
  /** Selects the rows before `beforeId`, with at least `id` and `at`. An index provides them in the order of `order`. */
  readonly looked: (beforeId: bigint | undefined) => RawBuilder<unknown>;
  readonly order: 'id desc' | 'at desc, id desc';
  /** The condition on such a row that no index supports. */
  readonly isListed: RawBuilder<unknown>;
  /** The columns to select from a row `found`. */
  readonly columns: RawBuilder<unknown>;
  /** The joins with `found` that those columns need. */
  readonly tables: RawBuilder<unknown>;
}

export interface LookedPage<Row> {
  /** At most `limit` rows. */
  readonly rows: readonly Row[];
  /** The id from which the next page continues; `undefined` at the end. */
  readonly nextBeforeId: bigint | undefined;
  /** The time of the last row read, if the page is short because of the bound. */
  readonly lookedUntil: Date | undefined;
}

/** The last of the `LOOKED_MAX` rows that a call reads; `undefined` if there are fewer. */
async function selectLastLookedAt(
  db: Db,
  { looked, order }: LookedList,
  beforeId: bigint | undefined,
): Promise<{ readonly id: bigint; readonly at: Date } | undefined> {
  const { rows } = await sql<{ id: bigint; at: Date }>`
    select id, at from (${looked(beforeId)}) looked
     order by ${sql.raw(order)} limit 1 offset ${LOOKED_MAX - 1}`.execute(db);
  return rows[0];
}

/** Reads `LOOKED_MAX` rows at most, and no more than the page needs. */
export async function readLooked<Row extends { readonly id: bigint }>(
  db: Db,
  list: LookedList,
  { limit, beforeId }: { readonly limit: number; readonly beforeId: bigint | undefined },
): Promise<LookedPage<Row>> {
  const order = sql.raw(list.order);
  const { rows } = await sql<Row>`
    with found as materialized (
      select * from (${list.looked(beforeId)} order by ${order} limit ${LOOKED_MAX}) looked
       where ${list.isListed} order by ${order} limit ${limit + 1}
    )
    select ${list.columns} from found ${list.tables}
     order by ${sql.raw(list.order.replace(/\b(at|id)\b/g, 'found.$1'))}`.execute(db);
  if (rows.length > limit) {
    return {
      rows: rows.slice(0, limit),
      nextBeforeId: rows[limit - 1]?.id,
      lookedUntil: undefined,
    };
  }
  const last = await selectLastLookedAt(db, list, beforeId);
  return { rows, nextBeforeId: last?.id, lookedUntil: last?.at };
}

/** How many of the newest `LOOKED_MAX` rows are listed. */
export async function countLooked(
  db: Db | Tx,
  { looked, order, isListed }: Pick<LookedList, 'looked' | 'order' | 'isListed'>,
): Promise<ListCount> {
  const { rows } = await sql<{ count: number; isAtLeast: boolean }>`
    select count(*) filter (where ${isListed})::int as count, count(*) = ${LOOKED_MAX}::int as "isAtLeast"
      from (${looked(undefined)} order by ${sql.raw(order)} limit ${LOOKED_MAX}) looked`.execute(
    db,
  );
  const { count, isAtLeast } = rows[0] ?? { count: 0, isAtLeast: false };
  return {
    value: Math.min(count, LIST_COUNT_MAX),
    is_at_least: isAtLeast || count > LIST_COUNT_MAX,
  };
}
