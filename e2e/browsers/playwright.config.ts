import { defineConfig } from '@playwright/test';

/** Set by `npm run test:browsers`. */
const firefoxPath = process.env['FIREFOX_PATH'] ?? '/usr/bin/firefox-esr';

/**
 * The money stories in Firefox ESR, which Playwright drives by WebDriver BiDi, and smoke stories in WebKitGTK, which
 * `web-driver.ts` drives. One browser runs after the other, because BiDi answers more slowly than Chromium's protocol.
 */
export default defineConfig({
  testDir: '..',
  globalSetup: '../global-setup.ts',
  outputDir: '../../test-results/browsers',
  workers: 1,
  forbidOnly: true,
  retries: 0,
  timeout: 180_000,
  expect: { timeout: 20_000 },
  use: {
    viewport: { width: 390, height: 844 },
    locale: 'en-US',
    timezoneId: 'Europe/Berlin',
    actionTimeout: 30_000,
  },
  projects: [
    {
      name: 'Firefox ESR',
      testMatch: [
        'main-job.e2e.ts',
        'card.e2e.ts',
        'cart.e2e.ts',
        'send.e2e.ts',
        'redemption.e2e.ts',
        'session.e2e.ts',
        'browsers/money.story.ts',
      ],
      // These stories lose a response by fetching it in place of the browser, but BiDi does not give Playwright the
      // request body.
      grepInvert: /answers? (is|are) lost/,
      use: {
        browserName: 'firefox',
        channel: 'moz-firefox',
        launchOptions: { executablePath: firefoxPath },
      },
    },
    {
      name: 'WebKitGTK',
      testMatch: 'browsers/webkit.story.ts',
    },
  ],
});
