import type { Browser, BrowserContext, Page } from '@playwright/test';
import { createAccount, fund, type Account } from '../system/accounts.ts';
import { addresses } from '../system/addresses.ts';
import { callApi } from '../system/api.ts';
import { answerCalls, type Answers } from './answers.ts';

type Opened = Pick<Account, 'token' | 'uuid'>;

/** Who is signed in: with movements, with money and none yet, or with nothing. */
export type Who = 'filled' | 'funded' | 'new';

interface Opening {
  readonly answers?: Answers;
  readonly localStorage?: Readonly<Record<string, string>>;
  /** As a signed-in user's, whose uuid is known only then. */
  readonly contacts?: readonly { alias: string; address: string }[];
  readonly who?: Who;
  /** Beyond what the contract answers. */
  readonly prepare?: (page: Page) => Promise<void>;
}

const FUNDS_ATH = 120;

/** Opens pages, each in a browser context of its own, with a clock that can be stopped. */
export class Stage {
  readonly #browser: Browser;
  readonly #contexts: BrowserContext[] = [];
  readonly #accounts = new Map<Who, Promise<Opened>>();

  constructor(browser: Browser) {
    this.#browser = browser;
  }

  visitor(path: string, opening: Opening = {}): Promise<Page> {
    return this.#open(path, opening);
  }

  async member(path: string, opening: Opening = {}): Promise<Page> {
    const { token, uuid } = await this.account(opening.who ?? 'filled');
    const { contacts } = opening;
    const page = await this.#open(path, {
      ...opening,
      localStorage: {
        jwt: token,
        'had-previous-session': 'true',
        ...(contacts !== undefined && { [`contacts:${uuid}`]: JSON.stringify(contacts) }),
        ...opening.localStorage,
      },
    });
    return page;
  }

  /** The same for every scene. A scene that ends its session takes a new one. */
  account(who: Who): Promise<Opened> {
    const known = this.#accounts.get(who) ?? open(who);
    this.#accounts.set(who, known);
    return known;
  }

  /** Closes what was opened so far. */
  async clear(): Promise<void> {
    for (const context of this.#contexts.splice(0)) await context.close();
  }

  async #open(path: string, opening: Opening): Promise<Page> {
    const { localStorage = {}, answers = {} } = opening;
    const items = Object.entries(localStorage).map(([name, value]) => ({ name, value }));
    const context = await this.#browser.newContext({
      baseURL: addresses.wallet,
      viewport: { width: 390, height: 844 },
      colorScheme: 'light',
      locale: 'en-US',
      timezoneId: 'Europe/Berlin',
      storageState: { cookies: [], origins: [{ origin: addresses.wallet, localStorage: items }] },
    });
    this.#contexts.push(context);
    await context.clock.install();
    await answerCalls(context, answers);
    const page = await context.newPage();
    page.setDefaultTimeout(15_000);
    await opening.prepare?.(page);
    await page.goto(path);
    return page;
  }
}

async function open(who: Who): Promise<Opened> {
  if (who === 'filled') {
    const [demo] = addresses.demoSignIns;
    if (demo === undefined) throw new Error('There are no demo sign-ins');
    const { email, password } = demo;
    return callApi('login', { body: { email, password, tenant_id: 1, mode: 'production' } });
  }
  const account = await createAccount();
  if (who === 'funded') await fund(account, FUNDS_ATH);
  return account;
}
