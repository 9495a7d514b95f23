/** Events as the card provider signs and sends them. */
import Stripe from 'stripe';
import { SANDBOX_WEBHOOK_SECRET } from './card-sandbox.ts';
import type { TestAnswer, TestApp } from './test-app.ts';

export const eventBody = (change: object = {}): string =>
  JSON.stringify({
    id: `evt_${crypto.randomUUID().replaceAll('-', '')}`,
    object: 'event',
    api_version: '2026-10-28.endive',
    created: Math.floor(Date.now() / 1000),
    type: 'payment_intent.succeeded',
    livemode: false,
    pending_webhooks: 1,
    request: null,
    data: { object: { id: 'pi_1', object: 'payment_intent', metadata: { env: 'development' } } },
    ...change,
  });

export const signEvent = (
  payload: string,
  change: { secret?: string; timestamp?: number } = {},
): string =>
  Stripe.webhooks.generateTestHeaderString({ payload, secret: SANDBOX_WEBHOOK_SECRET, ...change });

export const sendEvent = (
  app: TestApp,
  payload: string,
  signature: string | undefined,
  type = 'application/json',
): Promise<TestAnswer> =>
  app.request({
    method: 'POST',
    url: '/api/webhooks/stripe',
    payload,
    headers: {
      'content-type': type,
      ...(signature === undefined ? {} : { 'stripe-signature': signature }),
    },
  });
