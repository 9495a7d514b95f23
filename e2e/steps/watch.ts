/** Watches everything that a browser context does, so that each story also proves what must never happen in any. */
import { expect, type BrowserContext } from '@playwright/test';
import { addresses } from '../system/addresses.ts';

/** This machine, and nothing else. */
const OWN_HOST = '127.0.0.1';
/** Chromium tells of every refused or lost request in the console; what the page does with it is the story's affair. */
const REFUSED_REQUEST = /^Failed to load resource: /;
/** The inline style `body {}` of Playwright, which takes no picture in Firefox without trying it; the page's policy refuses it. */
const PICTURE_STYLE = 'sha256-YjaKGiklmzC6wjXA513HAMmzus8VE61XCOT+SmwNZWA=';

export interface Watch {
  /** Requests to the card provider so far. */
  readonly providerRequests: readonly string[];
  /** Throws unless nothing bad happened: an error in the console, a broken policy, a request to another machine. */
  check(): void;
}

export function watchContext(context: BrowserContext): Watch {
  const faults: string[] = [];
  const providerRequests: string[] = [];
  context.on('request', (request) => {
    const url = new URL(request.url());
    if (url.protocol === 'data:' || url.protocol === 'blob:') return;
    if (url.hostname !== OWN_HOST) faults.push(`request to ${url.href}`);
    if (url.origin === new URL(addresses.sandbox).origin) providerRequests.push(url.href);
  });
  context.on('console', (message) => {
    // Warnings are the app's own log of calls that failed.
    if (message.type() !== 'error') return;
    if (!REFUSED_REQUEST.test(message.text())) faults.push(`console: ${message.text()}`);
  });
  context.on('weberror', (error) => {
    const { message } = error.error();
    if (!message.includes(PICTURE_STYLE)) faults.push(`error: ${message}`);
  });
  return { providerRequests, check: () => expect(faults).toEqual([]) };
}
