import type Stripe from 'stripe';
import { createId } from '../ids.ts';
import type { Sandbox } from '../sandbox.ts';
import { scheduleAt } from '../timers.ts';
import { emit } from '../webhooks/events.ts';
import { bookMovement } from './movements.ts';

const daySeconds = 86_400;
const bankAccountId = 'ba_1AthosSandboxBankAccount';

/** The next midnight (UTC) of the sandbox's clock. */
function nextMidnight(sandbox: Sandbox): number {
  const now = sandbox.clock.nowSeconds();
  return now - (now % daySeconds) + daySeconds;
}

/** Schedules the next daily payout, unless it is scheduled already. */
export function keepDailyPayout(sandbox: Sandbox): void {
  const waiting = sandbox.store.db.prepare(`select 1 from timers where kind = 'pay_out'`).get();
  if (waiting === undefined) scheduleAt(sandbox, 'pay_out', '', nextMidnight(sandbox));
}

/** Timer: pays out what is available, and schedules the next day. */
export function payDaily(sandbox: Sandbox): void {
  payOut(sandbox);
  keepDailyPayout(sandbox);
}

/** The ids of an imported payout, which is in US dollars. */
export interface PayoutIds {
  readonly id: string;
  readonly transaction: string;
}

/**
 * Pays out each currency's available balance, if it is above zero. Every balance transaction belongs to at most one payout,
 * and those of a payout, with its own, add up to zero.
 */
export function payOut(sandbox: Sandbox, ids?: PayoutIds): Stripe.Payout[] {
  const due = `kind = 'balance_transaction' and json_extract(hidden, '$.payout') is null
    and created <= ?1 and json_extract(body, '$.available_on') <= ?1`;
  const now = sandbox.clock.nowSeconds();
  const sums = sandbox.store.db
    .prepare(
      `select json_extract(body, '$.currency') as currency, sum(json_extract(body, '$.net')) as net
       from objects where ${due} group by 1 having net > 0 order by 1`,
    )
    .all(now);
  const collect = sandbox.store.db.prepare(
    `update objects set hidden = json_set(hidden, '$.payout', ?2)
     where ${due} and json_extract(body, '$.currency') = ?3`,
  );
  return sums.map((row) => {
    const currency = String(row['currency']);
    const payout = startPayout(sandbox, { currency, amount: Number(row['net']), ids });
    collect.run(now, payout.id, currency);
    return payout;
  });
}

function startPayout(
  sandbox: Sandbox,
  { currency, amount, ids }: { currency: string; amount: number; ids: PayoutIds | undefined },
): Stripe.Payout {
  const id = ids?.id ?? createId('po_1');
  const movement = bookMovement(sandbox, {
    ...(ids && { id: ids.transaction }),
    amount: -amount,
    fee: 0,
    currency,
    type: 'payout',
    reportingCategory: 'payout',
    description: 'STRIPE PAYOUT',
    source: id,
    availableOn: sandbox.clock.nowSeconds(),
  });
  const payout: Stripe.Payout = {
    id,
    object: 'payout',
    amount,
    application_fee: null,
    application_fee_amount: null,
    arrival_date: nextMidnight(sandbox),
    automatic: true,
    balance_transaction: movement.id,
    created: sandbox.clock.nowSeconds(),
    currency,
    description: 'STRIPE PAYOUT',
    destination: bankAccountId,
    failure_balance_transaction: null,
    failure_code: null,
    failure_message: null,
    livemode: false,
    metadata: {},
    method: 'standard',
    original_payout: null,
    payout_method: null,
    reconciliation_status: 'in_progress',
    reversed_by: null,
    source_type: 'card',
    statement_descriptor: null,
    status: 'in_transit',
    trace_id: null,
    type: 'bank_account',
  };
  sandbox.store.insert('payout', payout);
  scheduleAt(sandbox, 'finish_payout', id, payout.arrival_date);
  emit(sandbox, null, { type: 'payout.created', object: payout });
  return payout;
}

/** Timer: a payout on its way arrives. */
export function finishPayout(sandbox: Sandbox, payoutId: string): void {
  const payout = sandbox.store.find('payout', payoutId)?.object;
  if (payout?.status === 'in_transit') completePayout(sandbox, payout);
}

/** Reports that the money arrived, and that all movements of the payout can be listed. */
export function completePayout(sandbox: Sandbox, payout: Stripe.Payout): Stripe.Payout {
  const paid: Stripe.Payout = { ...payout, status: 'paid' };
  emit(sandbox, null, { type: 'payout.paid', object: paid, previous: { status: payout.status } });
  const completed: Stripe.Payout = { ...paid, reconciliation_status: 'completed' };
  sandbox.store.update('payout', completed);
  const previous = { reconciliation_status: payout.reconciliation_status };
  emit(sandbox, null, { type: 'payout.reconciliation_completed', object: completed, previous });
  return completed;
}

/** The ids of an imported payout, which is in US dollars. */
export function failPayout(sandbox: Sandbox, payout: Stripe.Payout, code: string): Stripe.Payout {
  const movement = bookMovement(sandbox, {
    amount: payout.amount,
    fee: 0,
    currency: payout.currency,
    type: 'payout_failure',
    reportingCategory: 'payout_reversal',
    description: 'PAYOUT FAILURE',
    source: payout.id,
    availableOn: sandbox.clock.nowSeconds(),
  });
  const failed: Stripe.Payout = {
    ...payout,
    failure_balance_transaction: movement.id,
    failure_code: code,
    failure_message: `The bank returned the payout: ${code.replaceAll('_', ' ')}.`,
    status: 'failed',
  };
  sandbox.store.update('payout', failed);
  const previous = { status: payout.status };
  emit(sandbox, null, { type: 'payout.failed', object: failed, previous });
  return failed;
}
