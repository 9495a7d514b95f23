/** Balances of accounts that have not moved for half a year: some of them will never be spent. Counted every night, as of that hour. */
import { selectAccountIdMax, sumDormant } from '../../ledger/index.ts';
import { dateOf } from '../../platform/clock.ts';
import type { RollDeps } from './roll.ts';
import { zoneOf } from './roll.ts';
import { refreshDays, replaceHours, selectHourOf } from './stats.sql.ts';

export const DORMANT_METRIC = 'dormant';
export const DORMANT_AFTER_DAYS = 180;
const DAY_MS = 24 * 60 * 60_000;
/** The number of accounts that one statement reads, which takes about 100 ms. */
const ACCOUNT_IDS_PER_STEP = 400_000n;

export async function countDormant(deps: RollDeps): Promise<void> {
  const { db, clock } = deps;
  const timeZone = zoneOf(deps);
  const now = dateOf(clock);
  const before = new Date(now.getTime() - DORMANT_AFTER_DAYS * DAY_MS);
  const maxId = await selectAccountIdMax(db);
  let count = 0n;
  let units = 0n;
  for (let fromId = 1n; fromId <= maxId; fromId += ACCOUNT_IDS_PER_STEP) {
    const toId = fromId + ACCOUNT_IDS_PER_STEP - 1n;
    const part = await sumDormant(db, { asset: 'ATH', lastMovedBefore: before, fromId, toId });
    count += part.count;
    units += part.units;
  }
  const bucket = await selectHourOf(db, now, timeZone);
  const range = { from: bucket, to: new Date(bucket.getTime() + 1) };
  await db.transaction().execute(async (tx) => {
    const row = { metric: DORMANT_METRIC, dimension: '', bucket, count, units };
    await replaceHours(tx, [DORMANT_METRIC], range, [row]);
    await refreshDays(tx, [DORMANT_METRIC], { ...range, timeZone, isGauge: true });
  });
}
