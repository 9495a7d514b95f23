import { chromium, type LaunchOptions } from '@playwright/test';
import { existsSync } from 'node:fs';

const KNOWN_PLACES = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome-stable',
  '/usr/bin/google-chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
];

/** Nothing but the pages of the test is asked for, also by the browser itself. */
const QUIET = [
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

/** `CHROMIUM_PATH`, or the Chromium of the system, or the one that Playwright brought. */
export function browserOptions(): LaunchOptions {
  const found = [process.env['CHROMIUM_PATH'], ...KNOWN_PLACES].find(
    (path) => path !== undefined && existsSync(path),
  );
  const isRoot = process.getuid?.() === 0;
  return {
    executablePath: found ?? chromium.executablePath(),
    // Chromium's own sandbox does not run as root.
    args: isRoot ? [...QUIET, '--no-sandbox'] : QUIET,
  };
}
