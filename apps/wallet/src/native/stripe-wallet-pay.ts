import { isAndroid, stripe } from './plugins.ts';
import type { WalletPay, WalletPayFacts, WalletPayOutcome } from './wallet-pay.ts';

/** Spec 7. */
const COUNTRY = 'US';
const CURRENCY = 'USD';

/** The plugin's results begin with the name of the wallet. */
function outcomeOf(result: string): WalletPayOutcome {
  if (result.endsWith('Completed')) return 'completed';
  return result.endsWith('Canceled') ? 'canceled' : 'failed';
}

/** The plugin answers by resolving, or by rejecting where there is none. */
const isThere = (asked: Promise<void>): Promise<boolean> =>
  asked.then(
    () => true,
    () => false,
  );

const applePay = ({ label }: WalletPayFacts, merchantIdentifier: string): WalletPay => ({
  kind: 'apple',
  async pay({ clientSecret, totalUsdCents }) {
    await stripe.createApplePay({
      paymentIntentClientSecret: clientSecret,
      // The plugin takes dollars, and only to show them: what is charged is the payment's own amount.
      paymentSummaryItems: [{ label, amount: Number(totalUsdCents) / 100 }],
      merchantIdentifier,
      countryCode: COUNTRY,
      currency: CURRENCY,
    });
    return outcomeOf((await stripe.presentApplePay()).paymentResult);
  },
});

/** Country and merchant stand in the Android manifest, from where the plugin prepares it. */
const googlePay: WalletPay = {
  kind: 'google',
  async pay({ clientSecret }) {
    await stripe.createGooglePay({ paymentIntentClientSecret: clientSecret, currency: CURRENCY });
    return outcomeOf((await stripe.presentGooglePay()).paymentResult);
  },
};

/** `undefined` where the phone has none. Never rejects. */
export async function createWalletPay(facts: WalletPayFacts): Promise<WalletPay | undefined> {
  const { publishableKey, appleMerchantId } = facts;
  if (!(await isThere(stripe.initialize({ publishableKey })))) return undefined;
  if (isAndroid()) {
    return (await isThere(stripe.isGooglePayAvailable())) ? googlePay : undefined;
  }
  if (appleMerchantId === null || !(await isThere(stripe.isApplePayAvailable()))) return undefined;
  return applePay(facts, appleMerchantId);
}
