/**
 * Counts who holds how much, for the question of who would move if the tiers changed. Counted every night: an index on balances would
 * slow each transfer down.
 */
import { countBalances, selectAccountIdMax } from '../../../ledger/index.ts';
import { dateOf, type Clock } from '../../../platform/clock.ts';
import type { Db } from '../../../platform/database/database.ts';
import { replaceHistogram } from './holders.sql.ts';

interface CountDeps {
  readonly db: Db;
  readonly clock: Clock;
}

/** Accounts that one statement reads: some 100 ms. */
const ACCOUNT_IDS_PER_STEP = 400_000n;

export async function countHolders({ db, clock }: CountDeps): Promise<void> {
  const at = dateOf(clock);
  const maxId = await selectAccountIdMax(db);
  // There is always a lowest step, so that 0 is held by everybody.
  const counts = new Map<bigint, bigint>([[0n, 0n]]);
  for (let fromId = 1n; fromId <= maxId; fromId += ACCOUNT_IDS_PER_STEP) {
    const toId = fromId + ACCOUNT_IDS_PER_STEP - 1n;
    for (const { fromUnits, count } of await countBalances(db, { asset: 'ATH', fromId, toId })) {
      counts.set(fromUnits, (counts.get(fromUnits) ?? 0n) + count);
    }
  }
  await db.transaction().execute((tx) => replaceHistogram(tx, counts, at));
}
