import type { BrowserContext } from '@playwright/test';
import type { State } from './state.ts';

/** As an installation that counts page views. Nothing is sent before somebody says yes. */
async function countPageViews(context: BrowserContext): Promise<void> {
  await context.route(/\/app(\/settings)?$/, async (route) => {
    if (route.request().resourceType() !== 'document') return route.fallback();
    const response = await route.fetch();
    const body = (await response.text())
      .replace('"analyticsUrl":null', '"analyticsUrl":"https://views.example/api/event"')
      .replace('"analyticsDomain":null', '"analyticsDomain":"wallet.example"');
    await route.fulfill({ response, body });
  });
}

export const pageViewStates: readonly State[] = [
  {
    name: 'page-views/question',
    path: '/app',
    prepare: countPageViews,
    reach: (page) => page.getByRole('button', { name: "Don't allow" }).waitFor(),
  },
  {
    name: 'page-views/setting',
    path: '/app/settings',
    prepare: countPageViews,
    reach: (page) => page.getByRole('radio', { name: "Don't allow" }).waitFor(),
  },
];
