/**
 * Counts how many customers hold how much, to show who would move if the tiers changed. Counted every night, because an index on balances
 * would slow each transfer down.
 */
import { countBalances, selectAccountIdMax } from '../../../ledger/index.ts';
import { dateOf, type Clock } from '../../../platform/clock.ts';
import type { Db } from '../../../platform/database/database.ts';
import { replaceHistogram } from './holders.sql.ts';

interface CountDeps {
  readonly db: Db;
  readonly clock: Clock;
}

/** The number of accounts that one statement reads, which takes about 100 ms. */
const ACCOUNT_IDS_PER_STEP = 400_000n;

export async function countHolders({ db, clock }: CountDeps): Promise<void> {
  const at = dateOf(clock);
  const maxId = await selectAccountIdMax(db);
  // The lowest step always exists, so that every customer counts as holding at least 0.
  const counts = new Map<bigint, bigint>([[0n, 0n]]);
  for (let fromId = 1n; fromId <= maxId; fromId += ACCOUNT_IDS_PER_STEP) {
    const toId = fromId + ACCOUNT_IDS_PER_STEP - 1n;
    for (const { fromUnits, count } of await countBalances(db, { asset: 'ATH', fromId, toId })) {
      counts.set(fromUnits, (counts.get(fromUnits) ?? 0n) + count);
    }
  }
  await db.transaction().execute((tx) => replaceHistogram(tx, counts, at));
}
