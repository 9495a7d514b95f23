import { chromium, type LaunchOptions } from '@playwright/test';
import { existsSync } from 'node:fs';

const KNOWN_PLACES = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome-stable',
  '/usr/bin/google-chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
];

/** Options that keep the browser from sending requests of its own. */
const QUIET = [
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

/** Uses `CHROMIUM_PATH` if it is set, otherwise the system's Chromium, otherwise the one installed by Playwright. */
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
