/** What brings a page from one state to the next; each gives the page back. */
import type { Page } from '@playwright/test';

export async function press(page: Page, name: string): Promise<Page> {
  await page.getByRole('button', { name, exact: true }).click();
  return page;
}

export async function write(page: Page, label: string, text: string): Promise<Page> {
  await page.getByRole('textbox', { name: label, exact: true }).fill(text);
  return page;
}

export async function see(page: Page, text: string | RegExp): Promise<Page> {
  await page.getByText(text).first().waitFor();
  return page;
}

/** For `prepare`: the page at `address` is that of an installation that counts page views. */
export const countPageViews =
  (address: string) =>
  async (page: Page): Promise<void> => {
    await page.route(address, async (route) => {
      const response = await route.fetch();
      const body = (await response.text())
        .replace('"analyticsUrl":null', '"analyticsUrl":"https://views.example/api/event"')
        .replace('"analyticsDomain":null', '"analyticsDomain":"wallet.example"');
      await route.fulfill({ response, body });
    });
  };
