import { createCardProvider, type CardProvider } from '../src/modules/cards/index.ts';
import { SANDBOX_SECRET_KEY, SANDBOX_WEBHOOK_SECRET } from './card-sandbox.ts';

export interface TappedCardProvider extends CardProvider {
  /** Replaces calls of the provider until `untap`. */
  tap(calls: Partial<CardProvider>): void;
  untap(): void;
  /** The provider itself, for a tap that only wraps a call. */
  readonly real: CardProvider;
  readonly counts: { retrieveIntent: number; createIntent: number };
}

/** The card provider connected to the sandbox, with calls that a test can replace. */
export function tapCardProvider(sandboxUrl: string): TappedCardProvider {
  const real = createCardProvider({
    secretKey: SANDBOX_SECRET_KEY,
    webhookSecret: SANDBOX_WEBHOOK_SECRET,
    apiUrl: sandboxUrl,
  });
  const counts = { retrieveIntent: 0, createIntent: 0 };
  let taps: Partial<CardProvider> = {};
  const current = (): CardProvider => ({ ...real, ...taps });
  return {
    real,
    counts,
    tap(calls) {
      taps = calls;
    },
    untap() {
      taps = {};
    },
    createIntent(request) {
      counts.createIntent += 1;
      return current().createIntent(request);
    },
    retrieveIntent(intentId) {
      counts.retrieveIntent += 1;
      return current().retrieveIntent(intentId);
    },
    cancelIntent: (intentId) => current().cancelIntent(intentId),
    listIntents: (range) => current().listIntents(range),
    listEvents: (range) => current().listEvents(range),
    readWebhook: (rawBody, signature) => current().readWebhook(rawBody, signature),
  };
}
