import type Stripe from 'stripe';
import { expect } from 'vitest';
import { readId } from '../ids.ts';

async function all<T>(list: AsyncIterable<T>): Promise<T[]> {
  const items: T[] = [];
  for await (const item of list) items.push(item);
  return items;
}

const sum = (amounts: readonly number[]): number =>
  amounts.reduce((total, amount) => total + amount, 0);

const readMovements = (stripe: Stripe): Promise<Stripe.BalanceTransaction[]> =>
  all(stripe.balanceTransactions.list({ limit: 100 }));

const readBooks = async (stripe: Stripe) => ({
  balance: await stripe.balance.retrieve(),
  refunds: await all(stripe.refunds.list({ limit: 100 })),
  payouts: await all(stripe.payouts.list({ limit: 100 })),
  disputes: await all(stripe.disputes.list({ limit: 100 })),
  charges: await all(stripe.charges.list({ limit: 100 })),
});

/** Longer than the sandbox takes to settle the charges and refunds that a test leaves behind. */
const READS_MAX = 20;

/** Reads everything between two equal lists of movements, because timers of the sandbox move money meanwhile. */
async function readSteadyBooks(stripe: Stripe) {
  let before = await readMovements(stripe);
  for (let reads = 0; reads < READS_MAX; reads += 1) {
    const books = await readBooks(stripe);
    const movements = await readMovements(stripe);
    if (movements.length === before.length) return { ...books, movements };
    before = movements;
  }
  throw new Error(`money of the sandbox moved during each of ${READS_MAX} reads`);
}

/**
 * Checks the sandbox's books through its API: the balance is the sum of all nets, and every charge, refund and dispute agrees with
 * the balance transactions that it caused. An open dispute holds its amount, a won one and an inquiry hold nothing. The movements of a
 * payout add up to zero.
 */
export async function expectBooks(stripe: Stripe): Promise<void> {
  const { movements, balance, refunds, payouts, disputes, charges } = await readSteadyBooks(stripe);
  const netOf = (id: string, field: 'amount' | 'net' = 'net'): number =>
    sum(movements.filter(({ source }) => source === id).map((one) => one[field]));
  for (const { amount, fee, net, fee_details } of movements) {
    expect(net).toBe(amount - fee);
    expect(sum(fee_details.map((detail) => detail.amount))).toBe(fee);
  }
  const held = sum([...balance.available, ...balance.pending].map(({ amount }) => amount));
  expect(held).toBe(sum(movements.map(({ net }) => net)));

  const isKept = (refund: Stripe.Refund): boolean =>
    refund.status === 'pending' || refund.status === 'succeeded';
  for (const refund of refunds) expect(netOf(refund.id)).toBe(isKept(refund) ? -refund.amount : 0);
  for (const payout of payouts) {
    expect(netOf(payout.id)).toBe(payout.status === 'failed' ? 0 : -payout.amount);
    const collected = await all(stripe.balanceTransactions.list({ payout: payout.id, limit: 100 }));
    expect(sum(collected.map(({ net }) => net))).toBe(0);
    expect(collected.length).toBeGreaterThan(1);
  }
  for (const dispute of disputes) {
    const moved = sum(dispute.balance_transactions.map(({ amount }) => amount));
    const isHeld = !/^(warning_.*|won|prevented)$/.test(dispute.status);
    expect(moved).toBe(isHeld ? -dispute.amount : 0);
    const ids = dispute.balance_transactions.map(({ id }) => id);
    const recorded = movements.filter(
      ({ type, source }) => type === 'adjustment' && source === dispute.id,
    );
    expect(recorded.map(({ id }) => id).toReversed()).toEqual(ids);
  }
  for (const charge of charges) {
    const kept = refunds.filter((one) => readId(one.charge) === charge.id && isKept(one));
    expect(charge.amount_refunded).toBe(sum(kept.map(({ amount }) => amount)));
    expect(charge.refunded).toBe(charge.amount_refunded === charge.amount);
    const isRecorded = charge.balance_transaction !== null;
    expect(netOf(charge.id, 'amount')).toBe(isRecorded ? charge.amount : 0);
  }
}
