import type { BrowserContext, Page } from '@playwright/test';
import { acceptedTerms, balanceOf, holdsOf, newTerms } from '../answers.ts';
import { networkFailure, problem, type Handlers } from '../fake-api.ts';
import { FRIEND, heldSend } from '../samples/holder.ts';
import { FAKE_UUID, fakeToken } from '../session.ts';
import { press, see, seen } from '../steps/acts.ts';
import { statesOf } from './screen-state.ts';

/** The network goes down after the start. */
async function loseNetwork(page: Page): Promise<void> {
  await page.clock.fastForward(3000);
  await page.getByRole('main').waitFor();
  await page.route('**/api/**', (route) => route.abort('connectionfailed'));
  await page.clock.fastForward(20_000);
  await see(page, 'Trying to reconnect');
}

async function readOffline(page: Page): Promise<void> {
  await loseNetwork(page);
  await press(page, 'See what was last known');
  await see(page, 'You see what was last known.');
}

/** A friend sends tokens while the app is open: each poll of the balance returns more than the previous one. */
function receive(): Handlers {
  let readCount = 0;
  return {
    // The first call at the start.
    refreshJwt() {
      readCount = 0;
      return { token: fakeToken(), uuid: FAKE_UUID };
    },
    balance: () => balanceOf(String(1_284_560_000 + 10_000_000 * readCount++)),
    allHistory: () => ({
      history: [
        {
          type: 'Receive',
          data: {
            id: 1300,
            date: new Date().toISOString(),
            amount: '10000000',
            asset: 'ATH',
            counterparty: FRIEND,
          },
        },
      ],
      next_cursor: null,
    }),
  };
}

async function untilArrived(page: Page): Promise<void> {
  const toast = page.getByText('+10.00 ATH from Ben');
  // The code that reports arrivals is loaded when the page is idle, so it may miss the first poll.
  for (let pollCount = 0; pollCount < 5; pollCount += 1) {
    await page.clock.fastForward(15_000);
    const isTold = toast.waitFor({ timeout: 3000 }).then(
      () => true,
      () => false,
    );
    if (await isTold) return;
  }
  throw new Error('The arrival is not told.');
}

/** A service worker that reports another build as ready. */
const offerUpdate = (context: BrowserContext): Promise<unknown> =>
  context.addInitScript(() => {
    void caches
      .open('shell-other')
      .then((cache) => cache.put('/app', new Response('another build')));
    Object.defineProperty(navigator.serviceWorker, 'register', {
      value: () =>
        Promise.resolve({
          waiting: { postMessage: () => undefined },
          addEventListener: () => undefined,
        }),
    });
  });

const STOPPED_NOTICE = 'We are checking something. Please come back later.';

const changedTerms: Handlers = {
  terms: () => acceptedTerms('2.0'),
  legalText: () => newTerms('2.0'),
};

export const overlayStates = statesOf(
  'overlays',
  { path: '/app' },
  {
    'reconnecting-at-the-start': {
      answers: { exchangeRate: networkFailure },
      reach: (page) => page.getByRole('alertdialog', { name: 'Trying to reconnect' }).waitFor(),
    },
    'send-on-its-way': {
      answers: { holds: () => holdsOf([heldSend()]) },
      reach: (page) => page.getByRole('button', { name: /^Undo 12\.50 ATH/ }).waitFor(),
    },
    'sends-on-their-way': {
      answers: {
        holds: () =>
          holdsOf([
            heldSend(),
            heldSend({ id: '0192f3a1-cccc-7d55-8a31-0b7c2d4f6e16', amount: '9999999999999999' }),
            heldSend({ id: '0192f3a1-cccc-7d55-8a31-0b7c2d4f6e17', asset: 'ATH3' }),
          ]),
      },
      path: '/app/settings',
      reach: (page) => press(page, '2 more'),
    },
    arriving: {
      answers: { holds: () => holdsOf([], { ATH: '12500000', ATH2: '3000000' }) },
      reach: seen('12.50 ATH arriving'),
    },
    reconnecting: { reach: loseNetwork },
    'offline-home': { reach: readOffline },
    'offline-send': {
      path: '/app/send',
      reach: async (page) => {
        await readOffline(page);
        await see(page, 'You are offline.');
      },
    },
    stopped: {
      answers: {
        programme: () => ({ stopped: [{ what: 'sending', notice: STOPPED_NOTICE }] }),
      },
      reach: seen('Sending is stopped at the moment'),
    },
    'stopped-buying-and-rewards': {
      path: '/app/wallet',
      answers: {
        programme: () => ({
          stopped: [
            { what: 'buying', notice: 'Our card provider has a fault. It should be over by 6 pm.' },
            { what: 'rewards', notice: STOPPED_NOTICE },
          ],
        }),
      },
      reach: seen('Rewards are stopped at the moment'),
    },
    terms: { answers: changedTerms, reach: seen('What ATH is') },
    'terms-failed': {
      answers: { ...changedTerms, acceptTerms: () => problem('overloaded') },
      async reach(page) {
        await see(page, 'What ATH is');
        await press(page, 'Accept');
        await page.clock.fastForward(5000);
        await see(page, 'That did not work.');
      },
    },
    'terms-put-off': {
      answers: changedTerms,
      async reach(page) {
        await see(page, 'What ATH is');
        await press(page, 'Not now');
        await see(page, 'Read them');
      },
    },
    update: {
      prepare: offerUpdate,
      reach: async (page) => {
        await page.clock.fastForward(2000);
        await see(page, 'A new version is ready');
      },
    },
    'away-soon': {
      path: '/app/settings',
      reach: async (page) => {
        await page.clock.fastForward(241_000);
        await page.getByRole('alertdialog', { name: 'Still there?' }).waitFor();
      },
    },
    away: {
      path: '/app/settings',
      reach: async (page) => {
        await page.clock.fastForward(301_000);
        await see(page, 'You were away too long');
      },
    },
    arrived: {
      path: '/app/tiers',
      storage: {
        [`contacts:${FAKE_UUID}`]: JSON.stringify([{ alias: 'Ben', address: FRIEND }]),
      },
      answers: receive(),
      reach: untilArrived,
    },
    'session-ended': {
      staysSplash: true,
      answers: { refreshJwt: () => problem('session_ended') },
      reach: seen('Welcome back'),
    },
    'screen-broken': {
      path: '/app/tiers',
      prepare: (context) => context.route('**/assets/tiers-screen-*.js', (route) => route.abort()),
      reach: seen('Something went wrong on this screen'),
    },
  },
);
