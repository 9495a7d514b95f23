import { isAndroid, stripe } from './plugins.ts';
import type { WalletPay, WalletPayFacts, WalletPayOutcome } from './wallet-pay.ts';

/** Spec 7. */
const COUNTRY = 'US';
const CURRENCY = 'USD';

/** The plugin's results start with the name of the wallet. */
function outcomeOf(result: string): WalletPayOutcome {
  if (result.endsWith('Completed')) return 'completed';
  return result.endsWith('Canceled') ? 'canceled' : 'failed';
}

/** The plugin resolves if the wallet is available and rejects if it is not. */
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
      // The plugin takes dollars, but only to display them: the payment's own amount is charged.
      paymentSummaryItems: [{ label, amount: Number(totalUsdCents) / 100 }],
      merchantIdentifier,
      countryCode: COUNTRY,
      currency: CURRENCY,
    });
    return outcomeOf((await stripe.presentApplePay()).paymentResult);
  },
});

/** Country and merchant are in the Android manifest, from which the plugin reads them. */
const googlePay: WalletPay = {
  kind: 'google',
  async pay({ clientSecret }) {
    await stripe.createGooglePay({ paymentIntentClientSecret: clientSecret, currency: CURRENCY });
    return outcomeOf((await stripe.presentGooglePay()).paymentResult);
  },
};

/** Resolves to `undefined` if the phone has neither wallet. Never rejects. */
export async function createWalletPay(facts: WalletPayFacts): Promise<WalletPay | undefined> {
  const { publishableKey, appleMerchantId } = facts;
  if (!(await isThere(stripe.initialize({ publishableKey })))) return undefined;
  if (isAndroid()) {
    return (await isThere(stripe.isGooglePayAvailable())) ? googlePay : undefined;
  }
  if (appleMerchantId === null || !(await isThere(stripe.isApplePayAvailable()))) return undefined;
  return applePay(facts, appleMerchantId);
}
