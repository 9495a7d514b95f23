/** Statements on disputes, debts and early fraud warnings. */
import { sql, type Insertable, type Selectable, type Updateable } from 'kysely';
import { notifyConsole } from '../../../platform/console/console-changes.ts';
import type { Db, Tables, Tx } from '../../../platform/database/database.ts';

export type DisputeRow = Selectable<Tables['card_disputes']>;
export type DebtRow = Selectable<Tables['card_debts']>;

/** Stores a dispute unless it is already stored, and locks it. The caller must hold the lock of its order. */
export async function insertAndLockDispute(
  tx: Tx,
  dispute: Insertable<Tables['card_disputes']>,
): Promise<{ dispute: DisputeRow; isNew: boolean }> {
  const { numInsertedOrUpdatedRows } = await tx
    .insertInto('card_disputes')
    .values(dispute)
    .onConflict((conflict) => conflict.column('provider_dispute_id').doNothing())
    .executeTakeFirst();
  const locked = await tx
    .selectFrom('card_disputes')
    .selectAll()
    .where('provider_dispute_id', '=', dispute.provider_dispute_id)
    .forUpdate()
    .executeTakeFirstOrThrow();
  const isNew = numInsertedOrUpdatedRows === 1n;
  if (isNew) await notifyConsole(tx, 'disputes');
  return { dispute: locked, isNew };
}

export const selectDispute = (db: Db | Tx, id: string): Promise<DisputeRow | undefined> =>
  db.selectFrom('card_disputes').selectAll().where('id', '=', id).executeTakeFirst();

export const lockDispute = (tx: Tx, id: string): Promise<DisputeRow | undefined> =>
  tx.selectFrom('card_disputes').selectAll().where('id', '=', id).forUpdate().executeTakeFirst();

/** The caller must hold the lock. */
export async function updateDispute(
  tx: Tx,
  id: string,
  change: Updateable<Tables['card_disputes']>,
): Promise<void> {
  await tx.updateTable('card_disputes').set(change).where('id', '=', id).execute();
  await notifyConsole(tx, 'disputes');
}

/** Stores which dispute the transfers with this key belong to. */
export async function insertMove(tx: Tx, key: string, disputeId: string): Promise<void> {
  await tx.insertInto('card_dispute_moves').values({ key, dispute_id: disputeId }).execute();
}

/** Whether a dispute of the order is open or its funds are still withdrawn. */
export async function isOrderDisputed(tx: Tx | Db, orderId: string): Promise<boolean> {
  const row = await tx
    .selectFrom('card_disputes')
    .select('id')
    .where('order_id', '=', orderId)
    .where((where) =>
      where.or([where('phase', 'in', ['open', 'lost']), where('withdrawn_usd_cents', '>', 0n)]),
    )
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

/** Whether a dispute of the order is open, so that nobody knows yet whose its money is. */
export async function isOrderUndecided(tx: Tx, orderId: string): Promise<boolean> {
  const row = await tx
    .selectFrom('card_disputes')
    .select('id')
    .where('order_id', '=', orderId)
    .where('phase', '=', 'open')
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

/** Disputes of the order that have withdrawn money, by the provider's id. */
export async function selectDisputesWithFunds(tx: Tx, orderId: string): Promise<string[]> {
  const rows = await tx
    .selectFrom('card_disputes')
    .select('provider_dispute_id')
    .where('order_id', '=', orderId)
    .where('withdrawn_usd_cents', '>', 0n)
    .execute();
  return rows.map(({ provider_dispute_id: id }) => id);
}

export async function hasDispute(db: Db, orderId: string): Promise<boolean> {
  const row = await db
    .selectFrom('card_disputes')
    .select('id')
    .where('order_id', '=', orderId)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

/** Whether a dispute of the user is undecided. */
export async function hasOpenDispute(tx: Tx, userId: bigint): Promise<boolean> {
  const row = await tx
    .selectFrom('card_disputes')
    .select('id')
    .where('user_id', '=', userId)
    .where('phase', 'in', ['inquiry', 'open'])
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

/** Undecided disputes that were last looked up before `before`, least recently first. */
export const selectStaleDisputes = (
  db: Db,
  before: Date,
  limit: number,
): Promise<{ provider_dispute_id: string }[]> =>
  db
    .selectFrom('card_disputes')
    .select('provider_dispute_id')
    .where('phase', 'in', ['inquiry', 'open'])
    .where('observed_at', '<=', before)
    .orderBy('observed_at')
    .limit(limit)
    .execute();

export async function insertDebt(tx: Tx, debt: Insertable<Tables['card_debts']>): Promise<void> {
  await tx.insertInto('card_debts').values(debt).execute();
}

/** The open debts of a user, oldest first, locked. The caller must hold the lock of the user. */
export const lockOpenDebts = (tx: Tx, userId: bigint): Promise<DebtRow[]> =>
  tx
    .selectFrom('card_debts')
    .selectAll()
    .where('user_id', '=', userId)
    .where('closed_at', 'is', null)
    .orderBy('id')
    .forUpdate()
    .execute();

export const selectDebt = (tx: Tx | Db, id: string): Promise<DebtRow | undefined> =>
  tx.selectFrom('card_debts').selectAll().where('id', '=', id).executeTakeFirst();

export const selectOpenDebtsOf = (tx: Tx | Db, disputeId: string): Promise<DebtRow[]> =>
  tx
    .selectFrom('card_debts')
    .selectAll()
    .where('dispute_id', '=', disputeId)
    .where('closed_at', 'is', null)
    .orderBy('id')
    .execute();

export async function updateDebt(tx: Tx, id: string, change: Partial<DebtRow>): Promise<void> {
  await tx.updateTable('card_debts').set(change).where('id', '=', id).execute();
}

export interface Debtor {
  readonly userId: bigint;
  /** The sum of the open debts. */
  readonly owedMicroAth: bigint;
}

/** The users with an open debt whose ids are above `afterId`, in the order of their ids. */
export async function selectDebtors(db: Db, limit: number, afterId: bigint): Promise<Debtor[]> {
  const { rows } = await sql<{ userId: string; owed: string }>`
    select user_id::text as "userId", sum(amount_micro_ath - repaid_micro_ath - written_off_micro_ath)::text as owed
      from card_debts
     where closed_at is null and user_id > ${afterId.toString()}::bigint
     group by user_id order by card_debts.user_id limit ${limit}`.execute(db);
  return rows.map(({ userId, owed }) => ({
    userId: BigInt(userId),
    owedMicroAth: BigInt(owed),
  }));
}

/** Whether the stored warning is actionable; `undefined` if the warning is new. */
export const selectIsActionable = async (tx: Tx, warningId: string): Promise<boolean | undefined> =>
  (
    await tx
      .selectFrom('card_warnings')
      .select('is_actionable')
      .where('id', '=', warningId)
      .executeTakeFirst()
  )?.is_actionable;

/** Inserts or updates a warning. */
export async function upsertWarning(
  tx: Tx,
  warning: Insertable<Tables['card_warnings']>,
): Promise<void> {
  const { is_actionable } = warning;
  await tx
    .insertInto('card_warnings')
    .values(warning)
    .onConflict((conflict) => conflict.column('id').doUpdateSet({ is_actionable }))
    .execute();
  await notifyConsole(tx, 'disputes');
}
