// @vitest-environment jsdom
import { screen } from '@testing-library/react';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { answerOffers, wireOffer } from '@athos/testing/samples/catalogue';
import { FAKE_UUID, fakeToken } from '@athos/testing/session';
import type { FakeBackend } from '@athos/testing/fake-fetch';
import { beginTest, endWholeTest, settle, startAt } from '../../../test/whole-app.tsx';
import { readOffer } from '../../api/offer.ts';
import { cartOf } from '../../state/cart.ts';

let backend: FakeBackend;
beforeEach(() => {
  backend = beginTest();
});
afterEach(endWholeTest);

it('[S2-088] counts the items of all lines on the cart entry, and shows no badge for an empty cart', async () => {
  answerOffers(backend, wireOffer(1), wireOffer(2));
  cartOf(FAKE_UUID).add(readOffer(wireOffer(1)), 3);
  cartOf(FAKE_UUID).add(readOffer(wireOffer(2)), 2);
  localStorage.setItem('jwt', fakeToken());
  await startAt('/app');
  await settle(1200);
  const entry = screen.getByRole('link', { name: 'Cart, 5 items' });
  expect(entry.textContent).toContain('5');
  cartOf(FAKE_UUID).setCount(1, 1);
  await settle();
  expect(screen.getByRole('link', { name: 'Cart, 3 items' })).toBe(entry);
  cartOf(FAKE_UUID).clear();
  await settle();
  expect(screen.getByRole('link', { name: 'Cart' }).textContent).toBe('Cart');
});
