import type { Aftermath } from '../cards/test-cards.ts';
import { findPaymentMethod } from '../payments/payment-methods.ts';
import type { Sandbox } from '../sandbox.ts';
import { warn } from '../warnings/early-fraud-warnings.ts';
import { openDispute } from './open-dispute.ts';
import type { DisputeTerms } from './open-dispute.ts';

const disputesOf: Partial<Record<Aftermath, Omit<DisputeTerms, 'amount'>>> = {
  dispute_fraudulent: { kind: 'chargeback', reason: 'fraudulent' },
  dispute_not_received: { kind: 'chargeback', reason: 'product_not_received' },
  inquiry: { kind: 'inquiry', reason: 'fraudulent' },
};

/** Timer: the later event of a test card's payment. A payment refunded in full by then is left alone. */
export function followCharge(sandbox: Sandbox, chargeId: string): void {
  const charge = sandbox.store.find('charge', chargeId)?.object;
  if (charge === undefined || charge.refunded || charge.disputed) return;
  const { outcome } = findPaymentMethod(sandbox, String(charge.payment_method)).card;
  const afterwards = outcome.kind === 'succeeds' ? outcome.afterwards : undefined;
  const terms = afterwards === undefined ? undefined : disputesOf[afterwards];
  if (afterwards === 'early_fraud_warning') warn(sandbox, charge, 'made_with_stolen_card');
  if (terms !== undefined) {
    openDispute(sandbox, charge.id, { ...terms, amount: charge.amount - charge.amount_refunded });
  }
}
