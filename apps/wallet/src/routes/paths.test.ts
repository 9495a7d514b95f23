import { expect, it } from 'vitest';
import { paths } from './paths.ts';

it('builds every address of the app', () => {
  const built = Object.values({
    ...paths,
    forgotPassword: paths.forgotPassword('ada+1@example.com'),
    forgotPasswordEmpty: paths.forgotPassword(),
    historyItem: paths.historyItem(123),
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
    '/app',
    '/app/wallet',
    '/app/buy',
    '/app/send',
    '/app/send/recipient',
    '/app/send/summary',
    '/app/history',
    '/app/history/id=123',
    '/app/settings',
    '/auth/forgot-password',
  ]);
});
