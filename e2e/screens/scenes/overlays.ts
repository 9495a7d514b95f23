import { see } from '../acts.ts';
import { scenesOf } from '../scene.ts';

export const overlayScenes = [
  ...scenesOf('overlays', {
    'reconnecting at the start': async (stage) =>
      see(
        await stage.member('/app', { answers: { refreshJwt: { problem: 'overloaded' } } }),
        'Trying to reconnect',
      ),
    reconnecting: async (stage) => {
      const page = await see(await stage.member('/app'), 'Marketplace');
      await page.route('**/api/**', (route) => route.abort('connectionfailed'));
      await page.route('**/healthz', (route) => route.abort('connectionfailed'));
      await page.clock.fastForward(20_000);
      return see(page, 'Trying to reconnect');
    },
    'away soon': async (stage) =>
      see(await stage.member('/app', { localStorage: { timer: '59000' } }), 'Still there?'),
    away: async (stage) => {
      const page = await stage.member('/app', { who: 'own' });
      await see(page, 'Marketplace');
      await page.evaluate(() => localStorage.setItem('timer', '1'));
      await page.evaluate(() => dispatchEvent(new Event('focus')));
      return see(page, 'You were away too long');
    },
    'session ended': async (stage) =>
      see(
        await stage.member('/app', { answers: { refreshJwt: { problem: 'session_ended' } } }),
        'Welcome back',
      ),
    'screen broken': async (stage) => {
      const page = await stage.member('/app/tiers', {
        async prepare(opened) {
          await opened.route('**/assets/tiers-screen-*.js', (route) => route.abort());
        },
      });
      return see(page, 'Something went wrong on this screen');
    },
  }),
];
