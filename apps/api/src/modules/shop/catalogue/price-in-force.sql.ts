import { sql, type RawBuilder } from 'kysely';

/**
 * The price of the row of `offers` at a time, in hundredths of an ATH: that of its price window, or its own. Windows do not overlap, so
 * only the last one that has begun can apply: one entry of the primary key, however many windows there were.
 */
export const priceInForce = (at: Date): RawBuilder<number> => sql<number>`coalesce(
  (select case when began.ends_at > ${at}::timestamptz then began.price_ath_hundredths end
     from offer_prices began
    where began.offer_id = offers.id and began.starts_at <= ${at}::timestamptz
    order by began.starts_at desc limit 1),
  offers.price_ath_hundredths)`;
