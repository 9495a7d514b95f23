import { API_PREFIX } from '@athos/contract/call';
import type { BrowserContext } from '@playwright/test';
import { createFakeApi, silence, type Handlers } from './fake-api.ts';

/** Responds to every call from the pages of `context`. */
export async function fakeNetwork(context: BrowserContext, handlers: Handlers): Promise<void> {
  // Playwright fulfils a request only once, so the event streams stay silent.
  const api = createFakeApi({ ...handlers, events: silence, consoleEvents: silence });
  await context.route('**/healthz', (route) => route.abort());
  await context.route(`**${API_PREFIX}/**`, async (route) => {
    const asked = route.request();
    const body = asked.postData();
    const request = new Request(asked.url(), {
      method: asked.method(),
      headers: asked.headers(),
      ...(body !== null && { body }),
    });
    try {
      const response = await api.respond(request);
      await route.fulfill({
        status: response.status,
        headers: Object.fromEntries(response.headers),
        body: await response.text(),
      });
    } catch (error) {
      // Any error other than a lost connection is a bug in a handler.
      if (!(error instanceof TypeError)) throw error;
      await route.abort('connectionfailed');
    }
  });
}
