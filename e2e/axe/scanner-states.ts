import type { Page } from '@playwright/test';
import {
  allRedeemed,
  BAR,
  mixedCode,
  noneRedeemed,
  partlyRedeemed,
  recentScans,
  SESSION,
  STAFF_STORAGE,
  tierScan,
  TODAY,
  VENUES,
} from '../samples/scanner.ts';
import { giveCamera, scanAndRedeem, scanCode } from '../steps/staff.ts';
import type { Answers } from './fake-api.ts';
import type { State } from './state.ts';

const heading = (page: Page, name: string | RegExp) =>
  page.getByRole('heading', { name }).waitFor();

const given = (): Answers => ({
  refreshJwt: SESSION,
  scannerVenues: { venues: [BAR] },
  scannerScans: TODAY,
  scannerScan: mixedCode(),
});

interface Shown {
  readonly path?: string;
  readonly answers?: Answers;
  readonly prepare?: State['prepare'];
}

/** A screen of signed-in staff. The wallet has nobody signed in meanwhile. */
const staff = (
  name: State['name'],
  reach: (page: Page) => Promise<unknown>,
  { path = '/scanner', answers = {}, prepare }: Shown = {},
): State => ({
  name,
  path,
  isVisitor: true,
  storage: { ...STAFF_STORAGE, ...recentScans() },
  answers: { ...given(), ...answers },
  reach,
  ...(prepare !== undefined && { prepare }),
});

const result = (
  name: State['name'],
  title: string,
  scannerRedeem: Answers['scannerRedeem'],
): State =>
  staff(
    name,
    async (page) => {
      await scanAndRedeem(page);
      await heading(page, title);
    },
    { answers: { ...(scannerRedeem !== undefined && { scannerRedeem }) } },
  );

export const scannerStates: readonly State[] = [
  {
    name: 'scanner/sign-in-refused',
    path: '/scanner',
    isVisitor: true,
    answers: { login: { problem: 'incorrect_credentials' } },
    reach: async (page) => {
      await page.getByRole('textbox', { name: 'Email' }).fill('staff@example.com');
      await page.getByRole('textbox', { name: 'Password', exact: true }).fill('Wrong-horse-7');
      await page.getByRole('button', { name: 'Sign In' }).click();
      await page.getByText('Incorrect credentials').waitFor();
    },
  },
  staff('scanner/venue', (page) => heading(page, 'Where are you?'), {
    answers: { scannerVenues: VENUES },
  }),
  staff('scanner/camera', (page) => page.getByRole('button', { name: 'Stop Scanning' }).waitFor(), {
    prepare: (context) => giveCamera(context, 'picture'),
  }),
  staff(
    'scanner/camera-denied',
    (page) => page.getByText('The camera permission is missing').waitFor(),
    { prepare: (context) => giveCamera(context, 'denied') },
  ),
  staff('scanner/items', async (page) => {
    await scanCode(page);
    await heading(page, '6 items');
  }),
  result('scanner/result-all', '2 items redeemed', allRedeemed),
  result('scanner/result-partly', '1 of 2 redeemed', partlyRedeemed),
  result('scanner/result-none', 'Not redeemed', noneRedeemed),
  staff(
    'scanner/refused',
    async (page) => {
      await scanCode(page);
      await heading(page, 'This code has run out');
    },
    { answers: { scannerScan: { problem: 'code_expired' } } },
  ),
  staff(
    'scanner/tier',
    async (page) => {
      await scanCode(page);
      await heading(page, 'Gold Tier');
    },
    { answers: { scannerScan: tierScan } },
  ),
  staff(
    'scanner/unknown-offline',
    async (page) => {
      await scanAndRedeem(page);
      await page.getByText('Nothing can be redeemed until it is back.').waitFor();
      await page.clock.fastForward(2000);
      await heading(page, 'Not known yet');
    },
    { answers: { scannerRedeem: 'lost' } },
  ),
  staff('scanner/today', (page) => page.getByText('3071').first().waitFor(), {
    path: '/scanner/today',
  }),
];
