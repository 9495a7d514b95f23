/** What lists and objects of the console have in common when there is nothing, or when they cannot be loaded. */
import type { Page } from '@playwright/test';
import { see } from '../steps/acts.ts';

/** The answer of a list that has no rows. */
export const emptyList = () => ({
  items: [],
  next_cursor: null,
  count: { value: 0, is_at_least: false },
});

/** The console asks once more before it says so. */
async function seeAfterRetry(page: Page, text: string): Promise<void> {
  await page.clock.fastForward(2000);
  await see(page, text);
}

export const seeFailure = (page: Page): Promise<void> =>
  seeAfterRetry(page, 'This could not be loaded');
export const seeMissing = (page: Page): Promise<void> => seeAfterRetry(page, 'Not found');
