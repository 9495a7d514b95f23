import { sql, type RawBuilder } from 'kysely';

/** The price of the row of `offers` at a moment, in hundredths of an ATH: that of its price window, or its own. */
export const priceInForce = (at: Date): RawBuilder<number> => sql<number>`coalesce(
  (select window_price.price_ath_hundredths from offer_prices window_price
    where window_price.offer_id = offers.id
      and window_price.starts_at <= ${at}::timestamptz and window_price.ends_at > ${at}::timestamptz),
  offers.price_ath_hundredths)`;
