/** The main screens reflow: `npm run axe` checks every state of every screen. */
import { expect, test } from '@playwright/test';
import { openState, states } from '../open-state.ts';
import { findLayoutFaults } from './faults.ts';

const MAIN_STATES: ReadonlySet<string> = new Set([
  'get-started/idle',
  'sign-in/filled',
  'home/filled',
  'home/huge-balance',
  'category/filled',
  'offer/on-sale',
  'cart/filled',
  'purchases/filled',
  'redeem-purchase/three-items',
  'summary/filled',
  'recipient/contacts',
  'buy/filled',
  'wallet/filled',
  'history/filled',
  'history-detail/sent',
  'settings/filled',
]);

for (const state of states.filter(({ name }) => MAIN_STATES.has(name))) {
  test(`${state.name} cuts no text off at 320 px and at 200 % text`, async ({ browser }) => {
    const page = await openState(browser, state);
    expect(await findLayoutFaults(page)).toEqual([]);
    await page.context().close();
  });
}
