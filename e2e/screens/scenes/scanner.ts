import type { BrowserContext, Page } from '@playwright/test';
import {
  allRedeemed,
  BAR,
  fortyCode,
  mixedCode,
  noneRedeemed,
  noTierScan,
  partlyRedeemed,
  recentScans,
  SESSION,
  STAFF_STORAGE,
  tierScan,
  TODAY,
  usedCode,
  VENUES,
} from '../../samples/scanner.ts';
import { giveCamera, scanAndRedeem, scanCode } from '../../steps/staff.ts';
import { press, see, write } from '../acts.ts';
import type { Answers } from '../answers.ts';
import { scenesOf } from '../scene.ts';
import type { Stage } from '../stage.ts';

type Camera = Parameters<typeof giveCamera>[1];
interface Shift {
  readonly path?: string;
  readonly answers?: Answers;
  readonly camera?: Camera;
}

/** The scanner of signed-in staff, without a camera where none is given. */
const staff = (stage: Stage, { path = '/scanner', answers = {}, camera }: Shift = {}) =>
  stage.visitor(path, {
    localStorage: { ...STAFF_STORAGE, ...recentScans() },
    answers: {
      refreshJwt: SESSION,
      scannerVenues: { venues: [BAR] },
      scannerScans: TODAY,
      scannerScan: mixedCode(),
      ...answers,
    },
    ...(camera !== undefined && { prepare: (page: Page) => give(page.context(), camera) }),
  });

async function give(context: BrowserContext, camera: Camera): Promise<void> {
  await giveCamera(context, camera);
}

const scanned = async (stage: Stage, text: string, scannerScan: Answers['scannerScan']) =>
  see(
    await scanCode(await staff(stage, { answers: { ...(scannerScan && { scannerScan }) } })),
    text,
  );

const redeemed = async (stage: Stage, text: string, scannerRedeem: Answers['scannerRedeem']) =>
  see(
    await scanAndRedeem(await staff(stage, { answers: { ...(scannerRedeem && { scannerRedeem }) } })),
    text,
  );

async function signIn(stage: Stage, answers: Answers): Promise<Page> {
  const page = await stage.visitor('/scanner', { answers });
  await write(page, 'Email', 'staff@example.com');
  await write(page, 'Password', 'Staff-scans-3-codes');
  return press(page, 'Sign In');
}

export const scannerScenes = [
  ...scenesOf('scanner', {
    'sign-in': async (stage) => see(await stage.visitor('/scanner'), 'Scanner sign-in'),
    'sign-in refused': async (stage) =>
      see(await signIn(stage, { login: { problem: 'incorrect_credentials' } }), 'Incorrect'),
    'not staff': async (stage) =>
      see(
        await signIn(stage, { login: SESSION, scannerVenues: { problem: 'forbidden' } }),
        'This account is not staff',
      ),
    venues: async (stage) =>
      see(await staff(stage, { answers: { scannerVenues: VENUES } }), 'Where are you?'),
    'no venue': async (stage) =>
      see(await staff(stage, { answers: { scannerVenues: { venues: [] } } }), 'No venue yet'),
    camera: {
      isWhole: true,
      show: async (stage) => see(await staff(stage, { camera: 'picture' }), 'Stop Scanning'),
    },
    'camera denied': async (stage) =>
      see(await staff(stage, { camera: 'denied' }), 'The camera permission is missing'),
    'no camera': async (stage) => see(await staff(stage), 'No cameras found'),
    today: {
      isWhole: true,
      show: async (stage) => see(await staff(stage, { path: '/scanner/today' }), 'Last scans'),
    },
  }),
  ...scenesOf('scan', {
    reading: (stage) => scanned(stage, 'Reading the code', 'never'),
    items: { isWhole: true, show: (stage) => scanned(stage, '6 items', mixedCode()) },
    'forty items': (stage) => scanned(stage, '40 items', fortyCode()),
    'already redeemed': (stage) => scanned(stage, 'Do not hand anything out', usedCode()),
    refused: (stage) => scanned(stage, 'This code has run out', { problem: 'code_expired' }),
    tier: (stage) => scanned(stage, 'Gold Tier', tierScan),
    'no tier': (stage) => scanned(stage, 'No Tier Reached', noTierScan),
    redeeming: (stage) => redeemed(stage, 'Hand out nothing', 'never'),
    'redeemed all': (stage) => redeemed(stage, '2 items redeemed', allRedeemed),
    'redeemed partly': (stage) => redeemed(stage, '1 of 2 redeemed', partlyRedeemed),
    'redeemed none': (stage) => redeemed(stage, 'Do not hand anything out', noneRedeemed),
    'outcome unknown': async (stage) => {
      const page = await redeemed(stage, 'No connection', 'connection lost');
      await page.clock.fastForward(2000);
      return see(page, 'Not known yet');
    },
  }),
];
