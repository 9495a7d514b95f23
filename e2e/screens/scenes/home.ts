import { countPageViews, see } from '../acts.ts';
import { BALANCES_HUGE, BALANCES_LARGE } from '../amounts.ts';
import { PENDING } from './pending.ts';
import { scenesOf } from '../scene.ts';

const HOME_WIDTHS = [390, 768, 1440];

export const homeScenes = [
  ...scenesOf('home', {
    splash: async (stage) => {
      const page = await stage.member('/app', { answers: { balance: 'never', tiers: 'never' } });
      await page.getByRole('status', { name: 'Athos is starting' }).waitFor();
      return page;
    },
    filled: {
      widths: HOME_WIDTHS,
      show: async (stage) => see(await stage.member('/app'), 'Marketplace'),
    },
    whole: {
      isWhole: true,
      show: async (stage) => see(await stage.member('/app'), 'Marketplace'),
    },
    new: async (stage) => see(await stage.member('/app', { who: 'new' }), 'Marketplace'),
    'page views asked': async (stage) =>
      see(await stage.member('/app', { prepare: countPageViews('**/app') }), 'May we count'),
    'large balance': async (stage) =>
      see(await stage.member('/app', { answers: { balance: BALANCES_LARGE } }), 'Marketplace'),
    'huge balance': async (stage) =>
      see(await stage.member('/app', { answers: { balance: BALANCES_HUGE } }), 'Marketplace'),
    failed: async (stage) => {
      const problem = 'internal_error';
      const answers = { balance: { problem }, categories: { problem }, tiers: { problem } } as const;
      return see(await stage.member('/app', { answers }), 'could not be loaded');
    },
    'marketplace empty': async (stage) =>
      see(
        await stage.member('/app', { answers: { categories: { categories: [] } } }),
        'New offers show up here',
      ),
    'purchases pending': async (stage) =>
      see(
        await stage.member('/app', { answers: { pendingPayments: PENDING } }),
        'Purchase on its way',
      ),
  }),
  ...scenesOf('wallet', {
    filled: {
      isWhole: true,
      show: async (stage) => {
        const page = await stage.member('/app/wallet');
        await page.getByRole('img', { name: 'QR code with your account ID' }).waitFor();
        return page;
      },
    },
    'huge balance, copied twice': async (stage) => {
      const page = await stage.member('/app/wallet', { answers: { balance: BALANCES_HUGE } });
      await page.getByRole('img', { name: 'QR code with your account ID' }).waitFor();
      await page.context().grantPermissions(['clipboard-write', 'clipboard-read']);
      await page.getByRole('button', { name: 'Copy' }).click();
      await page.getByRole('button', { name: 'Copy' }).click();
      return see(page, 'Text copied');
    },
    'code loading': async (stage) =>
      see(await stage.member('/app/wallet', { answers: { sign: 'never' } }), 'Account ID'),
    'code failed': async (stage) =>
      see(
        await stage.member('/app/wallet', { answers: { sign: { problem: 'internal_error' } } }),
        'The QR code could not be made',
      ),
  }),
];
