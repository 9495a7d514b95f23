import type Stripe from 'stripe';
import { bookMovement } from '../balance/movements.ts';
import { readId } from '../ids.ts';
import type { Sandbox } from '../sandbox.ts';

/** Whether the disputed money has been withdrawn from the balance. */
export function isWithdrawn(dispute: Stripe.Dispute): boolean {
  return heldAmount(dispute) > 0;
}

function heldAmount(dispute: Stripe.Dispute): number {
  return -dispute.balance_transactions.reduce((sum, { amount }) => sum + amount, 0);
}

/** Takes the disputed amount and the fee for a dispute. Returns the dispute, not yet stored. */
export function withdraw(sandbox: Sandbox, dispute: Stripe.Dispute): Stripe.Dispute {
  return addMovement(sandbox, dispute, {
    amount: -dispute.amount,
    fee: sandbox.controls.disputeFees.opened,
    reportingCategory: 'dispute',
    description: `Chargeback withdrawal for ${readId(dispute.charge)}`,
  });
}

/** Returns the disputed amount, and the part of the fees that the controls specify. Returns the dispute, not yet stored. */
export function reinstate(sandbox: Sandbox, dispute: Stripe.Dispute): Stripe.Dispute {
  return addMovement(sandbox, dispute, {
    amount: heldAmount(dispute),
    fee: 0 - sandbox.controls.disputeFees.returned,
    reportingCategory: 'dispute_reversal',
    description: `Chargeback reversal for ${readId(dispute.charge)}`,
  });
}

function addMovement(
  sandbox: Sandbox,
  dispute: Stripe.Dispute,
  movement: { amount: number; fee: number; reportingCategory: string; description: string },
): Stripe.Dispute {
  const booked = bookMovement(sandbox, {
    ...movement,
    currency: dispute.currency,
    type: 'adjustment',
    source: dispute.id,
    availableOn: sandbox.clock.nowSeconds(),
  });
  return { ...dispute, balance_transactions: [...dispute.balance_transactions, booked] };
}

/**
 * Books the fee for answering a dispute. It is a separate movement that only the list of balance transactions shows: a
 * dispute lists only the ones that withdraw and reinstate its funds.
 */
export function bookCounterFee(sandbox: Sandbox, dispute: Stripe.Dispute): void {
  const { countered } = sandbox.controls.disputeFees;
  if (countered === 0) return;
  bookMovement(sandbox, {
    amount: -countered,
    fee: 0,
    currency: dispute.currency,
    type: 'stripe_fee',
    reportingCategory: 'fee',
    description: `Dispute countered fee for ${dispute.id}`,
    source: dispute.id,
    availableOn: sandbox.clock.nowSeconds(),
  });
}
