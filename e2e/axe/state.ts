/** A screen in one of its states: how it is reached, and how it is opened in a browser. */
import type { Browser, BrowserContext, Page } from '@playwright/test';
import { fakeApi, type Answers } from './fake-api.ts';
import { ME, TOKEN } from './sample-data.ts';

export interface State {
  /** `group/state`, also the name of its pictures. */
  readonly name: `${string}/${string}`;
  readonly path: string;
  /** Nobody is signed in. */
  readonly isVisitor?: true;
  readonly answers?: Answers;
  /** Kept in the browser from before. */
  readonly storage?: Readonly<Record<string, string>>;
  /** Kept in the tab from before. */
  readonly tabStorage?: Readonly<Record<string, string>>;
  /** From the opened screen to the state. */
  readonly reach?: (page: Page) => Promise<unknown>;
  /** Called with the context before anything is loaded. */
  readonly prepare?: (context: BrowserContext) => Promise<unknown>;
  /** The splash is the state. */
  readonly staysSplash?: true;
}

/** The splash stays 1200 ms (spec 9): the page's clock is put forward instead. */
const SPLASH_MS = 1300;

export const PHONE = { width: 390, height: 844 };
export const DESKTOP = { width: 1440, height: 900 };

interface Kept {
  readonly origin: string;
  readonly storage: Readonly<Record<string, string>>;
  readonly tabStorage: Readonly<Record<string, string>>;
}

/** Runs in the page before its own code. A context's `storageState` opens a page of its own for the same, which takes longer. */
function keepBefore({ origin, storage, tabStorage }: Kept): void {
  if (location.origin !== origin) return;
  for (const [name, value] of Object.entries(storage)) localStorage.setItem(name, value);
  for (const [name, value] of Object.entries(tabStorage)) sessionStorage.setItem(name, value);
}

/** A page in the state of the state, on a phone, in light. Its context is closed by the caller. */
export async function openState(browser: Browser, state: State, origin: string): Promise<Page> {
  const context = await browser.newContext({
    baseURL: origin,
    viewport: PHONE,
    locale: 'en-US',
    timezoneId: 'Europe/Berlin',
    colorScheme: 'light',
    // Every picture is the end of its motion.
    reducedMotion: 'reduce',
    serviceWorkers: 'block',
  });
  const page = await context.newPage();
  await page.clock.install();
  await fakeApi(context, state.answers ?? {});
  await page.addInitScript(keepBefore, {
    origin,
    storage: {
      ...(state.isVisitor ? {} : { jwt: TOKEN, 'had-previous-session': 'true' }),
      ...state.storage,
    },
    tabStorage: state.tabStorage ?? {},
  });
  await state.prepare?.(context);
  const isStarting = state.isVisitor ? undefined : page.waitForRequest('**/api/categories');
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

export const contactsOf = (...contacts: { alias: string; address: string }[]) => ({
  [`contacts:${ME}`]: JSON.stringify(contacts),
});
