import { QR_REFRESH_MS } from '@athos/domain/qr-payload';
import type { BrowserContext, Page } from '@playwright/test';
import { balanceOf } from '../answers.ts';
import { problem, silence } from '../fake-api.ts';
import { LARGE_BALANCE } from '../samples/holder.ts';
import {
  OTHER_PHONE,
  overTicketAnswers,
  ticketAnswers,
  withheldAnswers,
} from '../samples/tickets.ts';
import { wireItem, type WireItem } from '../samples/purchases.ts';
import { press, see, seen } from '../steps/acts.ts';
import { statesOf, type ScreenState } from './screen-state.ts';

const NOTE =
  'Doors open at **19:00**. Bring an ID.\n\n- One drink included\n- Cloakroom is free\n\nSee the [programme](https://hall.example/p).';

const offers = {
  night: { id: 71, title: '**Midnight Bloom** Open Air', kind: 1 },
  case: { id: 72, title: 'Amber Fizz, case of 12', kind: 0 },
  laps: {
    id: 73,
    title: 'A supercar morning with a *professional* driver, breakfast and a picture of it',
    kind: 1,
  },
  bar: { id: 74, title: 'Half price at the Harbour Bar', kind: 2, active: false },
};

const redeemed = { redeemedAt: '2026-11-20T21:30:00.000Z', venue: 'Sky Bar' };

const item = (
  id: number,
  purchaseId: number,
  name: keyof typeof offers,
  facts: Parameters<typeof wireItem>[2] = {},
): WireItem =>
  wireItem(id, purchaseId, { ...facts, offer: { img: '', note: NOTE, ...offers[name] } });

/** Purchase 1 can be redeemed in part, 2 in full, 3 no longer, and 4 is redeemed. */
const FEW = [
  item(11, 1, 'night'),
  item(12, 1, 'night'),
  item(13, 1, 'case'),
  item(14, 1, 'laps', redeemed),
  item(21, 2, 'laps'),
  item(31, 3, 'bar'),
  item(41, 4, 'case', redeemed),
  item(42, 4, 'case', redeemed),
];
const MANY = Array.from({ length: 43 }, (_, index) => item(9_000_001 + index, 1, 'night'));

const bought = (purchases: WireItem[]) => ({ myPurchases: () => ({ purchases }) });
const forbidden = () => problem('forbidden');

async function openFirst(page: Page): Promise<void> {
  await page.getByRole('article').first().getByRole('button').first().click();
}

const purchasesScreen = statesOf(
  'purchases',
  { path: '/app/my-purchases', answers: bought(FEW) },
  {
    filled: { isWhole: true, reach: openFirst },
    preview: {
      reach: async (page) => {
        await openFirst(page);
        const items = page.getByRole('article').first().getByRole('list');
        await items.getByRole('button').first().click();
        await see(page, 'Doors open at');
      },
    },
    empty: { answers: bought([]), reach: seen('waiting on your first purchase') },
    loading: { answers: { myPurchases: silence }, reach: seen('My Purchases') },
    failed: {
      answers: { myPurchases: forbidden },
      reach: seen('Your purchases could not be loaded.'),
    },
  },
);

const redeemCode = (page: Page): Promise<void> =>
  page.getByRole('img', { name: 'QR code to redeem your purchase' }).waitFor();

/** Emulates touch, by which the app recognises phones. */
const withFinger = (context: BrowserContext): Promise<unknown> =>
  context.addInitScript(() => {
    const ask = globalThis.matchMedia.bind(globalThis);
    globalThis.matchMedia = (query) =>
      query === '(pointer: coarse)' ? ask('(min-width: 0)') : ask(query);
  });

/** More than any automatic correction of a clock. */
const CLOCK_BACK_MS = 60_000;

const askOfflineCode = (text: string) => async (page: Page) => {
  await page.getByRole('button', { name: 'Offline code' }).click();
  await seen(text)(page);
};

const redeemScreen = statesOf(
  'redeem-purchase',
  { path: '/app/my-purchases/1/redeem', answers: bought(FEW) },
  {
    'three-items': { isWhole: true, reach: redeemCode },
    'one-item': { path: '/app/my-purchases/1/redeem?itemId=12', reach: redeemCode },
    'forty-items': { answers: bought(MANY), reach: redeemCode },
    'none-selected': { path: '/app/my-purchases/3/redeem', reach: seen('none selected') },
    'redeemed-before': { path: '/app/my-purchases/4/redeem', reach: seen('has been redeemed') },
    'not-found': { path: '/app/my-purchases/9/redeem', reach: seen('Purchase not found') },
    'offline-code': {
      prepare: withFinger,
      answers: ticketAnswers([11, 12, 13]),
      reach: askOfflineCode('works without a network until'),
    },
    'larger-code': {
      widths: [320, 390, 1440],
      reach: async (page) => {
        await press(page, 'Larger');
        await page.getByRole('dialog').waitFor();
      },
    },
    'offline-code-elsewhere': {
      prepare: withFinger,
      answers: { tickets: OTHER_PHONE },
      reach: askOfflineCode('Offline codes are on'),
    },
    'offline-code-parts': {
      prepare: withFinger,
      answers: ticketAnswers([11], [12]),
      isWhole: true,
      reach: askOfflineCode('Code 1 of 2'),
    },
    'offline-code-over': {
      prepare: withFinger,
      answers: overTicketAnswers([11, 12, 13]),
      reach: askOfflineCode('The offline code has run out.'),
    },
    'offline-code-missing': {
      prepare: withFinger,
      answers: ticketAnswers(),
      reach: askOfflineCode('Open this purchase once with a network'),
    },
    'offline-code-clock': {
      prepare: withFinger,
      answers: ticketAnswers([11, 12, 13]),
      reach: async (page) => {
        await askOfflineCode('works without a network until')(page);
        await page.clock.setSystemTime(Date.now() - CLOCK_BACK_MS);
        await page.clock.runFor(QR_REFRESH_MS);
        await see(page, 'clock was changed');
      },
    },
    'offline-code-offline': {
      prepare: withFinger,
      answers: ticketAnswers([11, 12, 13]),
      reach: async (page) => {
        await askOfflineCode('works without a network until')(page);
        await page.context().route('**/api/**', (route) => route.abort());
        await page.evaluate(() => dispatchEvent(new Event('offline')));
        await see(page, 'You are offline. This code works');
      },
    },
    'offline-code-withheld': {
      prepare: withFinger,
      answers: withheldAnswers({ reason: 'conflicts', until: '2026-12-20T12:00:00.000Z' }),
      reach: askOfflineCode('No offline codes for this account until'),
    },
    'offline-code-held': {
      prepare: withFinger,
      answers: withheldAnswers({ reason: 'held' }),
      reach: askOfflineCode('Nothing can be redeemed with this account'),
    },
    'code-failed': { answers: { sign: forbidden }, reach: seen('No valid QR code') },
  },
);

/** Shows an offline code once, so that the phone keeps the ticket of purchase 1, and then lets the session end for inactivity. */
async function openKeptTickets(page: Page): Promise<void> {
  await askOfflineCode('works without a network until')(page);
  // A displayed code counts as activity, so another screen is opened.
  await page.getByRole('link', { name: 'Home' }).click();
  await page.getByRole('heading', { name: 'Marketplace' }).waitFor();
  await page.clock.fastForward(301_000);
  await press(page, 'Show my tickets');
  await redeemCode(page);
}

const keptTicketsScreen = statesOf(
  'kept-tickets',
  { path: '/app/my-purchases/1/redeem', prepare: withFinger, answers: bought(FEW) },
  {
    filled: { answers: ticketAnswers([11, 12, 13]), isWhole: true, reach: openKeptTickets },
    none: { path: '/auth/tickets', isVisitor: true, reach: seen('This phone keeps no tickets.') },
  },
);

const tierCode = (page: Page): Promise<void> =>
  page.getByRole('img', { name: 'QR code of your tier' }).waitFor();

const tiersScreen = statesOf(
  'tiers',
  { path: '/app/tiers', isWhole: true },
  {
    filled: { reach: tierCode },
    none: { answers: { balance: () => balanceOf('0', '0') }, reach: tierCode },
    highest: { answers: { balance: () => LARGE_BALANCE }, reach: tierCode },
    failed: { answers: { tiers: forbidden } },
  },
);

export const purchaseStates: readonly ScreenState[] = [
  ...purchasesScreen,
  ...redeemScreen,
  ...keptTicketsScreen,
  ...tiersScreen,
];
