/** Opens the states of `packages/testing` in a browser, on the wallet's own pages and the fake API. */
import { basename, join } from 'node:path';
import type { AnswerOf } from '@athos/contract/api';
import { fakeNetwork } from '@athos/testing/fake-network';
import { filledAnswers } from '@athos/testing/samples/holder';
import { fakeToken } from '@athos/testing/session';
import { allStates } from '@athos/testing/states/all-states';
import type { ScreenState } from '@athos/testing/states/screen-state';
import type { Browser, BrowserContext, Page } from '@playwright/test';
import { addresses } from './system/addresses.ts';

export const PHONE = { width: 390, height: 844 };

/** The splash stays for 1200 ms (S2-201). The page's clock is advanced instead of waiting. */
const SPLASH_MS = 1300;
/** Generous, for a busy machine. */
const STEP_LIMIT_MS = 30_000;

/** A site without a host name cannot have passkeys. */
const originOfWallet = () => addresses.wallet.replace('//127.0.0.1', '//localhost');

/** The folder of the demo's pictures. */
const PICTURES_DIR = join(import.meta.dirname, '../dev/demo/pictures');

/** The card form shows only a payment that exists in the sandbox. */
async function beginPayment(): Promise<AnswerOf<'createPaymentIntent'>> {
  const response = await fetch(`${addresses.sandbox}/v1/payment_intents`, {
    method: 'POST',
    headers: { authorization: `Bearer ${addresses.secretKey}` },
    body: new URLSearchParams({
      amount: '4671',
      currency: 'usd',
      'automatic_payment_methods[enabled]': 'true',
    }),
  });
  const { id, client_secret } = (await response.json()) as { id: string; client_secret: string };
  return { id, client_secret };
}

export const states: readonly ScreenState[] = allStates(beginPayment);

const showDemoPictures = (context: BrowserContext): Promise<unknown> =>
  context.route('**/art/*.webp', (route) => {
    const slug = basename(new URL(route.request().url()).pathname, '.webp');
    return route.fulfill({ path: join(PICTURES_DIR, `${slug}-640.webp`) });
  });

interface Stored {
  readonly origin: string;
  readonly storage: Readonly<Record<string, string>>;
}

/** Runs in the page before its own code. A context's `storageState` would open an extra page, which takes longer. */
function store({ origin, storage }: Stored): void {
  if (location.origin !== origin) return;
  for (const [name, value] of Object.entries(storage)) localStorage.setItem(name, value);
}

/**
 * The context shared by the pages of the states and of the system: a phone in English, in Berlin, with the light
 * theme.
 */
export function openContext(browser: Browser): Promise<BrowserContext> {
  return browser.newContext({
    baseURL: originOfWallet(),
    viewport: PHONE,
    locale: 'en-US',
    timezoneId: 'Europe/Berlin',
    colorScheme: 'light',
    reducedMotion: 'reduce',
    // `route` does not see the requests of a service worker.
    serviceWorkers: 'block',
  });
}

/** Opens a page in this state. The caller closes its context. */
export async function openState(browser: Browser, state: ScreenState): Promise<Page> {
  const context = await openContext(browser);
  try {
    return await show(state, await context.newPage());
  } catch (error) {
    await context.close();
    throw error;
  }
}

async function show(state: ScreenState, page: Page): Promise<Page> {
  const context = page.context();
  page.setDefaultTimeout(STEP_LIMIT_MS);
  await page.clock.install();
  await showDemoPictures(context);
  await fakeNetwork(context, { ...filledAnswers, ...state.answers });
  await page.addInitScript(store, {
    origin: originOfWallet(),
    storage: {
      ...(state.isVisitor ? {} : { jwt: fakeToken(), 'had-previous-session': 'true' }),
      ...state.storage,
    },
  });
  await state.prepare?.(context);
  const isStarting =
    state.isVisitor || state.staysSplash ? undefined : page.waitForRequest('**/api/categories');
  await page.goto(state.path);
  await isStarting;
  if (!state.staysSplash) {
    if (!state.isVisitor) await page.clock.fastForward(SPLASH_MS);
    await page.locator('main, [role=alertdialog]').first().waitFor();
  }
  await state.reach?.(page);
  await page.evaluate(() => document.fonts.ready);
  return page;
}
