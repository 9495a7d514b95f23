/** Sends approved refunds to the provider, and checks again those whose outcome is unknown. */
import type { Tx } from '../../../platform/database/database.ts';
import { dateOf } from '../../../platform/clock.ts';
import { invariant } from '../../../platform/errors.ts';
import { enqueueJob } from '../../../platform/jobs/enqueue.ts';
import type { OrderRow } from '../orders/orders.sql.ts';
import { environmentName } from '../orders/order-metadata.ts';
import type { SettleDeps } from '../orders/settle-deps.ts';
import type { CardRefund, RefundAnswer } from '../provider/card-money.ts';
import { amountOf, applyRefund } from './apply-refund.ts';
import { endRefund, enqueueSending, lockRefundAndOrder } from './request-refund.ts';
import {
  selectRefund,
  selectRefundsOnTheirWay,
  updateRefund,
  type RefundRow,
} from './refunds.sql.ts';

interface Sending {
  readonly order: OrderRow;
  readonly refund: RefundRow;
  /** Whether the provider may have made the refund already: an earlier answer was lost. */
  readonly isRepeated: boolean;
}

/** Commits that the refund is being sent, before the request to the provider. Returns `undefined` if there is nothing to send. */
function beginSending({ db, clock }: SettleDeps, refundId: string): Promise<Sending | undefined> {
  return db.transaction().execute(async (tx: Tx) => {
    const { order, refund } = await lockRefundAndOrder(tx, refundId);
    if (refund.state === 'sending') return { order, refund, isRepeated: true };
    if (refund.state !== 'approved') return undefined;
    await updateRefund(tx, refundId, { state: 'sending', sent_at: dateOf(clock) });
    return { order, refund, isRepeated: false };
  });
}

/** Looks for a refund that the provider made although its answer was lost. The provider stores keys for a day, and refunds forever. */
async function findMade(
  { cardProvider }: SettleDeps,
  intentId: string,
  refundId: string,
): Promise<CardRefund | undefined> {
  for await (const refund of cardProvider.listRefunds(intentId)) {
    if (refund.metadata['refund_id'] === refundId) return refund;
  }
  return undefined;
}

async function askProvider(deps: SettleDeps, sending: Sending): Promise<RefundAnswer> {
  const { order, refund, isRepeated } = sending;
  invariant(order.intent_id !== null, 'a paid order has its intent');
  const { id: refundId } = refund;
  const made = isRepeated ? await findMade(deps, order.intent_id, refundId) : undefined;
  if (made !== undefined) return { outcome: 'made', refund: made };
  return deps.cardProvider.createRefund({
    refundId,
    intentId: order.intent_id,
    amountUsdCents: amountOf(refund),
    metadata: { refund_id: refundId, order_id: order.id, env: environmentName(deps.config) },
  });
}

/** The job of one approved refund. It throws while the outcome is unknown, so that it runs again. */
export async function sendRefund(deps: SettleDeps, refundId: string): Promise<void> {
  const sending = await beginSending(deps, refundId);
  if (sending === undefined) return;
  const answer = await askProvider(deps, sending);
  if (answer.outcome === 'made') {
    await applyRefund(deps, sending.order.id, answer.refund);
    return;
  }
  deps.log.error(
    { alarm: 'refund_refused', refundId, orderId: sending.order.id, reason: answer.code },
    'the provider refused a refund',
  );
  await deps.db.transaction().execute(async (tx) => {
    const { order, refund } = await lockRefundAndOrder(tx, refundId);
    if (refund.state !== 'sending') return;
    const failure = `${answer.code}: ${answer.message}`;
    await endRefund(deps, tx, { order, refund, state: 'refused', failure });
  });
}

/** Retrieves a refund that the provider has accepted. */
export async function refreshRefund(deps: SettleDeps, refundId: string): Promise<void> {
  const refund = await selectRefund(deps.db, refundId);
  if (refund?.state !== 'pending' || refund.provider_refund_id === null) return;
  const theirs = await deps.cardProvider.retrieveRefund(refund.provider_refund_id);
  await applyRefund(deps, refund.order_id, theirs);
}

/** The job of a new refund runs at once, so this finds only refunds whose job or event was lost. */
const ON_THEIR_WAY_MIN_MS = 5 * 60_000;
const REFUNDS_PER_ROUND_MAX = 200;

/** Enqueues a job for each refund that has been waiting for the provider for minutes. */
export async function resumeRefunds(deps: SettleDeps): Promise<void> {
  const before = new Date(deps.clock.nowMs() - ON_THEIR_WAY_MIN_MS);
  const refunds = await selectRefundsOnTheirWay(deps.db, before, REFUNDS_PER_ROUND_MAX);
  for (const { id: refundId, state } of refunds) {
    if (state === 'pending') {
      await enqueueJob(deps.db, 'refund_look', { refundId }, { key: `refund_look:${refundId}` });
    } else await enqueueSending(deps.db, refundId);
  }
}
