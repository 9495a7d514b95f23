/** The fixtures of every story: people with one browser context each, all of them watched. */
import {
  expect,
  test as base,
  type Browser,
  type BrowserContext,
  type BrowserContextOptions,
  type Cookie,
  type Locator,
  type Page,
} from '@playwright/test';
import { signInForm } from '@athos/testing/steps/wallet';
import { createAccount, fund, type Account } from '../system/accounts.ts';
import { addresses, type DemoStaff } from '../system/addresses.ts';
import { readCode, staffOf, type StaffRole } from '../system/staff.ts';
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
  /** Emulates touch, as on a phone. */
  readonly isPhone?: boolean;
}

interface Story {
  /** A browser context without any stored data. */
  visitor: () => Promise<Person>;
  /** A new account, signed in, with the app open. */
  member: (options?: MemberOptions) => Promise<Member>;
  /** A member of the demo's staff in a browser of their own, signed in to the console. */
  staff: (role: StaffRole, at: string, size?: keyof typeof CONSOLE_SIZES) => Promise<Person>;
  /** A person at a desk who is not signed in to the console, with a device that can create passkeys. */
  colleague: () => Promise<Person>;
}

/** Window sizes: a desk, and a phone for tasks that must be possible there. */
const CONSOLE_SIZES = {
  desk: { width: 1440, height: 900 },
  phone: { width: 390, height: 844 },
} as const;

export const test = base.extend<Story & { people: People }>({
  people: async ({ browser }, use) => {
    const people = new People(browser);
    await use(people);
    await people.leave();
  },
  visitor: async ({ people }, use) => use(() => people.visitor()),
  member: async ({ people }, use) => use((options) => people.member(options)),
  staff: async ({ people }, use) => use((role, at, size) => people.staff(role, at, size)),
  colleague: async ({ people }, use) => use(() => people.colleague()),
});

class People {
  readonly #browser: Browser;
  readonly #all: Person[] = [];

  constructor(browser: Browser) {
    this.#browser = browser;
  }

  async visitor(
    localStorage: Record<string, string> = {},
    options: Pick<BrowserContextOptions, 'serviceWorkers' | 'isMobile' | 'hasTouch'> = {},
  ): Promise<Person> {
    const items = Object.entries(localStorage).map(([name, value]) => ({ name, value }));
    return this.#open({
      viewport: test.info().project.use.viewport ?? null,
      baseURL: addresses.wallet,
      serviceWorkers: 'block',
      ...options,
      storageState: { cookies: [], origins: [{ origin: addresses.wallet, localStorage: items }] },
    });
  }

  async #open(options: BrowserContextOptions): Promise<Person> {
    const { locale, timezoneId } = test.info().project.use;
    const context = await this.#browser.newContext({
      locale: locale ?? 'en-US',
      timezoneId: timezoneId ?? 'UTC',
      ...options,
    });
    const person = { context, page: await context.newPage(), watch: watchContext(context) };
    if (this.#browser.browserType().name() === 'firefox') typeByKey(person.page);
    this.#all.push(person);
    return person;
  }

  async member(options: MemberOptions = {}): Promise<Member> {
    const { ath = 0, at = '/app', hasClock = false, hasServiceWorker = false, isPhone } = options;
    const account = await createAccount();
    if (ath > 0) await fund(account, ath);
    const person = await this.visitor(
      { jwt: account.token, 'had-previous-session': 'true' },
      {
        ...(hasServiceWorker && { serviceWorkers: 'allow' }),
        ...(isPhone === true && { isMobile: true, hasTouch: true }),
      },
    );
    if (hasClock) await person.page.clock.install();
    await person.page.goto(at);
    await person.page.getByRole('main').waitFor();
    return { ...person, account };
  }

  /** A code can be used only once, and the next one is up to 30 s away. So each person keeps the session of a worker for a while. */
  async staff(
    role: StaffRole,
    at: string,
    size: keyof typeof CONSOLE_SIZES = 'desk',
  ): Promise<Person> {
    const kept = staffSessions.get(role);
    const isFresh = kept !== undefined && performance.now() - kept.begunMs < SESSION_REUSED_MS;
    const cookies = isFresh ? kept.cookies : undefined;
    const person = await this.#open({
      viewport: CONSOLE_SIZES[size],
      baseURL: new URL(addresses.console).origin,
      ...(cookies !== undefined && { storageState: { cookies, origins: [] } }),
    });
    const { page, context } = person;
    await page.goto(`/console${at}`);
    if (cookies === undefined) {
      await signInToConsole(page, staffOf(role));
      staffSessions.set(role, { cookies: await context.cookies(), begunMs: performance.now() });
    }
    await page.getByRole('heading', { level: 1 }).waitFor();
    return person;
  }

  async colleague(): Promise<Person> {
    const baseURL = new URL(addresses.console).origin;
    const person = await this.#open({ viewport: CONSOLE_SIZES.desk, baseURL });
    const devTools = await person.context.newCDPSession(person.page);
    await devTools.send('WebAuthn.enable');
    await devTools.send('WebAuthn.addVirtualAuthenticator', {
      options: {
        protocol: 'ctap2',
        transport: 'internal',
        hasResidentKey: true,
        hasUserVerification: true,
        isUserVerified: true,
        automaticPresenceSimulation: true,
      },
    });
    return person;
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

/** An authenticator app shows a new code every 30 s. */
const NEXT_CODE_MS = 40_000;
const CODES_MAX = 3;

/** Acts need a proof of the last 5 minutes, so a story must find one that lasts until it ends. */
const SESSION_REUSED_MS = 120_000;
const staffSessions = new Map<StaffRole, { cookies: Cookie[]; begunMs: number }>();

async function signInToConsole(page: Page, member: DemoStaff): Promise<void> {
  await expect(page.getByRole('heading', { name: 'Sign in to the console' })).toBeVisible();
  const { email, password } = signInForm(page);
  const submit = page.getByRole('button', { name: 'Sign In', exact: true });
  await email.fill(member.email);
  await password.fill(member.password);
  const inside = page.getByRole('heading', { level: 1 }).filter({ hasNotText: 'Sign in' });
  const used = page.getByRole('alert').filter({ hasText: 'Each code works once' });
  let tried = '';
  for (let attempt = 0; attempt < CODES_MAX && !(await inside.isVisible()); attempt += 1) {
    // Another worker may have just signed the same person in with the previous code.
    await expect.poll(() => readCode(member), { timeout: NEXT_CODE_MS }).not.toBe(tried);
    tried = await readCode(member);
    await page.getByRole('textbox', { name: 'Code' }).fill(tried);
    const answer = page.waitForResponse((one) => one.request().method() === 'POST');
    await submit.click();
    await answer;
    await expect(used.or(inside)).toBeVisible();
  }
  await expect(submit).toHaveCount(0);
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
