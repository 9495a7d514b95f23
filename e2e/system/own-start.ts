/** The settings of stories with their own system, besides the one that the other stories share. */
import type { PlaywrightTestConfig } from '@playwright/test';
import { browserOptions } from './browser.ts';

/** @param name - the folder of the stories, which is also the name of their project */
export const ownStart = (name: 'rehearsal' | 'outage'): PlaywrightTestConfig => ({
  globalSetup: './global-setup.ts',
  outputDir: `../../test-results/${name}`,
  projects: [{ name, testMatch: '*.e2e.ts' }],
  reporter: 'list',
  workers: 1,
  forbidOnly: true,
  retries: 0,
  timeout: 300_000,
  expect: { timeout: 10_000 },
  use: {
    launchOptions: browserOptions(),
    viewport: { width: 390, height: 844 },
    locale: 'en-US',
    timezoneId: 'Europe/Berlin',
    actionTimeout: 15_000,
    serviceWorkers: 'block',
    screenshot: 'only-on-failure',
    trace: process.env['E2E_TRACE'] === '1' ? 'retain-on-failure' : 'off',
  },
});
