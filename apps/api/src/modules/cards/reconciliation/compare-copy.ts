/** The differences between a restored copy of the database and the provider. It only reads, so it is safe on any copy. */
import type { Db } from '../../../platform/database/database.ts';
import type { CardProvider } from '../provider/card-provider.ts';
import { environmentName } from '../orders/order-metadata.ts';
import { selectCreditedBesides, selectCreditedByIntents } from './compare-books.sql.ts';

interface CopyComparison {
  /** Payments at the provider without a credit here: a start with this copy credits them (`restoreOrder`). */
  readonly paidIntentIds: readonly string[];
  /** Credits here without a payment that the provider lists. */
  readonly creditedOrderIds: readonly string[];
}

/** More differences than anybody reads. */
const LISTED_MAX = 1_000;

export async function comparePaymentsOfCopy(
  db: Db,
  cardProvider: Pick<CardProvider, 'listIntents'>,
  { from, to, isProduction }: { from: Date; to: Date; isProduction: boolean },
): Promise<CopyComparison> {
  const env = environmentName({ isProduction });
  const listed = new Set<string>();
  const paid: string[] = [];
  for await (const { intentId, status, metadata } of cardProvider.listIntents({ from, to })) {
    listed.add(intentId);
    if (status === 'succeeded' && metadata['env'] === env) paid.push(intentId);
  }
  const credited = new Set<string | null>();
  for (let at = 0; at < paid.length; at += LISTED_MAX) {
    const orders = await selectCreditedByIntents(db, paid.slice(at, at + LISTED_MAX));
    for (const { intent_id } of orders) credited.add(intent_id);
  }
  const besides = await selectCreditedBesides(db, {
    from,
    to,
    intentIds: [...listed],
    limit: LISTED_MAX,
  });
  return {
    paidIntentIds: paid.filter((intentId) => !credited.has(intentId)).slice(0, LISTED_MAX),
    creditedOrderIds: besides.map(({ id }) => id),
  };
}
