import type Stripe from 'stripe';
import { createId, readId } from '../ids.ts';
import type { Sandbox } from '../sandbox.ts';
import { missingResource } from '../transport/errors.ts';
import { answerList, listSpec, readFilters } from '../transport/list.ts';
import { ok } from '../transport/route.ts';
import type { Route } from '../transport/route.ts';
import { emit } from '../webhooks/events.ts';

const kind = 'radar.early_fraud_warning';

export const fraudTypes = [
  'card_never_received',
  'fraudulent_card_application',
  'made_with_counterfeit_card',
  'made_with_lost_card',
  'made_with_stolen_card',
  'misc',
  'unauthorized_use_of_card',
] as const;

/** Records that the issuer suspects fraud. No money moves. */
export function warn(
  sandbox: Sandbox,
  charge: Stripe.Charge,
  fraudType: (typeof fraudTypes)[number],
): Stripe.Radar.EarlyFraudWarning {
  const intentId = readId(charge.payment_intent);
  const warning: Stripe.Radar.EarlyFraudWarning = {
    id: createId('issfr_1'),
    object: kind,
    actionable: !charge.disputed && !charge.refunded,
    charge: charge.id,
    created: sandbox.clock.nowSeconds(),
    fraud_type: fraudType,
    livemode: false,
    ...(intentId === '' ? {} : { payment_intent: intentId }),
  };
  sandbox.store.insert(kind, warning);
  emit(sandbox, null, { type: 'radar.early_fraud_warning.created', object: warning });
  return warning;
}

/** After a dispute or a full refund, the warnings of a charge require no action. */
export function closeWarnings(sandbox: Sandbox, chargeId: string): void {
  const { data } = sandbox.store.list(kind, { limit: 100, equals: { charge: [chargeId] } });
  for (const warning of data) {
    if (!warning.actionable) continue;
    const closed = { ...warning, actionable: false };
    sandbox.store.update(kind, closed);
    const previous = { actionable: true };
    emit(sandbox, null, { type: 'radar.early_fraud_warning.updated', object: closed, previous });
  }
}

export const warningRoutes: readonly Route[] = [
  {
    method: 'GET',
    path: '/v1/radar/early_fraud_warnings',
    params: { ...listSpec, charge: 'text', created: 'text or map', payment_intent: 'text' },
    run: (call) =>
      answerList(call, kind, {
        url: '/v1/radar/early_fraud_warnings',
        equals: readFilters(call, ['charge', 'payment_intent']),
      }),
  },
  {
    method: 'GET',
    path: '/v1/radar/early_fraud_warnings/:id',
    params: { expand: 'list' },
    run: (call) => {
      const warning = call.sandbox.store.find(kind, call.id)?.object;
      if (warning === undefined) throw missingResource('early fraud warning', call.id);
      return ok(warning);
    },
  },
];
