import type Stripe from 'stripe';
import { createId } from '../ids.ts';
import type { Sandbox } from '../sandbox.ts';

const availableAfterSeconds = 2 * 86_400;

/** The sandbox's fee: 2.9 % of the amount, rounded half up, plus 30, in the currency's smallest unit. */
export function chargeFee(amount: number): number {
  return Math.floor((amount * 29 + 500) / 1000) + 30;
}

export interface Movement {
  /** The id of an imported movement. */
  id?: string;
  amount: number;
  fee: number;
  currency: string;
  type: Stripe.BalanceTransaction.Type;
  reportingCategory: string;
  description: string | null;
  source: string;
  /** In seconds; two days from now by default, as for card payments. */
  availableOn?: number;
}

/** Records one movement of the provider's balance: net = amount - fee. */
export function bookMovement(sandbox: Sandbox, movement: Movement): Stripe.BalanceTransaction {
  const created = sandbox.clock.nowSeconds();
  const booked: Stripe.BalanceTransaction = {
    id: movement.id ?? createId('txn_1'),
    object: 'balance_transaction',
    amount: movement.amount,
    available_on: movement.availableOn ?? created + availableAfterSeconds,
    balance_type: 'payments',
    created,
    currency: movement.currency,
    description: movement.description,
    exchange_rate: null,
    fee: movement.fee,
    fee_details: feeDetails(movement),
    net: movement.amount - movement.fee,
    reporting_category: movement.reportingCategory,
    source: movement.source,
    status: 'pending',
    type: movement.type,
  };
  sandbox.store.insert('balance_transaction', booked);
  return withStatus(sandbox, booked);
}

function feeDetails(movement: Movement): Stripe.BalanceTransaction.FeeDetail[] {
  if (movement.fee === 0) return [];
  return [
    {
      amount: movement.fee,
      application: null,
      currency: movement.currency,
      description: movement.type === 'charge' ? 'Stripe processing fees' : 'Dispute fee',
      type: 'stripe_fee',
    },
  ];
}

/** Sets the status to `available` once the date has come. It is computed on reading and not stored. */
export function withStatus(
  sandbox: Sandbox,
  movement: Stripe.BalanceTransaction,
): Stripe.BalanceTransaction {
  const isAvailable = movement.available_on <= sandbox.clock.nowSeconds();
  return { ...movement, status: isAvailable ? 'available' : 'pending' };
}

/** The provider's balance: sums of net amounts by currency, available and pending. */
export function readBalance(sandbox: Sandbox): Stripe.Balance {
  const rows = sandbox.store.db
    .prepare(
      `select json_extract(body, '$.currency') as currency,
         sum(case when json_extract(body, '$.available_on') <= ?1
           then json_extract(body, '$.net') else 0 end) as available,
         sum(case when json_extract(body, '$.available_on') > ?1
           then json_extract(body, '$.net') else 0 end) as pending
       from objects where kind = 'balance_transaction' group by 1 order by 1`,
    )
    .all(sandbox.clock.nowSeconds());
  const sums = rows.length > 0 ? rows : [{ currency: 'usd', available: 0, pending: 0 }];
  const pick = (column: 'available' | 'pending') =>
    sums.map((row) => ({
      amount: Number(row[column]),
      currency: String(row['currency']),
      source_types: { card: Number(row[column]) },
    }));
  return {
    object: 'balance',
    available: pick('available'),
    livemode: false,
    pending: pick('pending'),
    refund_and_dispute_prefunding: { available: [], pending: [] },
  };
}
