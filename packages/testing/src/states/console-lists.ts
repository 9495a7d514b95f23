/** States shared by all lists and objects of the console: empty, or failed to load. */
import type { Page } from '@playwright/test';
import { see } from '../steps/acts.ts';

/** The response of a list without rows. */
export const emptyList = () => ({
  items: [],
  next_cursor: null,
  count: { value: 0, is_at_least: false },
});

/** The console retries once before it shows the failure. */
async function seeAfterRetry(page: Page, text: string): Promise<void> {
  await page.clock.fastForward(2000);
  await see(page, text);
}

export const seeFailure = (page: Page): Promise<void> =>
  seeAfterRetry(page, 'This could not be loaded');
export const seeMissing = (page: Page): Promise<void> => seeAfterRetry(page, 'Not found');
