/** The part of cards in deleting an account: it refuses while a payment may still arrive, and erases traces later. */
import { sql } from 'kysely';
import { emptyAuditDetails } from '../../platform/audit/audit.sql.ts';
import type { Tx } from '../../platform/database/database.ts';
import { AppError } from '../../platform/errors.ts';
import { hasOpenDispute } from './disputes/disputes.sql.ts';
import { closeAllWithoutIntent } from './orders/orders.sql.ts';
import { hasHeldRefund } from './refunds/refunds.sql.ts';

/**
 * Throws `payments_open` while an order can be paid, is being paid, awaits review or is disputed, and `value_held` while tokens are held for a
 * refund. An order without an intent is closed instead, since nobody can pay it.
 */
export async function requireNoOpenMoney(tx: Tx, userId: bigint): Promise<void> {
  await closeAllWithoutIntent(tx, userId);
  const open = await tx
    .selectFrom('card_orders')
    .select('id')
    .where('user_id', '=', userId)
    .where('state', 'in', ['open', 'review'])
    .limit(1)
    .executeTakeFirst();
  if (open !== undefined) {
    throw new AppError('payments_open', {
      detail: 'Nothing was deleted. Finish the card payment, or wait until it has expired.',
    });
  }
  if (await hasOpenDispute(tx, userId)) {
    throw new AppError('payments_open', {
      detail: 'Nothing was deleted. A card payment of this account is disputed.',
    });
  }
  if (await hasHeldRefund(tx, userId)) {
    throw new AppError('value_held', {
      detail: 'Nothing was deleted. Wait until your refund has been made.',
    });
  }
}

/**
 * Erases the evidence. It names the person, and so may its audit entries, for example in file names and reasons. Evidence that was sent
 * to the bank stays with the provider.
 */
async function eraseEvidence(tx: Tx, userId: bigint): Promise<void> {
  const disputes = await tx
    .selectFrom('card_disputes')
    .select('id')
    .where('user_id', '=', userId)
    .execute();
  await emptyAuditDetails(
    tx,
    disputes.map(({ id }) => ({ type: 'dispute', id })),
  );
  await tx
    .deleteFrom('card_evidence_files')
    .where('dispute_id', 'in', (disputes) =>
      disputes.selectFrom('card_disputes').select('id').where('user_id', '=', userId),
    )
    .execute();
  await tx
    .updateTable('card_disputes')
    .set({ evidence: '{}' })
    .where('user_id', '=', userId)
    .execute();
}

/**
 * Erases the texts of staff about the person's refunds and about unmatched transactions and bookings, with their audit entries. An
 * explanation becomes empty, not absent, so that an explained item is not listed as unmatched again. The reference of a bank transfer
 * stays, because the bank's statement contains it too.
 */
async function eraseStaffTexts(tx: Tx, userId: bigint): Promise<void> {
  await tx.updateTable('card_refunds').set({ reason: '' }).where('user_id', '=', userId).execute();
  const { rows } = await sql<{ id: string }>`
    with own as (
      select booking.id, booking.source_id from card_bookings booking
        join card_orders card_order on card_order.id = booking.order_id
       where card_order.user_id = ${userId}
    ), bookings as (
      update card_bookings set explanation = ''
       where id in (select id from own) and explanation is not null
      returning id::text
    ), transactions as (
      update card_transactions set explanation = ''
       where explanation is not null
         and (booking_id in (select id from own) or source_id in (select source_id from own))
      returning id
    )
    select id from bookings union all select id from transactions`.execute(tx);
  await emptyAuditDetails(
    tx,
    rows.map(({ id }) => ({ type: 'card_transaction', id })),
  );
}

/**
 * Erases the records of keys and declined cards, which card paid, the evidence of disputes, and the texts of staff. Attempt counters
 * expire within the hour. The orders stay: they document transfers in the journal, and the provider may still have questions about them.
 */
export async function eraseCards(tx: Tx, userId: bigint): Promise<void> {
  await tx.deleteFrom('card_quotes').where('user_id', '=', userId).execute();
  await tx.deleteFrom('card_declines').where('user_id', '=', userId).execute();
  await eraseEvidence(tx, userId);
  await eraseStaffTexts(tx, userId);
  await tx
    .updateTable('card_orders')
    .set({ error_message: null, card_brand: null, card_last_four: null })
    .where('user_id', '=', userId)
    .execute();
}
