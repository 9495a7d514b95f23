/** Deletes old rows of card payments (docs/operating.md, "What ends when"). */
import { sql } from 'kysely';
import type { Db } from '../../platform/database/database.ts';
import { deleteInBatches } from '../../platform/database/delete-in-batches.ts';

const DAY_MS = 24 * 60 * 60_000;
/** A request is repeated within seconds, and an order can be paid for 15 min. After a week no honest client repeats one. */
const QUOTES_KEPT_MS = 7 * DAY_MS;
/** The pause needs the last two hours. The rest is stored for investigations of card testing, since disputes may come a year later. */
const DECLINES_KEPT_MS = 400 * DAY_MS;
/** Longer than the 30 days for which the provider lists events, so a deleted event never arrives again. */
const EVENTS_KEPT_MS = 90 * DAY_MS;
/** An event whose job failed permanently waits for a person, as long as its payment can be disputed. */
const FAILED_EVENTS_KEPT_MS = 180 * DAY_MS;
/** No card was tried, so nothing can be disputed or refunded. The provider lists events of such an order for 30 days. */
const UNTRIED_ORDERS_KEPT_MS = 60 * DAY_MS;

export async function pruneCards(db: Db, nowMs: number): Promise<void> {
  const ago = (ms: number): Date => new Date(nowMs - ms);
  await deleteInBatches(
    db,
    'card_events',
    sql`created_at <= ${ago(EVENTS_KEPT_MS)}
      and (processed_at is not null or created_at <= ${ago(FAILED_EVENTS_KEPT_MS)})`,
  );
  await deleteInBatches(db, 'card_quotes', sql`created_at <= ${ago(QUOTES_KEPT_MS)}`);
  await deleteInBatches(db, 'card_declines', sql`declined_at <= ${ago(DECLINES_KEPT_MS)}`);
  await deleteInBatches(
    db,
    'card_orders',
    sql`state = 'canceled' and history_id is null and not was_attempted
      and created_at <= ${ago(UNTRIED_ORDERS_KEPT_MS)}
      and not exists (select from card_quotes where order_id = card_orders.id)
      and not exists (select from card_declines where order_id = card_orders.id)`,
  );
}
