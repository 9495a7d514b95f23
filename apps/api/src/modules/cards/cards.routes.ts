import { createHash } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import { api, type BodyOf } from '@athos/contract/api';
import { API_PREFIX } from '@athos/contract/call';
import {
  centsNumber,
  microAth,
  parseRate,
  parseUnits,
  parseUsdNumber,
  rateNumber,
  usdCents,
} from '@athos/domain/money';
import type { Config } from '../../config/config.ts';
import { dateOf } from '../../platform/clock.ts';
import { endpoint, type EndpointDeps } from '../../platform/http/endpoint.ts';
import { AppError } from '../../platform/errors.ts';
import { beginOrder } from './orders/begin-order.ts';
import { cancelOrder } from './orders/cancel-order.ts';
import type { ReadProgramme } from '../../platform/settings/programme-settings.ts';
import { createStatusReader } from './orders/order-status.ts';
import { rateOfOrder, selectPendingOrders, type OrderRow } from './orders/orders.sql.ts';
import { receiveEvent } from './events/provider-events.ts';
import type { CardQuote } from './orders/quote.ts';
import type { SettleDeps } from './orders/settle-deps.ts';

type CardRouteDeps = Omit<SettleDeps, 'config'> &
  EndpointDeps & {
    readonly programme: ReadProgramme;
    readonly config: Pick<
      Config,
      'hashingKeys' | 'isProduction' | 'limits' | 'rateMaxAgeMs' | 'stripe'
    >;
  };

type WireRequest = BodyOf<'createPaymentIntent'>;

const WEBHOOK_BYTES_MAX = 256 * 1024;
/** Calls that wait for the provider have their own timeouts, below the client's 10 s. */
const ASKS_PROVIDER = { answerWithinMs: 9_000 } as const;

function readQuote(body: WireRequest): CardQuote {
  return {
    usdPerAth: parseRate(body.exchangeRate),
    amountMicroAth:
      body.tokenAmount === undefined ? undefined : microAth(parseUnits(body.tokenAmount)),
    claimed: {
      priceUsdCents: parseUsdNumber(body.subtotal),
      productFeeUsdCents: parseUsdNumber(body.athosFee),
      processingFeeUsdCents: parseUsdNumber(body.processingFee),
      totalUsdCents: parseUsdNumber(body.total),
    },
  };
}

function hashOf(body: WireRequest): Buffer {
  const { exchangeRate, subtotal, athosFee, processingFee, total, description } = body;
  const fields = [exchangeRate, subtotal, athosFee, processingFee, total, description];
  return createHash('sha256')
    .update(JSON.stringify([...fields, body.tokenAmount ?? null]))
    .digest();
}

/** An expired order is about to be canceled, so it is not listed. */
const isListed = (order: OrderRow, now: Date): boolean =>
  stateOf(order) === 'processing' || order.expires_at > now;

const stateOf = ({ state, provider_status }: OrderRow): 'open' | 'processing' =>
  state === 'review' || provider_status === 'processing' || provider_status === 'succeeded'
    ? 'processing'
    : 'open';

const presentPending = (order: OrderRow) => ({
  id: order.id,
  token_amount: order.amount_micro_ath.toString(),
  total: centsNumber(usdCents(order.total_usd_cents)),
  exchange_rate: rateNumber(rateOfOrder(order)),
  created_at: order.created_at.toISOString(),
  expires_at: order.expires_at.toISOString(),
  state: stateOf(order),
});

export function registerCardRoutes(app: FastifyInstance, deps: CardRouteDeps): void {
  const readStatus = createStatusReader(deps);

  endpoint(
    app,
    deps,
    { ...api.createPaymentIntent, ...ASKS_PROVIDER },
    async ({ user, body, key, reply }) => {
      const begun = await beginOrder(deps, {
        userId: user.userId,
        key,
        bodyHash: hashOf(body),
        quote: readQuote(body),
      });
      reply.header('cache-control', 'no-store');
      return { client_secret: begun.clientSecret, id: begun.orderId };
    },
  );

  endpoint(app, deps, api.pendingPayments, async ({ user, reply }) => {
    const now = dateOf(deps.clock);
    const orders = await selectPendingOrders(deps.db, user.userId);
    reply.header('cache-control', 'no-store');
    return { pending: orders.filter((order) => isListed(order, now)).map(presentPending) };
  });

  endpoint(
    app,
    deps,
    { ...api.paymentIntent, ...ASKS_PROVIDER },
    async ({ user, params, reply }) => {
      const { status, error } = await readStatus(user.userId, params.id);
      reply.header('cache-control', 'no-store');
      return { stripe_status: status, error };
    },
  );

  endpoint(
    app,
    deps,
    { ...api.cancelPayment, ...ASKS_PROVIDER },
    async ({ user, params, reply }) => {
      const { status, error } = await cancelOrder(deps, user.userId, params.id);
      reply.header('cache-control', 'no-store');
      return { stripe_status: status, error };
    },
  );

  void app.register((scope, _options, done) => {
    registerWebhook(scope, deps);
    done();
  });
}

/** The body stays raw, since the signature, which authenticates the provider, covers its bytes. */
function registerWebhook(scope: FastifyInstance, deps: CardRouteDeps): void {
  scope.removeAllContentTypeParsers();
  scope.addContentTypeParser(
    '*',
    { parseAs: 'buffer', bodyLimit: WEBHOOK_BYTES_MAX },
    (_request, body, done) => done(null, body),
  );
  scope.post(
    `${API_PREFIX}/webhooks/stripe`,
    { schema: { hide: true }, bodyLimit: WEBHOOK_BYTES_MAX },
    async (request, reply) => {
      const signature = request.headers['stripe-signature'];
      if (!Buffer.isBuffer(request.body) || typeof signature !== 'string') {
        throw new AppError('invalid_request', { detail: 'Signed events of the provider only.' });
      }
      // A 2xx acknowledges that the event is stored, so the commit comes first.
      await receiveEvent(deps, await deps.cardProvider.readWebhook(request.body, signature));
      return reply.send({ received: true });
    },
  );
}
