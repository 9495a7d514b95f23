/** Actions of a user on any screen, by role and label. */
import type { Page } from '@playwright/test';

export const press = (page: Page, name: string): Promise<void> =>
  page.getByRole('button', { name, exact: true }).click();

export const write = (page: Page, label: string, text: string): Promise<void> =>
  page.getByRole('textbox', { name: label, exact: true }).fill(text);

/** Waits for the text. */
export const see = (page: Page, text: string | RegExp): Promise<void> =>
  page.getByText(text).first().waitFor();

/** The same as a function of a state's steps. */
export const seen =
  (text: string | RegExp) =>
  (page: Page): Promise<void> =>
    see(page, text);
