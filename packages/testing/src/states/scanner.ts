import type { AnswerOf } from '@athos/contract/api';
import type { Page } from '@playwright/test';
import { scannerAnswers } from '../answers.ts';
import { networkFailure, problem, silence, type Handlers } from '../fake-api.ts';
import {
  BAR,
  HALL,
  HOLDER,
  purchaseScan,
  redeemedItem,
  redemptionOf,
  scannedItem,
} from '../samples/scanner.ts';
import { fakeToken, STAFF_UUID } from '../session.ts';
import { press, see, seen, write } from '../steps/acts.ts';
import { giveCamera, scanAndRedeem, scanCode } from '../steps/staff.ts';
import { statesOf, type ScreenState } from './screen-state.ts';

const LONG_TITLE = 'A supercar morning with a *professional* driver, breakfast and a picture of it';
const before = { redeemed_at: '2026-11-19T21:14:00.000Z', redeemed_venue: 'Pit Lane' };

const VENUES = [
  BAR,
  HALL,
  {
    id: 3,
    name: 'The Great Hall of the Old Spice Exchange',
    address: '240 Square of the Constitution, third gate',
  },
];

/** Two redeemable items, and one for each reason why an item cannot be redeemed. */
const mixedCode = () =>
  purchaseScan(
    scannedItem(1, { title: '**Amber Fizz**, case of 12' }),
    scannedItem(2, { title: LONG_TITLE }),
    scannedItem(3, { title: 'Rooftop Session', state: 'already_redeemed', ...before }),
    scannedItem(4, { title: 'Half price at the bar', state: 'wrong_venue' }),
    scannedItem(5, { title: 'Late show', state: 'inactive' }),
    scannedItem(6, { title: '', state: 'not_found' }),
  );
/** The maximum number of items in a code. */
const fortyCode = () =>
  purchaseScan(...Array.from({ length: 40 }, (_, index) => scannedItem(index + 1)));
const equalCode = () =>
  purchaseScan(
    ...Array.from({ length: 20 }, (_, index) =>
      scannedItem(index + 1, { title: '**Amber Fizz**, case of 12' }),
    ),
    scannedItem(21, { title: LONG_TITLE }),
  );
const partlyUsedCode = () =>
  purchaseScan(
    scannedItem(1, { title: 'Amber Fizz' }),
    ...[2, 3].map((id) =>
      scannedItem(id, { title: 'Amber Fizz', state: 'already_redeemed', ...before }),
    ),
  );
const usedCode = () =>
  purchaseScan(...[1, 2].map((id) => scannedItem(id, { state: 'already_redeemed', ...before })));

const gold = { id: 3, title: 'Gold', amount: '5000000000', color: '#d9a520', note: '' };
const tierCode = (tier: typeof gold | null) => (): AnswerOf<'scannerScan'> => ({
  kind: 'tier',
  holder: HOLDER,
  tier,
});

const missed = () => redeemedItem(2, { title: LONG_TITLE, outcome: 'already_redeemed', ...before });
const partlyRedeemed = () => ({ redeemed_count: 1, results: [redeemedItem(1), missed()] });
const noneRedeemed = () => ({
  redeemed_count: 0,
  results: [
    redeemedItem(1, { outcome: 'inactive', redeemed_at: null, redeemed_venue: null }),
    missed(),
  ],
});

/** The recent scans as the device stores them, one with each outcome. */
const recentScans = [
  { outcome: 'redeemed', redeemedCount: 2, titles: ['Amber Fizz, case of 12', LONG_TITLE] },
  { outcome: 'refused', code: 'code_expired', titles: [] },
  { outcome: 'looked', titles: ['Rooftop Session'] },
  { outcome: 'tier', titles: ['Gold'] },
  { outcome: 'unknown', titles: ['Rooftop Session'] },
].map((scan, index) => ({
  id: String(index),
  atMs: Date.now() - index * 400_000,
  venueName: BAR.name,
  redeemedCount: 0,
  ...scan,
}));

const answers: Handlers = {
  ...scannerAnswers,
  scannerScan: mixedCode,
  scannerScans: () => ({
    scans: [],
    counts: { scans: 1284, redeemed_items: 3071, refused: 42 },
  }),
};
const signedOut = { path: '/scanner', isVisitor: true, answers } as const;
const signedIn = {
  ...signedOut,
  storage: {
    'scanner-jwt': fakeToken(STAFF_UUID),
    [`scanner-recent:${STAFF_UUID}`]: JSON.stringify(recentScans),
  },
};

async function signIn(page: Page): Promise<void> {
  await write(page, 'Email', 'staff@example.com');
  await write(page, 'Password', 'Staff-scans-3-codes');
  await press(page, 'Sign In');
}

const signInScreen = statesOf('scanner-sign-in', signedOut, {
  empty: { reach: seen('Scanner sign-in') },
  refused: {
    answers: { login: () => problem('incorrect_credentials') },
    reach: async (page) => {
      await signIn(page);
      await see(page, 'Incorrect credentials');
    },
  },
  'not-staff': {
    answers: { scannerVenues: () => problem('forbidden') },
    reach: async (page) => {
      await signIn(page);
      await see(page, 'This account is not staff');
    },
  },
});

const nameDevice = async (page: Page): Promise<void> => {
  await press(page, 'Name this device');
  await write(page, 'Code', '7KQM4TXB');
};

const scannerScreen = statesOf('scanner', signedIn, {
  camera: {
    isWhole: true,
    prepare: (context) => giveCamera(context, 'picture'),
    reach: seen('Stop Scanning'),
  },
  'camera-denied': {
    prepare: (context) => giveCamera(context, 'denied'),
    reach: seen('The camera permission is missing'),
  },
  'no-camera': { reach: seen('No cameras found') },
  venues: { answers: { scannerVenues: () => ({ venues: VENUES }) }, reach: seen('Where are you?') },
  'no-venue': { answers: { scannerVenues: () => ({ venues: [] }) }, reach: seen('No venue yet') },
  today: { path: '/scanner/today', isWhole: true, reach: seen('Items redeemed') },
  'name-device': { path: '/scanner/today', reach: nameDevice },
  'name-device-refused': {
    path: '/scanner/today',
    answers: { scannerEnrol: () => problem('invalid_code') },
    reach: async (page) => {
      await nameDevice(page);
      await press(page, 'Name it');
      await see(page, 'Not named');
    },
  },
  'device-named': {
    path: '/scanner/today',
    answers: {
      scannerEnrol: () => ({
        device_id: '0192cccc-0000-7000-8000-000000000003',
        name: 'Bar 2, left till',
        venue: { id: BAR.id, name: BAR.name },
      }),
    },
    reach: async (page) => {
      await nameDevice(page);
      await press(page, 'Name it');
      await see(page, 'Bar 2, left till');
    },
  },
  'today-account': {
    path: '/scanner/today',
    reach: async (page) => {
      await press(page, 'My account');
      await see(page, '3071');
    },
  },
});

const scanAnd = (text: string) => async (page: Page) => {
  await scanCode(page);
  await see(page, text);
};
const redeemAnd = (text: string) => async (page: Page) => {
  await scanAndRedeem(page);
  await see(page, text);
};

const scanScreen = statesOf('scan', signedIn, {
  items: { isWhole: true, reach: scanAnd('2 of 6 left') },
  reading: { answers: { scannerScan: silence }, reach: scanAnd('Reading the code') },
  'forty-items': { answers: { scannerScan: fortyCode }, reach: scanAnd('40 items') },
  'equal-items': { answers: { scannerScan: equalCode }, reach: scanAnd('20 ×') },
  'partly-used': { answers: { scannerScan: partlyUsedCode }, reach: scanAnd('1 of 3 left') },
  'already-redeemed': {
    answers: { scannerScan: usedCode },
    reach: scanAnd('Do not hand anything out'),
  },
  refused: {
    answers: { scannerScan: () => problem('code_expired') },
    reach: scanAnd('This code has run out'),
  },
  tier: { answers: { scannerScan: tierCode(gold) }, reach: scanAnd('Gold Tier') },
  'no-tier': { answers: { scannerScan: tierCode(null) }, reach: scanAnd('No Tier Reached') },
  redeeming: { answers: { scannerRedeem: silence }, reach: redeemAnd('Hand out nothing') },
  'redeemed-all': {
    answers: { scannerRedeem: () => redemptionOf(1, 2) },
    reach: redeemAnd('2 items redeemed'),
  },
  'redeemed-partly': {
    answers: { scannerRedeem: partlyRedeemed },
    reach: redeemAnd('1 of 2 redeemed'),
  },
  'redeemed-none': { answers: { scannerRedeem: noneRedeemed }, reach: redeemAnd('Not redeemed') },
  'outcome-unknown': {
    answers: { scannerRedeem: networkFailure },
    reach: async (page) => {
      await redeemAnd('Nothing can be redeemed until it is back.')(page);
      await page.clock.fastForward(2000);
      await see(page, 'Not known yet');
    },
  },
});

export const scannerStates: readonly ScreenState[] = [
  ...signInScreen,
  ...scannerScreen,
  ...scanScreen,
];
