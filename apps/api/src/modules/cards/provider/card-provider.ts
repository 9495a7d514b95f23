/**
 * The interface to the card provider and its implementation with the official SDK. Every failure becomes
 * `provider_unavailable`, so a caller either gets the provider's response or knows that there was none.
 */
import type Stripe from 'stripe';
import { z } from 'zod';
import { centsNumber, usdCents, type UsdCents } from '@athos/domain/money';
import { AppError } from '../../../platform/errors.ts';
import {
  connect,
  dateOfSeconds,
  PAGE_SIZE,
  readEach,
  secondsOf,
  type CardProviderConfig,
} from './connection.ts';
import { createCardAttempts, readCard, type CardAttempts, type PaidCard } from './card-attempts.ts';
import { createCardDisputes, type CardDisputes } from './card-disputes.ts';
import {
  createCardMoney,
  readTransaction,
  type CardMoney,
  type CardTransaction,
} from './card-money.ts';
import { codeOf, unavailable } from './provider-errors.ts';

/** The states of an intent. States that the SDK does not know pass through as text. */
type IntentStatus = Stripe.PaymentIntent.Status;

interface CardCharge {
  readonly chargeId: string;
  readonly madeAt: Date;
  readonly refundedUsdCents: UsdCents;
  readonly isDisputed: boolean;
  readonly card: PaidCard | undefined;
  /** The transaction, which contains the fee. `undefined` until the provider has recorded it, about a second after the payment. */
  readonly transaction: CardTransaction | undefined;
}

/** A payment intent as the provider currently reports it. */
export interface CardIntent {
  readonly intentId: string;
  readonly createdAt: Date;
  readonly status: IntentStatus;
  readonly amountUsdCents: UsdCents;
  readonly amountReceivedUsdCents: UsdCents;
  readonly currency: string;
  readonly metadata: Readonly<Record<string, string>>;
  /** Meant only for the owner's browser: never stored or logged. */
  readonly clientSecret: string;
  /** The reason why the last attempt failed. `message` is meant for the customer. */
  readonly error:
    | {
        readonly message: string;
        readonly chargeId: string | undefined;
        /** The bank's reason, such as `insufficient_funds`, or else the provider's. Both come from the provider's lists. */
        readonly reason: string | undefined;
      }
    | undefined;
  /** The charge of the last attempt. */
  readonly charge: CardCharge | undefined;
}

interface IntentRequest {
  /** The provider's idempotency key: a repeated request returns the same intent. */
  readonly orderId: string;
  readonly amountUsdCents: UsdCents;
  readonly description: string;
  readonly receiptEmail: string;
  readonly metadata: Readonly<Record<string, string>>;
}

/** Signals that an object has changed. Its content may be outdated, so the object is retrieved again. */
export interface ProviderEvent {
  readonly eventId: string;
  readonly type: string;
  readonly createdAt: Date;
  readonly isLive: boolean;
  readonly apiVersion: string | undefined;
  /** The object of the event: an intent, a charge, a refund and so on. */
  readonly objectId: string | undefined;
  /** The intent and the charge of the event, if any. For a failed payment, the charge is the declined one. */
  readonly intentId: string | undefined;
  readonly chargeId: string | undefined;
  /** The `env` of the object's metadata, since several systems may share one account. */
  readonly environment: string | undefined;
}

export interface CardProvider extends CardAttempts, CardMoney, CardDisputes {
  createIntent(request: IntentRequest): Promise<CardIntent>;
  retrieveIntent(intentId: string): Promise<CardIntent>;
  /** Cancels the intent if that is still possible and returns its state afterwards, which is paid if the payment won. */
  cancelIntent(intentId: string): Promise<CardIntent>;
  /**
   * Newest first, in requests of `PAGE_SIZE` that are made as they are needed. Times are rounded to whole seconds; both ends are
   * included.
   */
  listIntents(range: { from: Date; to: Date }): AsyncIterable<CardIntent>;
  /** Newest first; the provider keeps 30 days. Times are rounded to whole seconds; both ends are included. */
  listEvents(range: { from: Date; to: Date }): AsyncIterable<ProviderEvent>;
  /** Throws `invalid_request` for a body that the provider did not sign within the last 300 s. */
  readWebhook(rawBody: Buffer, signature: string | undefined): Promise<ProviderEvent>;
}

const CHARGE_EXPANSION = ['latest_charge.balance_transaction'];

function readCharge(charge: Stripe.PaymentIntent['latest_charge']): CardCharge | undefined {
  if (charge === null) return undefined;
  // Every call expands the charge; without its content, a refund would go unnoticed.
  if (typeof charge === 'string') throw new Error('the charge came without its content');
  const { id, created, amount_refunded, disputed, balance_transaction } = charge;
  return {
    chargeId: id,
    madeAt: dateOfSeconds(created),
    refundedUsdCents: usdCents(BigInt(amount_refunded)),
    isDisputed: disputed,
    card: readCard(charge),
    transaction:
      balance_transaction === null || typeof balance_transaction === 'string'
        ? undefined
        : readTransaction(balance_transaction),
  };
}

function readIntent(intent: Stripe.PaymentIntent): CardIntent {
  const { last_payment_error: error } = intent;
  return {
    intentId: intent.id,
    createdAt: dateOfSeconds(intent.created),
    status: intent.status,
    // BigInt throws for anything but a whole number, so nothing is credited in that case.
    amountUsdCents: usdCents(BigInt(intent.amount)),
    amountReceivedUsdCents: usdCents(BigInt(intent.amount_received)),
    currency: intent.currency,
    metadata: intent.metadata,
    clientSecret: intent.client_secret ?? '',
    error:
      error === null
        ? undefined
        : {
            message: error.message ?? 'The payment failed.',
            chargeId: error.charge,
            reason: error.decline_code ?? error.code,
          },
    charge: readCharge(intent.latest_charge),
  };
}

/** The parts of an event's object that we read. */
const eventObject = z.object({
  object: z.string(),
  id: z.string().optional(),
  payment_intent: z.string().nullish(),
  charge: z.string().nullish(),
  latest_charge: z.string().nullish(),
  metadata: z.record(z.string(), z.string()).nullish(),
});

type EventObject = z.infer<typeof eventObject>;

function chargeOf(about: EventObject): string | null | undefined {
  if (about.object === 'payment_intent') return about.latest_charge;
  return about.object === 'charge' ? about.id : about.charge;
}

function readEvent(event: Stripe.Event): ProviderEvent {
  const { data: about } = eventObject.safeParse(event.data.object);
  const isIntent = about?.object === 'payment_intent';
  return {
    eventId: event.id,
    type: event.type,
    createdAt: dateOfSeconds(event.created),
    isLive: event.livemode,
    apiVersion: event.api_version ?? undefined,
    objectId: about?.id,
    intentId: (isIntent ? about.id : about?.payment_intent) ?? undefined,
    chargeId: (about && chargeOf(about)) ?? undefined,
    environment: about?.metadata?.['env'],
  };
}

async function intentOf(call: Promise<Stripe.PaymentIntent>): Promise<CardIntent> {
  try {
    return readIntent(await call);
  } catch (error) {
    throw unavailable(error);
  }
}

/** Connects to the provider at `apiUrl`, the real one or the sandbox, on the first call. */
export function createCardProvider(config: CardProviderConfig): CardProvider {
  // The promise is not stored, so that a failure to load the SDK is not final.
  let stripe: Stripe | undefined;
  const connected = async (): Promise<Stripe> => (stripe ??= await connect(config));

  const retrieveIntent = async (intentId: string): Promise<CardIntent> => {
    const { paymentIntents } = await connected();
    return intentOf(paymentIntents.retrieve(intentId, { expand: CHARGE_EXPANSION }));
  };
  return {
    ...createCardAttempts(connected),
    ...createCardMoney(connected),
    ...createCardDisputes(connected),
    async createIntent({ orderId, amountUsdCents, description, receiptEmail, metadata }) {
      const params: Stripe.PaymentIntentCreateParams = {
        amount: centsNumber(amountUsdCents),
        currency: 'usd',
        allowed_payment_method_types: ['card'],
        description,
        receipt_email: receiptEmail,
        metadata,
      };
      const { paymentIntents } = await connected();
      return intentOf(paymentIntents.create(params, { idempotencyKey: orderId }));
    },
    retrieveIntent,
    async cancelIntent(intentId) {
      const { paymentIntents } = await connected();
      try {
        return readIntent(await paymentIntents.cancel(intentId, { expand: CHARGE_EXPANSION }));
      } catch (error) {
        if (codeOf(error) === 'payment_intent_unexpected_state') return retrieveIntent(intentId);
        throw unavailable(error);
      }
    },
    listIntents: ({ from, to }) =>
      readEach(
        connected(),
        ({ paymentIntents }) =>
          paymentIntents.list({
            created: { gte: secondsOf(from), lte: secondsOf(to) },
            limit: PAGE_SIZE,
            expand: CHARGE_EXPANSION.map((path) => `data.${path}`),
          }),
        readIntent,
      ),
    listEvents: ({ from, to }) =>
      readEach(
        connected(),
        ({ events }) =>
          events.list({
            created: { gte: secondsOf(from), lte: secondsOf(to) },
            limit: PAGE_SIZE,
          }),
        readEvent,
      ),
    async readWebhook(rawBody, signature) {
      const { webhooks } = await connected();
      for (const secret of config.webhookSecrets) {
        try {
          return readEvent(webhooks.constructEvent(rawBody, signature ?? '', secret));
        } catch {
          // The cause contains the body, so it is not passed on.
        }
      }
      throw new AppError('invalid_request', {
        detail: 'The signature does not belong to this body, or is too old.',
      });
    },
  };
}
