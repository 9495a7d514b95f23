/** The fixtures of every story: people with one browser context each, all of them watched. */
import {
  test as base,
  type Browser,
  type BrowserContext,
  type Locator,
  type Page,
} from '@playwright/test';
import { createAccount, fund, type Account } from '../system/accounts.ts';
import { addresses } from '../system/addresses.ts';
import { watchContext, type Watch } from './watch.ts';

export interface Person {
  readonly page: Page;
  readonly context: BrowserContext;
  readonly watch: Watch;
}

export interface Member extends Person {
  readonly account: Account;
}

interface MemberOptions {
  /** The balance at the start, in whole ATH. */
  readonly ath?: number;
  /** The path at which the app is opened. */
  readonly at?: string;
  /** Calls `page.clock.install` before anything is loaded. */
  readonly hasClock?: boolean;
  /** Lets the wallet's service worker run, as it does for users. It hides requests from `page.route`. */
  readonly hasServiceWorker?: boolean;
}

interface Story {
  /** A browser context without any stored data. */
  visitor: () => Promise<Person>;
  /** A new account, signed in, with the app open. */
  member: (options?: MemberOptions) => Promise<Member>;
}

export const test = base.extend<Story & { people: People }>({
  people: async ({ browser }, use) => {
    const people = new People(browser);
    await use(people);
    await people.leave();
  },
  visitor: async ({ people }, use) => use(() => people.visitor()),
  member: async ({ people }, use) => use((options) => people.member(options)),
});

class People {
  readonly #browser: Browser;
  readonly #all: Person[] = [];

  constructor(browser: Browser) {
    this.#browser = browser;
  }

  async visitor(
    localStorage: Record<string, string> = {},
    serviceWorkers: 'allow' | 'block' = 'block',
  ): Promise<Person> {
    const items = Object.entries(localStorage).map(([name, value]) => ({ name, value }));
    const { viewport, locale, timezoneId } = test.info().project.use;
    const context = await this.#browser.newContext({
      viewport: viewport ?? null,
      locale: locale ?? 'en-US',
      timezoneId: timezoneId ?? 'UTC',
      baseURL: addresses.wallet,
      serviceWorkers,
      storageState: { cookies: [], origins: [{ origin: addresses.wallet, localStorage: items }] },
    });
    const person = { context, page: await context.newPage(), watch: watchContext(context) };
    if (this.#browser.browserType().name() === 'firefox') typeByKey(person.page);
    this.#all.push(person);
    return person;
  }

  async member(options: MemberOptions = {}): Promise<Member> {
    const { ath = 0, at = '/app', hasClock = false, hasServiceWorker = false } = options;
    const account = await createAccount();
    if (ath > 0) await fund(account, ath);
    const person = await this.visitor(
      { jwt: account.token, 'had-previous-session': 'true' },
      hasServiceWorker ? 'allow' : 'block',
    );
    if (hasClock) await person.page.clock.install();
    await person.page.goto(at);
    await person.page.getByRole('main').waitFor();
    return { ...person, account };
  }

  async leave(): Promise<void> {
    for (const { context } of this.#all) {
      // A routed request, such as a poll, may still be in flight; its handler would fail a story that has just passed.
      for (const page of context.pages()) await page.unrouteAll({ behavior: 'ignoreErrors' });
      await context.close();
    }
    for (const { watch } of this.#all) watch.check();
  }
}

let isTypedByKey = false;

/**
 * Makes `fill` press keys in the front window, as users do. Playwright drives a stock Firefox through WebDriver BiDi,
 * where its own `fill` assigns the value through the setter that React put on the field, so that React detects no
 * change.
 */
function typeByKey(page: Page): void {
  if (isTypedByKey) return;
  isTypedByKey = true;
  const locators = Object.getPrototypeOf(page.locator('body')) as Locator;
  const fill = Reflect.get(locators, 'fill') as Locator['fill'];
  locators.fill = async function fillByKey(this: Locator, value, options) {
    await this.page().bringToFront();
    if (value === '') return fill.call(this, value, options);
    await this.selectText(options);
    await this.pressSequentially(value, options);
  };
}
