/** Watches everything that a browser context does, so that every story also proves that forbidden events never happen. */
import { expect, type BrowserContext } from '@playwright/test';
import { addresses } from '../system/addresses.ts';

/** The only hosts that pages may contact. The console has a name, because an IP address can have no passkeys. */
const OWN_HOSTS: readonly string[] = ['127.0.0.1', 'localhost'];
/** Chromium logs every refused or lost request. Whether the page handles it is for the story to check. */
const REFUSED_REQUEST = /^Failed to load resource: /;
/** The inline style `body {}` that Playwright adds for every screenshot in Firefox; the page's policy blocks it. */
const PICTURE_STYLE = 'sha256-YjaKGiklmzC6wjXA513HAMmzus8VE61XCOT+SmwNZWA=';
/** A busy Chromium skips the animation between two pages that the style sheet requests, and logs it as an error. */
const SKIPPED_ANIMATION = 'Transition was skipped';

export interface Watch {
  /** The requests sent to the card provider so far. */
  readonly providerRequests: readonly string[];
  /** @throws if there was an error in the console, a policy violation or a request to another machine */
  check(): void;
}

export function watchContext(context: BrowserContext): Watch {
  const faults: string[] = [];
  const providerRequests: string[] = [];
  context.on('request', (request) => {
    const url = new URL(request.url());
    if (url.protocol === 'data:' || url.protocol === 'blob:') return;
    if (!OWN_HOSTS.includes(url.hostname)) faults.push(`request to ${url.href}`);
    if (url.origin === new URL(addresses.sandbox).origin) providerRequests.push(url.href);
  });
  context.on('console', (message) => {
    // Warnings are the app's own log of failed calls.
    if (message.type() !== 'error') return;
    if (!REFUSED_REQUEST.test(message.text())) faults.push(`console: ${message.text()}`);
  });
  context.on('weberror', (error) => {
    const { message } = error.error();
    if (message === SKIPPED_ANIMATION || message.includes(PICTURE_STYLE)) return;
    faults.push(`error: ${message}`);
  });
  return { providerRequests, check: () => expect(faults).toEqual([]) };
}
