import type { Browser, BrowserContext, Page } from '@playwright/test';
import { createAccount, type Account } from '../system/accounts.ts';
import { addresses } from '../system/addresses.ts';
import { callApi } from '../system/api.ts';
import { answerCalls, type Answers } from './answers.ts';

/** On a busy machine. */
const STEP_LIMIT_MS = 30_000;

type Opened = Pick<Account, 'token' | 'uuid'>;

/** Who is signed in: somebody with movements, somebody with nothing, or somebody whom no other scene has. */
type Who = 'filled' | 'new' | 'own';

interface Opening {
  readonly answers?: Answers;
  readonly localStorage?: Readonly<Record<string, string>>;
  readonly contacts?: readonly { alias: string; address: string }[];
  /** What the send flow was told so far. */
  readonly draft?: { asset?: string; paymentAmount: string; name?: string; address: string };
  readonly who?: Who | Opened;
  /** Beyond what the contract answers. */
  readonly prepare?: (page: Page) => Promise<void>;
}

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
    const { who = 'filled', contacts, draft } = opening;
    const { token, uuid } = typeof who === 'string' ? await this.account(who) : who;
    return this.#open(path, {
      ...opening,
      async prepare(page) {
        await opening.prepare?.(page);
        if (draft === undefined) return;
        const item = [`send-draft:${uuid}`, JSON.stringify(draft)] as const;
        await page.addInitScript(([name, value]) => sessionStorage.setItem(name, value), item);
      },
      localStorage: {
        jwt: token,
        'had-previous-session': 'true',
        ...(contacts !== undefined && { [`contacts:${uuid}`]: JSON.stringify(contacts) }),
        ...opening.localStorage,
      },
    });
  }

  /** The same for every scene, but for `own`. */
  account(who: Who): Promise<Opened> {
    if (who === 'own') return open(who);
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
      serviceWorkers: 'block',
      storageState: { cookies: [], origins: [{ origin: addresses.wallet, localStorage: items }] },
    });
    this.#contexts.push(context);
    await context.clock.install();
    await answerCalls(context, answers);
    const page = await context.newPage();
    page.setDefaultTimeout(STEP_LIMIT_MS);
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
  return createAccount();
}
