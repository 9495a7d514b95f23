import { athHundredths, microAth, priceOfItems } from '@athos/domain/money';
import { invariant } from '../../../platform/errors.ts';
import { refusalError } from '../../transfers/index.ts';
import { lineTransfers, PURCHASE_WORDS } from './books.ts';
import type { Bought, BuyDeps } from './buy.ts';
import type { Cart, CartLine } from './cart-check.ts';
import { selectItemsOfPurchase, type PurchaseItemRow } from './purchase.sql.ts';

/** Whether this line bought these items: same offer and count, and same price if the cart states it. */
const isLineOf = (items: readonly PurchaseItemRow[], line: CartLine): boolean =>
  items.length === line.itemCount &&
  items.every(
    (item) =>
      item.offer_id === line.offerId &&
      (line.seenPrice === undefined || line.seenPrice === item.price_ath_hundredths),
  );

/**
 * Repeats the first response of a key: the items as they were then, and the balance after the purchase. Throws `idempotency_key_reused`
 * if the cart differs. Like every replay, it writes (docs/ledger.md, "Idempotency").
 */
export async function replayPurchase(
  { db, ledger }: BuyDeps,
  cart: Cart,
  purchaseId: bigint,
): Promise<Bought> {
  return db.transaction().execute(async (tx) => {
    const items = await selectItemsOfPurchase(tx, purchaseId);
    const lines = [...Map.groupBy(items, ({ line }) => line).values()];
    const isSame =
      lines.length === cart.lines.length &&
      cart.lines.every((line, index) => isLineOf(lines[index] ?? [], line));
    if (!isSame) throw refusalError('key_reused', PURCHASE_WORDS);
    const sold = lines.map((own) => ({
      total: priceOfItems(athHundredths(own[0]?.price_ath_hundredths ?? 0), own.length),
      merchantId: own[0]?.merchant_id ?? null,
    }));
    const outcome = await ledger.transferInTx(tx, lineTransfers(cart, sold));
    invariant(outcome.outcome === 'replayed', 'an existing purchase has been paid');
    return {
      purchaseId,
      items: items.map((item) => ({
        ...item,
        active: true,
        redeemed_at: null,
        redeemed_venue: null,
      })),
      balance: microAth(outcome.transfers.at(-1)?.debitAfterUnits ?? 0n),
    };
  });
}
