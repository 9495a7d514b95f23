import { expect, it } from 'vitest';
import { paths } from './paths.ts';

it('builds every address of the app', () => {
  const built = Object.values({
    ...paths,
    forgotPassword: paths.forgotPassword('ada+1@example.com'),
    forgotPasswordEmpty: paths.forgotPassword(),
    historyItem: paths.historyItem(123),
    category: paths.category(7),
    offer: paths.offer({ id: 71, categoryId: 7 }),
    redeemPurchase: paths.redeemPurchase(5),
    redeemItem: paths.redeemPurchase(5, 12),
  });
  expect(built).toEqual([
    '/',
    '/auth',
    '/auth/get-started',
    '/auth/choose',
    '/auth/sign-up',
    '/auth/verify-account',
    '/auth/sign-in',
    '/auth/forgot-password?email=ada%2B1%40example.com',
    '/auth/reset-password',
    '/terms',
    '/privacy',
    '/user-data-deletion',
    '/app',
    '/app/wallet',
    '/app/buy',
    '/app/send',
    '/app/send/recipient',
    '/app/send/summary',
    '/app/history',
    '/app/history/id=123',
    '/app/settings',
    '/app/settings/update-password',
    '/app/settings/delete-account',
    '/app/marketplace',
    '/app/marketplace/categories/7',
    '/app/marketplace/categories/7/offers/71',
    '/app/cart',
    '/app/my-purchases',
    '/app/my-purchases/5/redeem',
    '/app/tiers',
    '/auth/forgot-password',
    '/app/my-purchases/5/redeem?itemId=12',
  ]);
});
