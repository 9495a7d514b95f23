import type { PurchaseItem } from '@athos/contract/wallet/purchases';
import type { Page } from '@playwright/test';
import { see } from '../acts.ts';
import { BALANCES_LARGE } from '../amounts.ts';
import { scenesOf } from '../scene.ts';
import type { Stage } from '../stage.ts';

const NOTE =
  'Doors open at **19:00**. Bring an ID.\n\n- One drink included\n- Cloakroom is free\n\nSee the [programme](https://athos.example/p).';

const offers = {
  night: { id: 71, title: '**Midnight Bloom** Open Air', kind: 1, active: true },
  case: { id: 72, title: 'Amber Fizz, case of 12', kind: 0, active: true },
  laps: {
    id: 73,
    title: 'A supercar morning with a *professional* driver, breakfast and a picture of it',
    kind: 1,
    active: true,
  },
  bar: { id: 74, title: 'Half price at the Harbour Bar', kind: 2, active: false },
};

const item = (
  id: number,
  purchaseId: number,
  name: keyof typeof offers,
  isRedeemed = false,
): PurchaseItem => ({
  id,
  purchase_id: purchaseId,
  purchase_date: `2026-11-${String(21 - purchaseId).padStart(2, '0')}T18:05:00.000Z`,
  redeemed_at: isRedeemed ? '2026-11-20T21:30:00.000Z' : null,
  redeemed_venue: isRedeemed ? 'Sky Bar' : null,
  offer: { ...offers[name], img: '', note: NOTE, amount_cents: 2500, picture: null },
});

const FEW: PurchaseItem[] = [
  item(11, 1, 'night'),
  item(12, 1, 'night'),
  item(13, 1, 'case'),
  item(14, 1, 'laps', true),
  item(21, 2, 'laps'),
  item(31, 3, 'bar'),
  item(41, 4, 'case', true),
  item(42, 4, 'case', true),
];
const MANY = Array.from({ length: 43 }, (_, index) => item(9_000_001 + index, 1, 'night'));

const answered = (purchases: PurchaseItem[]) => ({ answers: { myPurchases: { purchases } } });

async function openFirst(page: Page): Promise<Page> {
  await page.getByRole('article').first().getByRole('button').first().click();
  return page;
}

const redeem = async (stage: Stage, purchases: PurchaseItem[]): Promise<Page> => {
  const page = await stage.member('/app/my-purchases/1/redeem', {
    answers: { myPurchases: { purchases }, sign: { signature: 'Zb3'.repeat(28) } },
  });
  await page.getByRole('img', { name: 'QR code to redeem your purchase' }).waitFor();
  return page;
};

export const purchaseScenes = [
  ...scenesOf('purchases', {
    filled: {
      isWhole: true,
      show: async (stage) =>
        openFirst(await see(await stage.member('/app/my-purchases', answered(FEW)), 'Redeemable')),
    },
    preview: async (stage) => {
      const page = await openFirst(await stage.member('/app/my-purchases', answered(FEW)));
      await page.getByRole('article').first().getByRole('list').getByRole('button').first().click();
      return see(page, 'Doors open at');
    },
    empty: async (stage) =>
      see(await stage.member('/app/my-purchases', answered([])), 'waiting on your first purchase'),
    loading: async (stage) =>
      see(
        await stage.member('/app/my-purchases', { answers: { myPurchases: 'never' } }),
        'My Purchases',
      ),
    failed: async (stage) =>
      see(
        await stage.member('/app/my-purchases', {
          answers: { myPurchases: { problem: 'internal_error' } },
        }),
        'could not be loaded',
      ),
  }),
  ...scenesOf('redeem purchase', {
    'three items': { isWhole: true, show: (stage) => redeem(stage, FEW) },
    'forty items': (stage) => redeem(stage, MANY),
    'none selected': async (stage) =>
      see(await stage.member('/app/my-purchases/3/redeem', answered(FEW)), 'none selected'),
    'redeemed before': async (stage) =>
      see(await stage.member('/app/my-purchases/4/redeem', answered(FEW)), 'has been redeemed'),
    'not found': async (stage) =>
      see(await stage.member('/app/my-purchases/9/redeem', answered(FEW)), 'Purchase not found'),
    'code failed': async (stage) =>
      see(
        await stage.member('/app/my-purchases/1/redeem', {
          answers: { myPurchases: { purchases: FEW }, sign: { problem: 'internal_error' } },
        }),
        'No valid QR code',
      ),
  }),
];

const tierCode = async (stage: Stage, balance?: typeof BALANCES_LARGE): Promise<Page> => {
  const page = await stage.member('/app/tiers', {
    answers: {
      sign: { signature: 'Zb3'.repeat(28) },
      ...(balance !== undefined && { balance }),
    },
  });
  await page.getByRole('img', { name: 'QR code of your tier' }).waitFor();
  return page;
};

export const tierScenes = scenesOf('tiers', {
  filled: { isWhole: true, show: (stage) => tierCode(stage) },
  highest: { isWhole: true, show: (stage) => tierCode(stage, BALANCES_LARGE) },
  none: {
    isWhole: true,
    show: (stage) =>
      tierCode(stage, { balance: '0', balances: { ATH: '0', ATH2: '0', ATH3: '0' } }),
  },
});
