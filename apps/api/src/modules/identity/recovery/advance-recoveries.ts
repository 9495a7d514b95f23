import { dateOf } from '../../../platform/clock.ts';
import { HOUR_MS } from '../../../platform/limits/attempt-counters.sql.ts';
import type { AuthDeps } from '../identity-deps.ts';
import { deleteOldMailedResets } from './mailed-resets.sql.ts';
import { deletePastLinks, selectToEnd, selectToRemind } from './recoveries.sql.ts';
import { AFTER_RESET_MS, endRecovery, remindOfRecovery } from './recovery.ts';
import { deletePastLimits } from './send-limits.sql.ts';

const REMINDED_AFTER_MS = 24 * HOUR_MS;

/**
 * Does the due work: reminds owners, removes second steps, and deletes expired links, limits and resets. The rest follows in the next
 * run.
 */
export async function advanceRecoveries(
  deps: Pick<AuthDeps, 'db' | 'clock' | 'sessions'>,
): Promise<void> {
  const { db, clock } = deps;
  const now = dateOf(clock);
  for (const userId of await selectToRemind(db, new Date(now.getTime() - REMINDED_AFTER_MS))) {
    await remindOfRecovery(deps, userId);
  }
  for (const userId of await selectToEnd(db, now)) await endRecovery(deps, userId);
  await deletePastLinks(db, now);
  await deletePastLimits(db, now);
  await deleteOldMailedResets(db, new Date(now.getTime() - AFTER_RESET_MS));
}
