import type { PurchaseItem } from '@athos/contract/wallet/purchases';
import type { Page } from '@playwright/test';
import { balanceOf } from './fake-api.ts';
import type { State } from './state.ts';

const item = (
  id: number,
  purchaseId: number,
  more: Partial<PurchaseItem['offer']> & { isRedeemed?: boolean } = {},
): PurchaseItem => {
  const { isRedeemed = false, ...offer } = more;
  return {
    id,
    purchase_id: purchaseId,
    purchase_date: '2026-11-20T18:05:00.000Z',
    redeemed_at: isRedeemed ? '2026-11-20T21:30:00.000Z' : null,
    redeemed_venue: isRedeemed ? 'Sky Bar' : null,
    offer: {
      id: 71,
      title: 'Rooftop **Session**',
      img: '/art/rooftop-session.webp',
      note: 'Forty seats, *one* piano. See the [programme](https://athos.example/p).',
      kind: 1,
      active: true,
      amount_cents: 9000,
      picture: null,
      ...offer,
    },
  };
};

const purchases: PurchaseItem[] = [
  item(11, 1),
  item(12, 1, { title: 'Amber Fizz', kind: 0 }),
  item(13, 1, { isRedeemed: true }),
  item(21, 2, { active: false }),
  item(31, 3, { isRedeemed: true }),
];
const answers = { myPurchases: { purchases } };

async function openFirst(page: Page): Promise<void> {
  await page.getByRole('article').first().getByRole('button').first().click();
}
async function preview(page: Page): Promise<void> {
  await openFirst(page);
  await page.getByRole('article').first().getByRole('list').getByRole('button').first().click();
  await page.getByRole('dialog').waitFor();
}
const redeemCode = (page: Page) =>
  page.getByRole('img', { name: 'QR code to redeem your purchase' }).waitFor();
const tierCode = (page: Page) => page.getByRole('img', { name: 'QR code of your tier' }).waitFor();

export const purchaseStates: readonly State[] = [
  { name: 'purchases/filled', path: '/app/my-purchases', answers, reach: openFirst },
  { name: 'purchases/preview', path: '/app/my-purchases', answers, reach: preview },
  {
    name: 'purchases/empty',
    path: '/app/my-purchases',
    answers: { myPurchases: { purchases: [] } },
  },
  { name: 'purchases/loading', path: '/app/my-purchases', answers: { myPurchases: 'silence' } },
  {
    name: 'purchases/failed',
    path: '/app/my-purchases',
    answers: { myPurchases: { problem: 'forbidden' } },
    reach: (page) => page.getByText('Your purchases could not be loaded.').waitFor(),
  },
  { name: 'redeem/code', path: '/app/my-purchases/1/redeem', answers, reach: redeemCode },
  {
    name: 'redeem/one-item',
    path: '/app/my-purchases/1/redeem?itemId=12',
    answers,
    reach: redeemCode,
  },
  { name: 'redeem/none-selected', path: '/app/my-purchases/2/redeem', answers },
  { name: 'redeem/redeemed-before', path: '/app/my-purchases/3/redeem', answers },
  { name: 'redeem/not-found', path: '/app/my-purchases/9/redeem', answers },
  {
    name: 'redeem/code-failed',
    path: '/app/my-purchases/1/redeem',
    answers: { ...answers, sign: { problem: 'forbidden' } },
    reach: (page) => page.getByText('No valid QR code').waitFor(),
  },
  {
    name: 'redeem/forty',
    path: '/app/my-purchases/5/redeem',
    answers: {
      myPurchases: {
        purchases: Array.from({ length: 43 }, (_, index) => item(index + 1, 5)),
      },
    },
    reach: redeemCode,
  },
];

export const tierStates: readonly State[] = [
  { name: 'tiers/filled', path: '/app/tiers', reach: tierCode },
  { name: 'tiers/none', path: '/app/tiers', answers: { balance: balanceOf('0') }, reach: tierCode },
  {
    name: 'tiers/highest',
    path: '/app/tiers',
    answers: { balance: balanceOf('25000000000') },
    reach: tierCode,
  },
  { name: 'tiers/failed', path: '/app/tiers', answers: { tiers: { problem: 'forbidden' } } },
];
