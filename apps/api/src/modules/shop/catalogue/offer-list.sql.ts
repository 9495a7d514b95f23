/** The list of offers. Their states depend on the time, so they are computed by the function that the screens use too. */
import { sql } from 'kysely';
import type { OfferState } from '@athos/domain/offer-availability';
import type { Db, Tx } from '../../../platform/database/database.ts';
import { isStockLow, stateOf } from './read-offer.ts';

interface OfferFilters {
  readonly sort: 'newest' | 'title';
  readonly state?: OfferState | undefined;
  readonly category_id?: number | undefined;
  readonly merchant_id?: number | undefined;
  readonly stock?: 'low' | undefined;
  readonly draft?: 'open' | undefined;
  readonly q?: string | undefined;
}

/** A catalogue has thousands of offers at most, so the few columns needed are read at once. */
const OFFERS_READ_MAX = 10_000;

/** The columns needed to filter and sort the list. */
const offerFacts = (
  db: Db | Tx,
  { category_id: categoryId, merchant_id: merchantId, q, sort, draft }: OfferFilters,
) =>
  db
    .selectFrom('offers')
    .select([
      'id',
      'title',
      'is_draft',
      'active',
      'stock_left',
      'stock_alert_max',
      'sale_starts_at',
      'sale_ends_at',
    ])
    .$if(categoryId !== undefined, (list) => list.where('category_id', '=', categoryId ?? 0))
    .$if(merchantId !== undefined, (list) => list.where('merchant_id', '=', merchantId ?? 0))
    .$if(q !== undefined, (list) =>
      list.where(sql<boolean>`position(lower(${q}) in lower(title)) > 0`),
    )
    .$if(draft === 'open', (list) =>
      list.where((where) =>
        where.or([
          where('is_draft', '=', true),
          where.exists(
            where
              .selectFrom('offer_drafts')
              .select('offer_drafts.offer_id')
              .whereRef('offer_drafts.offer_id', '=', 'offers.id'),
          ),
        ]),
      ),
    )
    .$if(sort === 'title', (list) => list.orderBy(sql`lower(title) collate "C"`))
    .orderBy('id', 'desc')
    .limit(OFFERS_READ_MAX)
    .execute();

/** The ids of the offers that match the filters, in the order of the list. */
export async function listedIds(
  db: Db | Tx,
  filters: OfferFilters,
  nowMs: number,
): Promise<readonly number[]> {
  const offers = await offerFacts(db, filters);
  return offers
    .filter((offer) => filters.state === undefined || stateOf(offer, nowMs) === filters.state)
    .filter((offer) => filters.stock === undefined || isStockLow(offer))
    .map(({ id }) => id);
}
