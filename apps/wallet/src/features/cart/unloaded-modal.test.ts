// @vitest-environment jsdom
import { screen } from '@testing-library/react';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { walletAnswers } from '@athos/testing/answers';
import { installFakeBackend } from '@athos/testing/fake-fetch';
import { pass, useFakeTime } from '@athos/testing/fake-time';
import { answerOffers, wireOffer } from '@athos/testing/samples/catalogue';
import { FAKE_UUID } from '@athos/testing/session';
import { endTest, openAt } from '../../../test/signed-in.tsx';
import { readOffer } from '../../api/offer.ts';
import { cartOf } from '../../state/cart.ts';

vi.mock('./bought-modal.tsx', () => {
  throw new TypeError('Failed to fetch dynamically imported module');
});

beforeEach(() => useFakeTime());
afterEach(endTest);

it('a purchase is reported although its dialog cannot be loaded', async () => {
  const backend = installFakeBackend(walletAnswers);
  backend.answer('purchase', () => ({ purchase_id: 5, items: [], balance: '0' }));
  answerOffers(backend, wireOffer(1));
  cartOf(FAKE_UUID).add(readOffer(wireOffer(1)), 1);
  const user = await openAt('/app/cart');
  await user.click(screen.getByRole('button', { name: 'Buy' }));
  await pass();
  expect(screen.getByText('Purchase was successful!')).toBeDefined();
  expect(screen.getByRole('heading', { name: 'Your Cart' })).toBeDefined();
  expect(screen.getByText('Your cart is empty...')).toBeDefined();
});
