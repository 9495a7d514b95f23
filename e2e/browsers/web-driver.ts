/**
 * A browser driven by W3C WebDriver, with the few commands that smoke stories need. It finds elements by role and
 * name with Testing Library, which it puts into each document. Clicks and keys are the driver's own.
 */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { setTimeout as pause } from 'node:timers/promises';
import { BRING_INTO_VIEW, LOOK_FOR, LOOK_FOR_FIELD, PLACE, WATCH_FAULTS } from './in-page.ts';

const COMMAND_LIMIT_MS = 60_000;
const APPEAR_LIMIT_MS = 20_000;
const LOOK_EVERY_MS = 100;
/** The property in which the protocol returns an element's id. */
const ELEMENT_KEY = 'element-6066-11e4-a52e-4f735466cecf';
const LIBRARY = readFileSync(
  createRequire(import.meta.url).resolve(
    '@testing-library/dom/dist/@testing-library/dom.umd.min.js',
  ),
  'utf8',
);

/** Protocol errors that go away once a screen has settled. */
const NOT_YET = new Set([
  'element not interactable',
  'element click intercepted',
  'stale element reference',
]);

class WebDriverError extends Error {
  /** The error code of the protocol. */
  readonly code: string;

  constructor(code: string, message: string) {
    super(message);
    this.code = code;
  }
}

export interface Target {
  readonly role: string;
  /** A string must be the whole name. */
  readonly name: string | RegExp;
  /** Takes the first match. Otherwise several matches are an error. */
  readonly isFirst?: boolean;
}

/** A rectangle in whole pixels of the window. */
export interface Place {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

export class WebDriverSession {
  readonly #address: string;

  private constructor(address: string) {
    this.#address = address;
  }

  /** @param capabilities W3C capabilities, all of them required */
  static async open(driver: string, capabilities: object): Promise<WebDriverSession> {
    const body = { capabilities: { alwaysMatch: capabilities } };
    const { sessionId } = (await command(driver, 'POST', '/session', body)) as {
      sessionId: string;
    };
    return new WebDriverSession(`${driver}/session/${sessionId}`);
  }

  async close(): Promise<void> {
    await this.#call('DELETE', '');
  }

  async resize(width: number, height: number): Promise<void> {
    await this.#call('POST', '/window/rect', { width, height });
  }

  async goto(url: string): Promise<void> {
    await this.#call('POST', '/url', { url });
    await this.#prepareDocument();
  }

  async path(): Promise<string> {
    return new URL((await this.#call('GET', '/url')) as string).pathname;
  }

  /** Runs a function body in the page. */
  async run(script: string, ...args: readonly unknown[]): Promise<unknown> {
    return this.#call('POST', '/execute/sync', { script, args });
  }

  /** @throws Error after 20 s, with the screen's actual content */
  async see(target: Target): Promise<string> {
    return this.#find(describe(target), target.isFirst === true, [
      LOOK_FOR,
      target.role,
      patternOf(target.name),
    ]);
  }

  async seeText(text: string): Promise<void> {
    await this.#wait(`text ${text}`, async () =>
      (await this.#text()).includes(text) ? true : undefined,
    );
  }

  async seePath(path: string): Promise<void> {
    await this.#wait(`path ${path}`, async () => ((await this.path()) === path ? true : undefined));
  }

  /** Clicks as soon as the target has stopped moving; an earlier click could miss it. */
  async click(target: Target): Promise<void> {
    let lastPlace: unknown;
    await this.#wait(`at rest: ${describe(target)}`, async () => {
      const element = await this.see(target);
      const place = await this.run(BRING_INTO_VIEW, { [ELEMENT_KEY]: element });
      const isAtRest = place === lastPlace;
      lastPlace = place;
      return isAtRest ? this.#act(element, '/click', {}) : undefined;
    });
  }

  /** Types into the field with that label. */
  async type(label: string, text: string): Promise<void> {
    await this.#wait(`ready: field ${label}`, async () =>
      this.#act(await this.#find(`field ${label}`, false, [LOOK_FOR_FIELD, label]), '/value', {
        text,
      }),
    );
  }

  /** A screenshot (PNG) of the window, and the target's rectangle in it. */
  async photograph(target: Target): Promise<{ picture: Buffer; place: Place }> {
    const element = { [ELEMENT_KEY]: await this.see(target) };
    await this.run(BRING_INTO_VIEW, element);
    const place = await this.run(PLACE, element);
    const picture = (await this.#call('GET', '/screenshot')) as string;
    return { picture: Buffer.from(picture, 'base64'), place: place as Place };
  }

  /** Console errors, uncaught errors and policy violations since the page was opened. */
  async faults(): Promise<readonly string[]> {
    return (await this.run('return window.seenFaults')) as string[];
  }

  /** @returns undefined while the element may still be replaced */
  async #act(element: string, action: string, body: object): Promise<true | undefined> {
    try {
      await this.#call('POST', `/element/${element}${action}`, body);
      return true;
    } catch (error) {
      if (error instanceof WebDriverError && NOT_YET.has(error.code)) return undefined;
      throw error;
    }
  }

  async #find(
    what: string,
    isFirst: boolean,
    [script, ...args]: readonly [string, ...unknown[]],
  ): Promise<string> {
    return this.#wait(what, async () => {
      const found = (await this.run(script, ...args)) as Record<string, string>[] | null;
      // A link that is followed before the app has started opens a new document.
      if (found === null) {
        await this.#prepareDocument();
        return undefined;
      }
      return found.length === 1 || isFirst ? found[0]?.[ELEMENT_KEY] : undefined;
    });
  }

  async #prepareDocument(): Promise<void> {
    await this.run(LIBRARY);
    await this.run(WATCH_FAULTS);
  }

  #text = async (): Promise<string> => (await this.run('return document.body.innerText')) as string;

  async #wait<Found>(what: string, look: () => Promise<Found | undefined>): Promise<Found> {
    for (const deadline = performance.now() + APPEAR_LIMIT_MS; performance.now() < deadline;) {
      const found = await look();
      if (found !== undefined) return found;
      await pause(LOOK_EVERY_MS);
    }
    throw new Error(`Not seen: ${what}\nat ${await this.path()}:\n${await this.#text()}`);
  }

  #call = (method: string, path: string, body?: object): Promise<unknown> =>
    command(this.#address, method, path, body);
}

const describe = ({ role, name }: Target): string => `${role} ${name.toString()}`;

/** Serialises a name or pattern for Testing Library in the page. */
function patternOf(name: string | RegExp): { source: string; flags: string } | string {
  return typeof name === 'string' ? name : { source: name.source, flags: name.flags };
}

async function command(
  driver: string,
  method: string,
  path: string,
  body: object = {},
): Promise<unknown> {
  const response = await fetch(driver + path, {
    method,
    signal: AbortSignal.timeout(COMMAND_LIMIT_MS),
    ...(method === 'POST' && {
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    }),
  });
  const { value } = (await response.json()) as { value: unknown };
  if (response.ok) return value;
  const { error, message } = value as { error: string; message: string };
  throw new WebDriverError(error, `${method} ${path}: ${error}: ${message}`);
}
