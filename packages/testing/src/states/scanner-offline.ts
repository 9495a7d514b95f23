/** The scanner without a network: an enrolled device, and codes signed by a server and a phone. */
import { FIRST_PREVIOUS_HASH } from '@athos/domain/offline-log';
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
  TICKET_NUMBER,
  ticketCode,
  type CodeOptions,
  type PackOptions,
} from '../samples/offline.ts';
import { BAR } from '../samples/scanner.ts';
import { fakeToken, STAFF_UUID } from '../session.ts';
import { press, see, write } from '../steps/acts.ts';
import { scanText } from '../steps/staff.ts';
import { statesOf, type ScreenState } from './screen-state.ts';

const HOUR_MS = 3_600_000;
const REDEEM = /^Redeem (all|this)/;
const made = Promise.all([fakeServer(), fakePhone()]);

/** Two drinks, and one item of each kind that cannot be redeemed. */
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

async function enrol(page: Page): Promise<void> {
  await press(page, 'Name this device');
  await write(page, 'Code', '7KQM4TXB');
  const isListed = page.waitForResponse('**/scanner/offline/pack**');
  await press(page, 'Name it');
  await isListed;
  await see(page, 'It can redeem offline codes');
}
const closeDialog = (page: Page): Promise<void> =>
  page.getByRole('button', { name: 'Close', exact: true }).last().click();

/** Enrols, opens the camera, and cuts the network. */
async function loseNetwork(page: Page): Promise<void> {
  await enrol(page);
  await closeDialog(page);
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

/** The server responds again and accepts the log. */
async function findNetwork(page: Page): Promise<void> {
  await page.context().route('**/healthz', (route) => route.fulfill({ body: 'ok' }));
  await page.evaluate(() => dispatchEvent(new Event('online')));
}

const listOf = (ageMs: number): PackOptions => ({
  more: { server_time: new Date(Date.now() - ageMs).toISOString() },
});
const suspect = {
  device: { id: DEVICE_ID, state: 'suspect', last_seq: 0, last_hash: FIRST_PREVIOUS_HASH },
} as const;

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
  'list-too-old': { answers: answersWith(listOf(13 * HOUR_MS)), reach: scan('too old.') },
  'ticket-ended': {
    answers: answersWith({ ended: [TICKET_NUMBER] }),
    reach: scan('This ticket was ended.'),
  },
  clock: {
    reach: async (page) => {
      await loseNetwork(page);
      await page.clock.setSystemTime(Date.now() - 60_000);
      const [server, phone] = await made;
      await scanText(page, await ticketCode({ server, phone }));
      await see(page, 'clock was changed');
    },
  },
  'not-kept': {
    reach: async (page) => {
      await ask(page);
      await page.evaluate(() => {
        IDBObjectStore.prototype.add = () => {
          throw new DOMException('', 'QuotaExceededError');
        };
      });
      await press(page, 'Redeem offline');
      await see(page, 'Its storage may be full.');
    },
  },
  conflict: {
    isWhole: true,
    reach: async (page) => {
      await openDay(page);
      await findNetwork(page);
      await see(page, /redeemed elsewhere before/i);
    },
  },
  suspect: {
    answers: answersWith({ more: suspect }),
    isWhole: true,
    reach: async (page) => {
      await enrol(page);
      await closeDialog(page);
      await see(page, 'Redeeming offline is stopped');
    },
  },
  enrolled: { reach: enrol },
  'enrol-camera': {
    reach: async (page) => {
      await press(page, 'Name this device');
      await press(page, 'Scan the code');
      await see(page, 'Close the camera');
    },
  },
  'signed-out': {
    reach: async (page) => {
      await redeem(page);
      await page.evaluate(() => {
        localStorage.removeItem('scanner-jwt');
        dispatchEvent(new StorageEvent('storage', { key: 'scanner-jwt', newValue: null }));
      });
      await see(page, 'Export log');
    },
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
