/**
 * The card provider's script (spec 7), loaded when a card form is first opened. The provider's packages use the
 * `window.Stripe` that it defines.
 */
import { loadStripe } from '@stripe/stripe-js/pure';
import type { Stripe } from '@stripe/stripe-js';
import { settings } from '../../state/settings.ts';

/** After this time the user can try again. */
const SCRIPT_DEADLINE_MS = 10_000;
/** Interval for checking whether the script has run. */
const LOOK_EVERY_MS = 50;

const isThere = (): boolean => window.Stripe !== undefined;

let loading: Promise<void> | undefined;

function addScript(url: string): Promise<void> {
  const script = document.createElement('script');
  script.src = url;
  script.async = true;
  return new Promise((resolve, reject) => {
    const look = setInterval(() => {
      if (isThere()) end();
    }, LOOK_EVERY_MS);
    const deadline = setTimeout(() => end('is not there in time'), SCRIPT_DEADLINE_MS);
    function end(fault?: string): void {
      clearInterval(look);
      clearTimeout(deadline);
      if (fault === undefined) return resolve();
      // Removed so that the next attempt loads it again.
      script.remove();
      reject(new Error(`The card provider's script ${fault}`));
    }
    script.addEventListener('load', () => {
      if (isThere()) end();
    });
    script.addEventListener('error', () => end('did not load'));
    document.head.append(script);
  });
}

function loadScript(url: string): Promise<void> {
  if (isThere()) return Promise.resolve();
  loading ??= addScript(url).finally(() => (loading = undefined));
  return loading;
}

/** Returns the provider's API for this installation. Throws if its script cannot be loaded. */
export async function loadCardProvider(): Promise<Stripe> {
  const { stripePublishableKey, stripeScriptUrl } = settings();
  if (stripePublishableKey === null || stripeScriptUrl === null) {
    throw new Error('This installation accepts no cards');
  }
  await loadScript(stripeScriptUrl);
  const stripe = await loadStripe(stripePublishableKey);
  if (stripe === null) throw new Error("The card provider's script does not work here");
  return stripe;
}
