/** POST payment_intent/{id}/cancel through HTTP, against the sandbox. */
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { microAth } from '@athos/domain/money';
import { balanceOf, beginOrder, getPayment, readOrder } from '../../../../test/card-purchase.ts';
import type { CardSandbox } from '../../../../test/card-sandbox.ts';
import { startCardsApp } from '../../../../test/cards-app.ts';
import { expectBooksBalance } from '../../../../test/expect-books-balance.ts';
import type { TappedCardProvider } from '../../../../test/tapped-card-provider.ts';
import type { TestApp, TestUser } from '../../../../test/test-app.ts';
import { AppError } from '../../../platform/errors.ts';

const HUNDRED_ATH = microAth(100_000_000n);
/** The provider's test cards for 3-D Secure, and for a payment that stays in processing. */
const ASKS_THE_BANK = '4000000000003220';
const KEEPS_PROCESSING = '4000000000092009';

let sandbox: CardSandbox;
let provider: TappedCardProvider;
let app: TestApp;
let close: () => Promise<void>;

beforeAll(async () => {
  ({ app, sandbox, provider, close } = await startCardsApp({
    env: { RATE_MAX_AGE_SECONDS: '86400' },
  }));
});
afterAll(() => close());
afterEach(async () => {
  provider.untap();
  await expectBooksBalance(app.deps.config.databaseUrl);
});

const begin = (user: TestUser) => beginOrder(app, user, HUNDRED_ATH);

const cancel = (user: TestUser | undefined, id: string) =>
  app.request({
    method: 'POST',
    url: `/api/payment_intent/${id}/cancel`,
    ...(user !== undefined && { user }),
  });
const pending = async (user: TestUser) =>
  (await app.request({ method: 'GET', url: '/api/payment_intent', user })).body.pending;

const confirm = (intentId: string, number: string) =>
  sandbox.call('POST', `/payment_intents/${intentId}/confirm`, {
    'payment_method_data[type]': 'card',
    'payment_method_data[card][number]': number,
    'payment_method_data[card][exp_month]': '12',
    'payment_method_data[card][exp_year]': '2034',
    'payment_method_data[card][cvc]': '123',
  });

describe('canceling a begun purchase', () => {
  it('ends it here and at the provider, and a repetition answers the same', async () => {
    const user = await app.createUser();
    const { id, intentId } = await begin(user);
    const { status, body, headers } = await cancel(user, id);
    expect(status).toBe(200);
    expect(body).toEqual({ stripe_status: 2, error: 'This payment was canceled.' });
    expect(headers['cache-control']).toBe('no-store');
    expect((await sandbox.call('GET', `/payment_intents/${intentId}`)).status).toBe('canceled');
    expect(await readOrder(app, id)).toMatchObject({ state: 'canceled', was_attempted: false });
    expect(await pending(user)).toEqual([]);
    expect((await cancel(user, id)).body).toEqual(body);
  });

  it('also ends one that waits for the bank’s question to be answered', async () => {
    const user = await app.createUser();
    const { id, intentId } = await begin(user);
    expect((await confirm(intentId, ASKS_THE_BANK)).status).toBe('requires_action');
    expect((await cancel(user, id)).body.stripe_status).toBe(2);
    expect(await readOrder(app, id)).toMatchObject({ state: 'canceled', was_attempted: true });
  });

  it('credits a payment that was faster', async () => {
    const user = await app.createUser();
    const { id, secret } = await begin(user);
    await sandbox.pay(secret);
    expect((await cancel(user, id)).body).toEqual({ stripe_status: 1, error: null });
    expect(await balanceOf(app, user)).toBe('100000000');
    expect((await cancel(user, id)).body).toEqual({ stripe_status: 1, error: null });
  });

  it('leaves a payment that the bank is deciding on', async () => {
    const user = await app.createUser();
    const { id, intentId } = await begin(user);
    await confirm(intentId, KEEPS_PROCESSING);
    expect((await cancel(user, id)).body).toEqual({ stripe_status: 0, error: null });
    expect(await pending(user)).toMatchObject([{ id, state: 'processing' }]);
  });

  it('asks the provider once for twenty requests at a time', async () => {
    const user = await app.createUser();
    const { id } = await begin(user);
    let asked = 0;
    provider.tap({
      cancelIntent(intentId) {
        asked += 1;
        return provider.real.cancelIntent(intentId);
      },
    });
    const answers = await Promise.all(Array.from({ length: 20 }, () => cancel(user, id)));
    expect(new Set(answers.map(({ body }) => body.stripe_status))).toEqual(new Set([2]));
    expect(asked).toBe(1);
  });

  it('is not for anybody else, and needs a session', async () => {
    const [user, other] = [await app.createUser(), await app.createUser()];
    const { id } = await begin(user);
    const foreign = await cancel(other, id);
    expect([foreign.status, foreign.body.code]).toEqual([404, 'not_found']);
    expect((await cancel(undefined, id)).status).toBe(401);
    expect(await readOrder(app, id)).toMatchObject({ state: 'open' });
  });

  it('answers 503 while the provider is away, and the order stays as it was', async () => {
    const user = await app.createUser();
    const { id } = await begin(user);
    provider.tap({ cancelIntent: () => Promise.reject(new AppError('provider_unavailable')) });
    const { status, body } = await cancel(user, id);
    expect([status, body.code]).toEqual([503, 'provider_unavailable']);
    expect((await getPayment(app, user, id)).body).toEqual({ stripe_status: 0, error: null });
    provider.untap();
    expect((await cancel(user, id)).body.stripe_status).toBe(2);
  });
});
