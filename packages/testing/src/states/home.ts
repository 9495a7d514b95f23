import type { Page } from '@playwright/test';
import { balanceOf } from '../answers.ts';
import { problem, silence } from '../fake-api.ts';
import { pendingPayment } from '../samples/payments.ts';
import { press, see, seen } from '../steps/acts.ts';
import { HUGE_BALANCE, LARGE_BALANCE } from '../samples/holder.ts';
import { FAKE_UUID } from '../session.ts';
import { countPageViews } from './page-views.ts';
import { statesOf, type ScreenState } from './screen-state.ts';

const forbidden = () => problem('forbidden');

const homeScreen = statesOf(
  'home',
  { path: '/app' },
  {
    filled: { widths: [390, 768, 1440], isWhole: true, reach: seen('Thank the Crew') },
    splash: {
      staysSplash: true,
      answers: { balance: silence, tiers: silence },
      reach: (page) => page.getByRole('status', { name: / is starting$/ }).waitFor(),
    },
    newcomer: {
      answers: {
        balance: () => balanceOf('0', '0'),
        allHistory: () => ({ history: [], next_cursor: null }),
      },
      reach: seen('Buy your first ATH'),
    },
    'large-balance': { answers: { balance: () => LARGE_BALANCE } },
    'huge-balance': { answers: { balance: () => HUGE_BALANCE } },
    'below-zero': {
      answers: { balance: () => balanceOf('-60000000', '0') },
      reach: seen('Your balance is below zero'),
    },
    'purchases-pending': {
      answers: {
        pendingPayments: () => ({
          pending: [pendingPayment('b', 'processing'), pendingPayment('a', 'open')],
        }),
      },
      reach: seen('Purchase on its way'),
    },
    'marketplace-empty': {
      answers: { categories: () => ({ categories: [] }) },
      reach: seen('New offers show up here'),
    },
    failed: {
      answers: { balance: forbidden, categories: forbidden, tiers: forbidden },
      reach: seen('The marketplace could not be loaded.'),
    },
    'passkey-invitation': {
      widths: [320, 390, 1440],
      storage: { 'passkey-invitation': FAKE_UUID },
      answers: { passkeys: () => ({ passkeys: [] }) },
      reach: seen('Not now'),
    },
    'page-views-question': { prepare: countPageViews, reach: seen('May we count') },
  },
);

const accountCode = (page: Page): Promise<void> =>
  page.getByRole('img', { name: 'QR code with your account ID' }).waitFor();

const walletScreen = statesOf(
  'wallet',
  { path: '/app/wallet' },
  {
    filled: { isWhole: true, reach: accountCode },
    'code-loading': { answers: { sign: silence }, reach: seen('Account ID') },
    'code-failed': { answers: { sign: forbidden }, reach: seen('The QR code could not be made.') },
    failed: {
      answers: { balance: forbidden, sign: forbidden },
      reach: seen('The QR code could not be made.'),
    },
    'huge-balance-copied-twice': {
      answers: { balance: () => HUGE_BALANCE },
      prepare: (context) => context.grantPermissions(['clipboard-write', 'clipboard-read']),
      reach: async (page) => {
        await accountCode(page);
        await press(page, 'Copy');
        await press(page, 'Copy');
        await see(page, 'Text copied to clipboard!');
      },
    },
  },
);

export const homeStates: readonly ScreenState[] = [...homeScreen, ...walletScreen];
