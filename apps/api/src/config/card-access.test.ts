import { expect, it } from 'vitest';
import { cardAccess } from './card-provider.ts';

const API_URL = 'https://api.stripe.com';

it('whoever only asks the card provider needs one key', () => {
  expect(cardAccess({ STRIPE_SECRET_KEY: 'rk_test_1' })).toEqual({
    faults: [],
    value: { secretKey: 'rk_test_1', apiUrl: API_URL },
  });
});

it.each([
  ['a test key in production', { NODE_ENV: 'production', STRIPE_SECRET_KEY: 'rk_test_1' }],
  [
    'a live key for a sandbox',
    { STRIPE_SECRET_KEY: 'rk_live_1', STRIPE_API_URL: 'http://127.0.0.1:1' },
  ],
])('is refused %s', (_, given) => {
  expect(cardAccess(given).faults).toHaveLength(1);
});
