import type { Db } from '../../platform/database/database.ts';
import type { TasksByLane } from '../../platform/jobs/lanes.ts';
import { selectSendsAfter } from '../../ledger/index.ts';
import { addSends, lockPlace, updatePlace } from './held/send-pairs.sql.ts';

/** About 0.1 s of reading, within the limit of a statement on a slow disk. */
const ROWS_PER_STEP = 50_000;
/** Ten million transfers a run. The next run goes on. */
const STEPS_MAX = 200;

/** Every ten minutes, but not with those that begin on the hour. */
export const transfersCrontab = `
4,14,24,34,44,54 * * * * send_pairs ?jobKey=send_pairs&max=3
`;

/** Adds the sends that arrived at once since the last run. Their own path writes no pair, so that it costs what it did. */
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
