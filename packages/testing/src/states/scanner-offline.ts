/** The scanner without a network: an enrolled device, and codes that are signed as a server and a phone sign them. */
import type { Page } from '@playwright/test';
import { scannerAnswers } from '../answers.ts';
import { problem, type Handlers } from '../fake-api.ts';
import {
  acknowledge,
  DEVICE_ID,
  fakePhone,
  fakeServer,
  OFFERS,
  packOf,
  ticketCode,
  type CodeOptions,
  type PackOptions,
} from '../samples/offline.ts';
import { BAR } from '../samples/scanner.ts';
import { fakeToken, STAFF_UUID } from '../session.ts';
import { press, see, write } from '../steps/acts.ts';
import { scanText } from '../steps/staff.ts';
import { statesOf, type ScreenState } from './screen-state.ts';

const REDEEM = /^Redeem (all|this)/;
const made = Promise.all([fakeServer(), fakePhone()]);

/** Two drinks, and one of each kind that is not redeemed. */
const mixed: Partial<CodeOptions> = {
  content: {
    groups: [
      { offerId: OFFERS.drink, firstItemId: 100, itemCount: 3 },
      { offerId: OFFERS.pausedShow, firstItemId: 200, itemCount: 1 },
      { offerId: OFFERS.car, firstItemId: 300, itemCount: 1 },
      { offerId: OFFERS.elsewhere, firstItemId: 400, itemCount: 1 },
    ],
  },
};

const answersWith = (options: PackOptions = {}): Handlers => ({
  ...scannerAnswers,
  scannerEnrol: () => ({
    device_id: DEVICE_ID,
    name: 'Bar 2, left till',
    venue: { id: BAR.id, name: BAR.name },
  }),
  offlinePack: async () => packOf((await made)[0], options),
  offlineSync: ({ body }) => acknowledge(body, 'conflict'),
});

const enrolled = {
  path: '/scanner/today',
  isVisitor: true,
  storage: { 'scanner-jwt': fakeToken(STAFF_UUID) },
  answers: answersWith(),
} as const;

/** Enrols, opens the camera, and loses the network. */
async function loseNetwork(page: Page): Promise<void> {
  await press(page, 'Name this device');
  await write(page, 'Code', '7KQM4TXB');
  const isListed = page.waitForResponse('**/scanner/offline/pack**');
  await press(page, 'Name it');
  await isListed;
  await page.getByRole('button', { name: 'Close', exact: true }).last().click();
  await page.getByRole('link', { name: 'Back to the camera' }).last().click();
  await page.evaluate(() => dispatchEvent(new Event('offline')));
  await see(page, 'Offline codes can be redeemed on this device.');
}

const scan =
  (text: string, options: Partial<CodeOptions> = {}) =>
  async (page: Page) => {
    await loseNetwork(page);
    const [server, phone] = await made;
    await scanText(page, await ticketCode({ server, phone, ...options }));
    await see(page, text);
  };

async function ask(page: Page): Promise<void> {
  await scan('Checked on this device.')(page);
  await page.getByRole('button', { name: REDEEM }).click();
  await see(page, 'No network. Redeem offline?');
}
async function redeem(page: Page): Promise<void> {
  await ask(page);
  await press(page, 'Redeem offline');
  await see(page, 'Confirmed when the network is back.');
}
async function openDay(page: Page): Promise<void> {
  await redeem(page);
  await page.getByRole('link', { name: /^Today/ }).click();
}

export const scannerOfflineStates: readonly ScreenState[] = statesOf('scan-offline', enrolled, {
  items: { isWhole: true, answers: answersWith({ spent: [102] }), reach: scan('of 6 left', mixed) },
  question: { reach: ask },
  redeemed: { reach: redeem },
  'needs-network': {
    reach: async (page) => {
      await loseNetwork(page);
      const d = '{"a":"0192aaaa-0000-7000-8000-000000000001","t":1,"v":1,"i":[1]}';
      await scanText(page, `{"t":"purchase","d":${d},"s":"x"}`);
      await see(page, 'This code needs a network');
    },
  },
  screenshot: {
    reach: (page) => scan('differ by', { atMs: Date.now() - 60_000 })(page),
  },
  limit: {
    answers: answersWith({ grant: { items_max: 0 } }),
    reach: scan('Offline limit reached.'),
  },
  waiting: {
    answers: { ...answersWith(), offlineSync: () => problem('internal_error') },
    isWhole: true,
    reach: async (page) => {
      await openDay(page);
      await see(page, 'Export log');
    },
  },
});
