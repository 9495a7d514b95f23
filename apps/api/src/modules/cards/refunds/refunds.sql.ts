/** Statements on refunds. */
import type { Insertable, Selectable } from 'kysely';
import { usdCents, type UsdCents } from '@athos/domain/money';
import { notifyConsole } from '../../../platform/console/console-changes.ts';
import type { Db, Tables, Tx } from '../../../platform/database/database.ts';

export type RefundRow = Selectable<Tables['card_refunds']>;

export async function insertRefund(
  tx: Tx,
  refund: Insertable<Tables['card_refunds']>,
): Promise<RefundRow> {
  await notifyConsole(tx, 'payments');
  return tx.insertInto('card_refunds').values(refund).returningAll().executeTakeFirstOrThrow();
}

export const selectRefund = (db: Db | Tx, refundId: string): Promise<RefundRow | undefined> =>
  db.selectFrom('card_refunds').selectAll().where('id', '=', refundId).executeTakeFirst();

export const lockRefund = (tx: Tx, refundId: string): Promise<RefundRow | undefined> =>
  tx
    .selectFrom('card_refunds')
    .selectAll()
    .where('id', '=', refundId)
    .forUpdate()
    .executeTakeFirst();

/** Our refund with the provider's id. */
export const selectRefundIdByProvider = async (
  tx: Tx,
  providerRefundId: string,
): Promise<string | undefined> =>
  (
    await tx
      .selectFrom('card_refunds')
      .select('id')
      .where('provider_refund_id', '=', providerRefundId)
      .executeTakeFirst()
  )?.id;

/** The caller must hold the lock of `lockRefund`. */
export async function updateRefund(
  tx: Tx,
  refundId: string,
  change: Partial<RefundRow>,
): Promise<void> {
  await tx.updateTable('card_refunds').set(change).where('id', '=', refundId).execute();
  await notifyConsole(tx, 'payments');
}

/** Refunds that have been waiting for the provider since `before` or longer, oldest first. */
export const selectRefundsOnTheirWay = (
  db: Db,
  before: Date,
  limit: number,
): Promise<Pick<RefundRow, 'id' | 'state'>[]> =>
  db
    .selectFrom('card_refunds')
    .select(['id', 'state'])
    .where('state', 'in', ['approved', 'sending', 'pending'])
    .where('created_at', '<=', before)
    .orderBy('created_at')
    .limit(limit)
    .execute();

/** Refunds of the order that the provider has not accepted, newest first, locked. */
export const lockUnaccepted = (tx: Tx, orderId: string): Promise<RefundRow[]> =>
  tx
    .selectFrom('card_refunds')
    .selectAll()
    .where('order_id', '=', orderId)
    .where('state', 'in', ['requested', 'approved', 'sending'])
    .orderBy('created_at', 'desc')
    .forUpdate()
    .execute();

/** Whether a refund of the order to its card failed: the provider refused it, or the money came back. */
export async function hasFailedRefund(db: Db | Tx, orderId: string): Promise<boolean> {
  const row = await db
    .selectFrom('card_refunds')
    .select('id')
    .where('order_id', '=', orderId)
    .where('state', 'in', ['refused', 'failed'])
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

/** The amount in cents that the provider has accepted to refund for an order and has not reversed. */
export async function selectRefundedCents(db: Db | Tx, orderId: string): Promise<UsdCents> {
  const rows = await db
    .selectFrom('card_refunds')
    .select('total_usd_cents')
    .where('order_id', '=', orderId)
    .where('method', '=', 'card')
    .where('state', 'in', ['pending', 'succeeded'])
    .execute();
  return usdCents(rows.reduce((sum, { total_usd_cents: cents }) => sum + cents, 0n));
}

/** Whether a refund of the order is requested or approved, or is being sent to the provider. */
export async function hasPendingRefund(tx: Tx, orderId: string): Promise<boolean> {
  const row = await tx
    .selectFrom('card_refunds')
    .select('id')
    .where('order_id', '=', orderId)
    .where('state', 'in', ['requested', 'approved', 'sending'])
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

/** Whether tokens of the user are held for a refund. */
export async function hasHeldRefund(tx: Tx, userId: bigint): Promise<boolean> {
  const row = await tx
    .selectFrom('card_refunds')
    .select('id')
    .where('user_id', '=', userId)
    .where('state', 'in', ['requested', 'approved', 'sending'])
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}
