import { sql } from 'kysely';
import { rateText, type Rate } from '@athos/domain/money';
import type { Db, Tx } from '../../platform/database/database.ts';
import { deleteInBatches } from '../../platform/database/delete-in-batches.ts';
import { readStoredRate } from './rate.sql.ts';
import type { ScheduledState } from './tables.ts';

export interface ScheduledRate {
  readonly id: string;
  readonly usdPerAth: Rate;
  readonly inForceFrom: Date;
  /** Whether the rate was voted for, and so may break guard rails. */
  readonly isByVote: boolean;
}

export async function insertScheduledRate(
  tx: Tx,
  { id, usdPerAth, inForceFrom, isByVote }: ScheduledRate,
): Promise<void> {
  await tx
    .insertInto('rate_schedule')
    .values({
      id,
      usd_per_ath: rateText(usdPerAth),
      in_force_from: inForceFrom,
      is_by_vote: isByVote,
    })
    .execute();
}

/** The waiting rates, the next one first. */
export async function selectWaitingRates(db: Db | Tx): Promise<ScheduledRate[]> {
  const rows = await db
    .selectFrom('rate_schedule')
    .selectAll()
    .where('state', '=', 'waiting')
    .orderBy('in_force_from')
    .orderBy('id')
    .execute();
  return rows.map((row) => ({
    id: row.id,
    usdPerAth: readStoredRate(row.usd_per_ath),
    inForceFrom: row.in_force_from,
    isByVote: row.is_by_vote,
  }));
}

/** Ends a waiting rate. Returns whether it was waiting. */
export async function endScheduledRate(
  tx: Tx,
  id: string,
  { state, at }: { readonly state: Exclude<ScheduledState, 'waiting'>; readonly at: Date },
): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('rate_schedule')
    .set({ state, ended_at: at })
    .where('id', '=', id)
    .where('state', '=', 'waiting')
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

export const deleteOldSchedule = (db: Db, before: Date): Promise<void> =>
  deleteInBatches(
    db,
    'rate_schedule',
    sql`state <> 'waiting' and ended_at < ${before}::timestamptz`,
  );
