import { createCardProvider, type CardProvider } from '../src/modules/cards/index.ts';
import { SANDBOX_SECRET_KEY, SANDBOX_WEBHOOK_SECRET } from './card-sandbox.ts';

/** What the provider has rolled the sandbox's secret to. */
export const ROLLED_WEBHOOK_SECRET = 'whsec_rolled';

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
    webhookSecrets: [ROLLED_WEBHOOK_SECRET, SANDBOX_WEBHOOK_SECRET],
    apiUrl: sandboxUrl,
  });
  const counts = { retrieveIntent: 0, createIntent: 0 };
  let taps: Partial<CardProvider> = {};
  const controls = {
    real,
    counts,
    tap(calls: Partial<CardProvider>) {
      taps = calls;
    },
    untap() {
      taps = {};
    },
  };
  return new Proxy(
    { ...real, ...controls },
    {
      get(calls, name: keyof TappedCardProvider) {
        if (name in controls) return calls[name];
        if (name === 'createIntent' || name === 'retrieveIntent') counts[name] += 1;
        return { ...calls, ...taps }[name];
      },
    },
  );
}
