import type { Db } from '../../platform/database/database.ts';
import type { TasksByLane } from '../../platform/jobs/lanes.ts';
import { selectSendsAfter } from '../../ledger/index.ts';
import { addSends, lockPlace, updatePlace } from './held/send-pairs.sql.ts';

/** Reading this many rows takes about 0.1 s, within the statement limit even on a slow disk. */
const ROWS_PER_STEP = 50_000;
/** Covers ten million transfers in one run. The next run continues. */
const STEPS_MAX = 200;

/** Every ten minutes, but not together with jobs that start on the hour. */
export const transfersCrontab = `
4,14,24,34,44,54 * * * * send_pairs ?jobKey=send_pairs&max=3
`;

/** Adds the sends since the last run that arrived at once. Such a send writes no pair itself, so that it costs no more than before. */
export async function addImmediateSends(db: Db): Promise<void> {
  for (let step = 0; step < STEPS_MAX; step += 1) {
    const isMore = await db.transaction().execute(async (tx) => {
      const afterId = await lockPlace(tx);
      const { pairs, lastId } = await selectSendsAfter(tx, { afterId, rowCountMax: ROWS_PER_STEP });
      if (lastId === undefined) return false;
      await addSends(tx, pairs);
      await updatePlace(tx, lastId);
      return true;
    });
    if (!isMore) return;
  }
}

export const createTransferTasks = ({ db }: { readonly db: Db }): TasksByLane => ({
  upkeep: { send_pairs: () => addImmediateSends(db) },
});
