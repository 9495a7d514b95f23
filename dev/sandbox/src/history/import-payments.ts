import type Stripe from 'stripe';
import { completePayout, payOut, type PayoutIds } from '../balance/payouts.ts';
import { findCardByName } from '../cards/test-cards.ts';
import { ControlError, readCount, readWord } from '../control/control-body.ts';
import type { ControlBody } from '../control/control-body.ts';
import { loseDispute, submitEvidence, winDispute } from '../disputes/dispute-states.ts';
import { disputeKinds, disputeReasons, openDispute } from '../disputes/open-dispute.ts';
import { readId } from '../ids.ts';
import { confirmIntent } from '../payments/confirm-intent.ts';
import { createIntent } from '../payments/edit-intent.ts';
import { settleChargeLater } from '../payments/intent-timers.ts';
import { createRefund } from '../refunds/create-refund.ts';
import { returnRefund } from '../refunds/refund-states.ts';
import type { Sandbox } from '../sandbox.ts';
import { beginGivenIds, readGivenId } from './given-ids.ts';
import type { GivenIds } from './given-ids.ts';
import { fraudTypes, warn } from '../warnings/early-fraud-warnings.ts';

const daySeconds = 86_400;
const paymentCountMax = 500;
const dayCountMax = 1000;

/**
 * Replays past payments at their own times, with their refunds, disputes, warnings and, if requested, a payout each day until now. All of
 * it runs through the normal code; only the clock differs, and no event is sent. A payment whose given id is known is left unchanged, so an
 * interrupted import can be repeated.
 */
export function importPayments(sandbox: Sandbox, body: ControlBody): object {
  const items = readItems(body, 'payments');
  if (items.length === 0) throw new ControlError('payments is empty.');
  if (items.length > paymentCountMax) throw new ControlError('At most 500 payments at a time.');
  const imported = sandbox.store.transaction(() => {
    const payments = items.map((item) => importPayment(sandbox, item));
    const given = readPayouts(sandbox, body);
    const payouts = given === undefined ? [] : payOutPast(sandbox, given);
    return { payments, payouts };
  });
  sandbox.wake();
  return imported;
}

/** The sandbox at a past time: its clock is fixed there, and no event is created. */
function at(sandbox: Sandbox, seconds: number): Sandbox {
  const { clock, controls } = sandbox;
  const webhooks = { ...controls.webhooks, match: '*', loseCount: -1 };
  return {
    ...sandbox,
    clock: { ...clock, nowMs: () => seconds * 1000, nowSeconds: () => seconds },
    controls: { ...controls, webhooks, save: () => undefined },
    wake: () => undefined,
  };
}

function importPayment(sandbox: Sandbox, item: ControlBody): object {
  const known = readWord(item, 'payment_intent', { fallback: '' });
  if (sandbox.store.find('payment_intent', known) !== undefined) return { payment_intent: known };
  const ids = beginGivenIds(sandbox);
  const created = readTime(sandbox, item, 'created');
  const card = readWord(item, 'card', { fallback: 'visa' });
  if (findCardByName(card) === undefined) throw new ControlError(`No test card ${card}.`);
  const then = at(sandbox, created);
  const opened = createIntent(then, null, {
    amount: String(readCount(item, 'amount', { fallback: 0, max: 99_999_999 })),
    currency: 'usd',
    description: readWord(item, 'description', { fallback: '' }),
    receipt_email: readWord(item, 'receipt_email', { fallback: '' }),
    metadata: readMetadata(item),
  });
  const { intent } = confirmIntent(then, null, opened, { payment_method: `pm_card_${card}` });
  const charge = readId(intent.latest_charge);
  const isPaid = intent.status === 'succeeded';
  if (isPaid) settleChargeLater(at(sandbox, created + 1), charge);
  // These timers have nothing left to do, and thousands of them at once would each cost a commit.
  const spent = `delete from timers where kind = 'settle_charge' and object_id = ?`;
  sandbox.store.db.prepare(spent).run(charge);
  const past: Past = { sandbox, ids, chargeId: charge };
  const each = (name: string, run: (past: Past, one: ControlBody) => string): string[] =>
    isPaid ? readItems(item, name).map((one) => run(past, one)) : [];
  const imported = {
    payment_intent: ids.take(item, 'payment_intent', intent.id),
    charge: ids.take(item, 'charge', charge),
    refunds: each('refunds', refund),
    disputes: each('disputes', dispute),
    warnings: each('warnings', warning),
  };
  const settled = sandbox.store.find('charge', charge)?.object.balance_transaction ?? null;
  ids.take(item, 'transaction', readId(settled));
  ids.apply();
  return imported;
}

/** The payment whose history is being imported. */
interface Past {
  readonly sandbox: Sandbox;
  readonly ids: GivenIds;
  readonly chargeId: string;
}

function refund({ sandbox, ids, chargeId }: Past, item: ControlBody): string {
  const created = readTime(sandbox, item, 'created');
  const amount = readCount(item, 'amount', { fallback: 0, max: 99_999_999 });
  const choices = ['succeeded', 'failed'] as const;
  const outcome = readWord(item, 'outcome', { fallback: 'succeeded', choices });
  const made = createRefund(at(sandbox, created), null, {
    charge: chargeId,
    ...(amount === 0 ? {} : { amount: String(amount) }),
    reason: readWord(item, 'reason', { fallback: 'requested_by_customer' }),
    metadata: readMetadata(item),
  });
  if (outcome === 'failed') {
    const reason = 'expired_or_canceled_card';
    const then = at(sandbox, readTime(sandbox, item, 'ended', created));
    const { failure_balance_transaction: failure } = returnRefund(then, made, {
      status: 'failed',
      reason,
    });
    ids.take(item, 'failure_transaction', readId(failure ?? null));
  }
  ids.take(item, 'transaction', readId(made.balance_transaction));
  return ids.take(item, 'id', made.id);
}

function dispute({ sandbox, ids, chargeId }: Past, item: ControlBody): string {
  const created = readTime(sandbox, item, 'created');
  const charge = findCharge(sandbox, chargeId);
  const left = charge.amount - charge.amount_refunded;
  const made = openDispute(at(sandbox, created), chargeId, {
    kind: readWord(item, 'kind', { fallback: 'chargeback', choices: disputeKinds }),
    reason: readWord(item, 'reason', { fallback: 'fraudulent', choices: disputeReasons }),
    amount: readCount(item, 'amount', { fallback: left, min: 1, max: charge.amount }),
  });
  const choices = ['open', 'won', 'lost'] as const;
  const outcome = readWord(item, 'outcome', { fallback: 'open', choices });
  const answered = readTime(sandbox, item, 'answered', created);
  const opened =
    item['answered'] === undefined ? made : submitEvidence(at(sandbox, answered), null, made);
  const then = at(sandbox, readTime(sandbox, item, 'ended', answered));
  const ended = outcome === 'open' ? opened : end(then, opened, outcome);
  for (const [index, movement] of ended.balance_transactions.entries()) {
    ids.take(readTransactions(item), String(index), movement.id);
  }
  return ids.take(item, 'id', made.id);
}

function end(then: Sandbox, opened: Stripe.Dispute, outcome: 'won' | 'lost'): Stripe.Dispute {
  return outcome === 'won' ? winDispute(then, null, opened) : loseDispute(then, null, opened);
}

/** The ids in a list, by their index. */
function readTransactions(item: ControlBody): ControlBody {
  const value = item['transactions'] ?? [];
  if (!Array.isArray(value)) throw new ControlError('transactions is not a list.');
  return Object.fromEntries(value.entries());
}

function warning({ sandbox, ids, chargeId }: Past, item: ControlBody): string {
  const then = at(sandbox, readTime(sandbox, item, 'created'));
  const fallback = 'made_with_stolen_card';
  const type = readWord(item, 'fraud_type', { fallback, choices: fraudTypes });
  return ids.take(item, 'id', warn(then, findCharge(sandbox, chargeId), type).id);
}

/** The ids of payouts by their midnight, if payouts are requested. */
function readPayouts(sandbox: Sandbox, body: ControlBody): Map<number, PayoutIds> | undefined {
  if (body['payouts'] === true) return new Map();
  if (!Array.isArray(body['payouts'])) return undefined;
  return new Map(
    readItems(body, 'payouts').map((item) => [
      readTime(sandbox, item, 'created'),
      { id: readGivenId(item, 'id', 'po'), transaction: readGivenId(item, 'transaction', 'txn') },
    ]),
  );
}

/** Pays out at each midnight since the first movement that is not paid out. Payouts that have arrived by now are paid. */
function payOutPast(sandbox: Sandbox, given: ReadonlyMap<number, PayoutIds>): string[] {
  const row = sandbox.store.db
    .prepare(
      `select min(created) as created from objects
       where kind = 'balance_transaction' and json_extract(hidden, '$.payout') is null`,
    )
    .get();
  const since = Number(row?.['created'] ?? sandbox.clock.nowSeconds());
  const now = sandbox.clock.nowSeconds();
  const ids: string[] = [];
  for (let day = since - (since % daySeconds) + daySeconds; day <= now; day += daySeconds) {
    for (const payout of payOut(at(sandbox, day), given.get(day))) {
      ids.push(payout.id);
      if (payout.arrival_date <= now) completePayout(at(sandbox, payout.arrival_date), payout);
    }
  }
  return ids;
}

function findCharge(sandbox: Sandbox, id: string): Stripe.Charge {
  const charge = sandbox.store.find('charge', id)?.object;
  if (charge === undefined) throw new Error(`No charge ${id}.`);
  return charge;
}

/** Reads a time in seconds, at most 1000 days ago and not in the future. */
function readTime(sandbox: Sandbox, item: ControlBody, name: string, fallback = 0): number {
  const max = sandbox.clock.nowSeconds();
  return readCount(item, name, { fallback, min: max - dayCountMax * daySeconds, max });
}

function readItems(body: ControlBody, name: string): ControlBody[] {
  const value = body[name] ?? [];
  if (!Array.isArray(value)) throw new ControlError(`${name} is not a list.`);
  return value.map((item: unknown) => {
    if (typeof item !== 'object' || item === null) {
      throw new ControlError(`${name} is not a list of objects.`);
    }
    return { ...item };
  });
}

function readMetadata(item: ControlBody): Record<string, string> {
  const value = item['metadata'] ?? {};
  if (typeof value !== 'object' || value === null) throw new ControlError('metadata is no object.');
  return Object.fromEntries(Object.entries(value).map(([key, text]) => [key, String(text)]));
}
