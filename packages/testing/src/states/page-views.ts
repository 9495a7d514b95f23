import type { BrowserContext } from '@playwright/test';

/** Serves the pages of an installation that counts page views. Nothing is sent before the holder agrees. */
export async function countPageViews(context: BrowserContext): Promise<void> {
  await context.route(/\/app(\/settings)?$/, async (route) => {
    if (route.request().resourceType() !== 'document') return route.fallback();
    const response = await route.fetch();
    const body = (await response.text())
      .replace('"analyticsUrl":null', '"analyticsUrl":"https://views.example/api/event"')
      .replace('"analyticsDomain":null', '"analyticsDomain":"wallet.example"');
    await route.fulfill({ response, body });
  });
}
