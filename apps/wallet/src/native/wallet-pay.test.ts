import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import {
  startTestSandbox,
  type TestSandbox,
} from '../../../../dev/sandbox/src/test/start-test-sandbox.ts';
import { installFakeShell, type FakeShell } from '../../test/fake-shell.ts';
import { findWalletPay, type WalletPayFacts } from './wallet-pay.ts';

const FACTS: WalletPayFacts = {
  publishableKey: 'pk_test_of_the_sandbox',
  appleMerchantId: 'merchant.example',
  label: 'THE LABEL',
};

let sandbox: TestSandbox;
let shell: FakeShell;

beforeEach(async () => {
  sandbox = await startTestSandbox();
});
afterEach(async () => {
  vi.unstubAllGlobals();
  await sandbox.end();
});

/** The phone's payment sheet, confirmed by the user: pays at the card provider with the given client secret. */
async function confirmAtProvider(method: string): Promise<void> {
  const [options] = shell.calls(method) as [{ paymentIntentClientSecret: string }];
  const secret = options.paymentIntentClientSecret;
  const id = secret.split('_secret_')[0] ?? '';
  const answer = await fetch(`${sandbox.url}/v1/payment_intents/${id}/confirm`, {
    method: 'POST',
    headers: { authorization: `Bearer ${FACTS.publishableKey}` },
    body: new URLSearchParams({ client_secret: secret, payment_method: 'pm_card_visa' }),
  });
  if (!answer.ok) throw new Error(await answer.text());
}

async function beginPayment() {
  const { id, client_secret: clientSecret } = await sandbox.stripe.paymentIntents.create({
    amount: 1868,
    currency: 'usd',
  });
  if (clientSecret === null) throw new Error('no client secret');
  return { id, order: { clientSecret, totalUsdCents: 1868n } };
}

const statusOf = async (id: string) => (await sandbox.stripe.paymentIntents.retrieve(id)).status;

describe('paying with the phone', () => {
  it('[S1-012] gives Apple Pay the client secret, the label, country and currency', async () => {
    shell = installFakeShell('ios');
    shell.answer('Stripe.presentApplePay', async () => {
      await confirmAtProvider('Stripe.createApplePay');
      return { paymentResult: 'applePayCompleted' };
    });
    const wallet = await findWalletPay(FACTS);
    expect(wallet?.kind).toBe('apple');
    const { id, order } = await beginPayment();
    expect(await wallet?.pay(order)).toBe('completed');
    expect(shell.calls('Stripe.initialize')).toEqual([{ publishableKey: FACTS.publishableKey }]);
    expect(shell.calls('Stripe.createApplePay')).toEqual([
      {
        paymentIntentClientSecret: order.clientSecret,
        paymentSummaryItems: [{ label: 'THE LABEL', amount: 18.68 }],
        merchantIdentifier: 'merchant.example',
        countryCode: 'US',
        currency: 'USD',
      },
    ]);
    expect(await statusOf(id)).toBe('succeeded');
  });

  it('[S1-013] gives Google Pay the client secret', async () => {
    shell = installFakeShell('android');
    shell.answer('Stripe.presentGooglePay', async () => {
      await confirmAtProvider('Stripe.createGooglePay');
      return { paymentResult: 'googlePayCompleted' };
    });
    const wallet = await findWalletPay(FACTS);
    expect(wallet?.kind).toBe('google');
    const { id, order } = await beginPayment();
    expect(await wallet?.pay(order)).toBe('completed');
    expect(shell.calls('Stripe.createGooglePay')).toEqual([
      { paymentIntentClientSecret: order.clientSecret, currency: 'USD' },
    ]);
    expect(await statusOf(id)).toBe('succeeded');
  });

  it('charges nothing when the sheet is dismissed', async () => {
    shell = installFakeShell('ios');
    shell.answer('Stripe.presentApplePay', () => ({ paymentResult: 'applePayCanceled' }));
    const { id, order } = await beginPayment();
    expect(await (await findWalletPay(FACTS))?.pay(order)).toBe('canceled');
    expect(await statusOf(id)).toBe('requires_payment_method');
  });

  it.each([
    ['the phone has no Apple Pay', 'ios', 'Stripe.isApplePayAvailable', FACTS],
    ['the phone has no Google Pay', 'android', 'Stripe.isGooglePayAvailable', FACTS],
    ['there is no merchant', 'ios', '', { ...FACTS, appleMerchantId: null }],
  ] as const)('is not there where %s', async (_, platform, missing, facts) => {
    shell = installFakeShell(platform);
    shell.answer(missing, () => {
      throw new Error('Not implemented on Device.');
    });
    expect(await findWalletPay(facts)).toBeUndefined();
  });

  it('is unavailable on the web', async () => {
    expect(await findWalletPay(FACTS)).toBeUndefined();
  });
});
