import type { BrowserContext, Page } from '@playwright/test';
import { balanceOf } from './fake-api.ts';
import { failedPayment, payment, purchase, send } from './sample-data.ts';
import type { State } from './state.ts';

const pending = (id: string, state: 'open' | 'processing') => ({
  id,
  token_amount: '250000000',
  total: 4671,
  exchange_rate: 0.1683,
  created_at: '2026-11-21T11:59:00.000Z',
  state,
});

export const homeStates: readonly State[] = [
  { name: 'home/splash', path: '/app', staysSplash: true },
  { name: 'home/filled', path: '/app' },
  { name: 'home/newcomer', path: '/app', answers: { balance: balanceOf('0') } },
  {
    name: 'home/big-numbers',
    path: '/app',
    answers: { balance: balanceOf('98765432109876543') },
  },
  {
    name: 'home/pending-purchases',
    path: '/app',
    answers: {
      pendingPayments: { pending: [pending('b', 'processing'), pending('a', 'open')] },
    },
  },
  { name: 'home/empty-marketplace', path: '/app', answers: { categories: { categories: [] } } },
  {
    name: 'home/failed',
    path: '/app',
    answers: {
      balance: { problem: 'forbidden' },
      categories: { problem: 'forbidden' },
      tiers: { problem: 'forbidden' },
    },
    reach: (page) => page.getByText('The marketplace could not be loaded.').waitFor(),
  },
];

const updatePassword = async (page: Page): Promise<void> => {
  await page.getByRole('textbox', { name: 'Old Password' }).fill('Correct-horse-7');
  await page.getByRole('textbox', { name: 'New Password' }).fill('Battery-staple-8');
  await page.getByRole('button', { name: 'Update', exact: true }).click();
};

const askToDelete = async (page: Page): Promise<void> => {
  await page.getByRole('textbox', { name: 'Password' }).fill('Correct-horse-7');
  await page.getByRole('button', { name: 'Delete my account' }).click();
  await page.getByRole('dialog', { name: 'Are you sure' }).waitFor();
};

export const accountStates: readonly State[] = [
  {
    name: 'account/wallet',
    path: '/app/wallet',
    reach: (page) => page.getByRole('img', { name: 'QR code with your account ID' }).waitFor(),
  },
  { name: 'account/wallet-code-loading', path: '/app/wallet', answers: { sign: 'silence' } },
  {
    name: 'account/wallet-failed',
    path: '/app/wallet',
    answers: { balance: { problem: 'forbidden' }, sign: { problem: 'forbidden' } },
    reach: (page) => page.getByText('The QR code could not be made.').waitFor(),
  },
  {
    name: 'account/wallet-copied',
    path: '/app/wallet',
    prepare: (context) => context.grantPermissions(['clipboard-write']),
    reach: async (page) => {
      await page.getByRole('button', { name: 'Copy' }).click();
      await page.getByText('Text copied to clipboard!').waitFor();
    },
  },
  { name: 'account/settings', path: '/app/settings' },
  {
    name: 'account/settings-terms',
    path: '/app/settings',
    reach: async (page) => {
      await page.getByRole('button', { name: 'Terms of Service' }).click();
      await page.getByRole('dialog').waitFor();
    },
  },
  { name: 'account/update-password', path: '/app/settings/update-password' },
  {
    name: 'account/update-password-submitting',
    path: '/app/settings/update-password',
    answers: { updatePassword: 'silence' },
    reach: updatePassword,
  },
  {
    name: 'account/update-password-failed',
    path: '/app/settings/update-password',
    answers: { updatePassword: { problem: 'incorrect_password' } },
    reach: async (page) => {
      await updatePassword(page);
      await page.getByText('Incorrect credentials').waitFor();
    },
  },
  { name: 'account/delete', path: '/app/settings/delete-account' },
  {
    name: 'account/delete-nothing-held',
    path: '/app/settings/delete-account',
    answers: { balance: { balance: '0', balances: { ATH: '0', ATH2: '0', ATH3: '0' } } },
    reach: (page) => page.getByText('holds nothing').waitFor(),
  },
  { name: 'account/delete-confirm', path: '/app/settings/delete-account', reach: askToDelete },
  {
    name: 'account/delete-submitting',
    path: '/app/settings/delete-account',
    answers: { deleteAccount: 'silence' },
    reach: async (page) => {
      await askToDelete(page);
      await page.getByRole('button', { name: 'Yes' }).click();
      await page.getByText('Deleting...').waitFor();
    },
  },
  {
    name: 'account/delete-refused',
    path: '/app/settings/delete-account',
    answers: { deleteAccount: { problem: 'payments_open' } },
    reach: async (page) => {
      await askToDelete(page);
      await page.getByRole('button', { name: 'Yes' }).click();
      await page.getByText('Your account was not deleted').waitFor();
    },
  },
  { name: 'account/data-deletion-policy', path: '/user-data-deletion', isVisitor: true },
  { name: 'account/not-found', path: '/app/nowhere' },
];

const detail = (name: State['name'], item: typeof send): State => ({
  name,
  path: `/app/history/id=${item.data.id}`,
  answers: { historyItem: item },
  reach: (page) => page.getByText('Number').waitFor(),
});

export const historyStates: readonly State[] = [
  {
    name: 'history/filled',
    path: '/app/history',
    reach: (page) => page.getByRole('list', { name: 'History' }).waitFor(),
  },
  {
    name: 'history/empty',
    path: '/app/history',
    answers: { allHistory: { history: [], next_cursor: null } },
    reach: (page) => page.getByText('No movements yet').waitFor(),
  },
  { name: 'history/loading', path: '/app/history', answers: { allHistory: 'silence' } },
  {
    name: 'history/failed',
    path: '/app/history',
    answers: { allHistory: { problem: 'forbidden' } },
    reach: (page) => page.getByText('The history could not be loaded.').waitFor(),
  },
  detail('history/detail-send', send),
  detail('history/detail-payment', payment),
  detail('history/detail-payment-failed', failedPayment),
  detail('history/detail-purchase', purchase),
  {
    name: 'history/detail-loading',
    path: '/app/history/id=5',
    answers: { allHistory: 'silence', historyItem: 'silence' },
  },
  {
    name: 'history/detail-missing',
    path: '/app/history/id=5',
    reach: (page) => page.getByText('This movement was not found.').waitFor(),
  },
];

/** The network goes, and what was last known is looked at. */
async function readOffline(page: Page): Promise<void> {
  await page.clock.fastForward(3000);
  await page.getByRole('main').waitFor();
  await page.route('**/api/**', (route) => route.abort('connectionfailed'));
  await page.clock.fastForward(20_000);
  await page.getByRole('button', { name: 'See what was last known' }).click();
  await page.getByText('You see what was last known.').waitFor();
}

/** A worker that has another build ready, as the page sees it. */
const offerUpdate = (context: BrowserContext): Promise<unknown> =>
  context.addInitScript(() => {
    void caches
      .open('shell-other')
      .then((cache) => cache.put('/app', new Response('another build')));
    Object.defineProperty(navigator.serviceWorker, 'register', {
      value: () =>
        Promise.resolve({
          waiting: { postMessage: () => undefined },
          addEventListener: () => undefined,
        }),
    });
  });

export const overlayStates: readonly State[] = [
  { name: 'overlay/offline-home', path: '/app', reach: readOffline },
  {
    name: 'overlay/offline-send',
    path: '/app/send',
    reach: async (page) => {
      await readOffline(page);
      await page.getByText('You are offline.').waitFor();
    },
  },
  {
    name: 'overlay/update',
    path: '/app',
    prepare: offerUpdate,
    reach: async (page) => {
      await page.clock.fastForward(2000);
      await page.getByText('A new version is ready').waitFor();
    },
  },
  {
    name: 'overlay/reconnect',
    path: '/app',
    answers: { exchangeRate: 'lost' },
    reach: (page) => page.getByRole('alertdialog', { name: 'Trying to reconnect' }).waitFor(),
  },
  {
    name: 'overlay/idle-warning',
    path: '/app/settings',
    reach: async (page) => {
      await page.clock.fastForward(241_000);
      await page.getByRole('alertdialog', { name: 'Still there?' }).waitFor();
    },
  },
  {
    name: 'overlay/away',
    path: '/app/settings',
    reach: async (page) => {
      await page.clock.fastForward(301_000);
      await page.getByRole('button', { name: 'OK' }).waitFor();
    },
  },
];
