import { z } from 'zod';
import type { TasksByLane } from '../../platform/jobs/lanes.ts';
import { endOpenOrders } from './orders/intents.ts';
import { processEvent } from './events/provider-events.ts';
import { sendReceipt } from './orders/receipt.ts';
import { compareBooks } from './reconciliation/compare-books.ts';
import { pruneCards } from './prune.sql.ts';
import { reconcileDay } from './reconciliation/totals.ts';
import { listTransactions } from './reconciliation/transactions.ts';
import { collectDebts, type DisputeDeps } from './disputes/debts.ts';
import { sendEvidence } from './disputes/evidence.ts';
import { refreshDispute, resumeDisputes } from './disputes/refresh-disputes.ts';
import { refreshRefund, resumeRefunds, sendRefund } from './refunds/send-refund.ts';
import {
  cancelExpiredOrders,
  endExpiredOrder,
  refreshOrder,
  reconcileOpenOrders,
  takeListedEvents,
} from './reconciliation/reconcile.ts';

const ofEvent = z.object({ eventId: z.string() });
const ofOrder = z.object({ orderId: z.string() });
const ofRefund = z.object({ refundId: z.string() });
const ofDispute = z.object({ disputeId: z.string() });
const ofCollection = z.object({ isAgain: z.boolean().default(false) });
const ofUser = z.object({ userId: z.string() });

type TaskDeps = Parameters<typeof takeListedEvents>[0] &
  Parameters<typeof sendReceipt>[0] &
  DisputeDeps;

/** The jobs of card payments. All are idempotent, so each may run twice or late. */
export const createCardTasks = (deps: TaskDeps): TasksByLane => ({
  money: {
    payment_event: (payload) => processEvent(deps, ofEvent.parse(payload).eventId),
    payment_look: (payload) => refreshOrder(deps, ofOrder.parse(payload).orderId),
    payment_end: (payload) => endExpiredOrder(deps, ofOrder.parse(payload).orderId),
    payment_cancel_open: (payload) => endOpenOrders(deps, BigInt(ofUser.parse(payload).userId)),
    payment_reconcile: () => reconcileOpenOrders(deps),
    payment_cancel_expired: () => cancelExpiredOrders(deps),
    payment_list_events: () => takeListedEvents(deps),
    refund_send: (payload) => sendRefund(deps, ofRefund.parse(payload).refundId),
    refund_look: (payload) => refreshRefund(deps, ofRefund.parse(payload).refundId),
    refund_resume: () => resumeRefunds(deps),
    dispute_look: (payload) => refreshDispute(deps, ofDispute.parse(payload).disputeId),
    dispute_send: (payload) => sendEvidence(deps, ofDispute.parse(payload).disputeId),
    dispute_resume: () => resumeDisputes(deps),
    card_transactions_list: async () => {
      await listTransactions(deps);
    },
    card_reconcile_day: () => reconcileDay(deps),
    debt_collect: (payload) => collectDebts(deps, !ofCollection.parse(payload).isAgain),
  },
  mail: {
    payment_receipt: (payload) => sendReceipt(deps, ofOrder.parse(payload).orderId),
  },
  upkeep: {
    payment_compare: () => compareBooks(deps),
    payment_prune: () => pruneCards(deps.db, deps.clock.nowMs()),
  },
});

/**
 * `payment_compare` continues its rounds, which begin once a day. Times are UTC. Missed runs are not made up for, since the next
 * run finds the same work.
 */
export const cardCrontab = `
*/3 * * * * payment_reconcile ?jobKey=payment_reconcile
* * * * * payment_cancel_expired ?jobKey=payment_cancel_expired
17 * * * * payment_list_events ?jobKey=payment_list_events
*/5 * * * * refund_resume ?jobKey=refund_resume
38 * * * * dispute_resume ?jobKey=dispute_resume
* * * * * debt_collect ?jobKey=debt_collect
9,24,39,54 * * * * card_transactions_list ?jobKey=card_transactions_list&max=3
20 5 * * * card_reconcile_day ?jobKey=card_reconcile_day&max=5
4,14,24,34,44,54 * * * * payment_compare ?jobKey=payment_compare&max=1
53 4 * * * payment_prune ?jobKey=payment_prune&max=3
`;
