/** A customer's receipt: sealed by the worker, verified in the browser, saved as a file. */
import { readFileSync } from 'node:fs';
import { expect } from '@playwright/test';
import { test } from './steps/story.ts';

test('[W-132] [W-133] [W-140] a movement is sealed, its owner checks the receipt in the browser and shows it to a stranger', async ({
  member,
  browser,
}) => {
  test.setTimeout(120_000);
  const { page } = await member({ ath: 20, at: '/app/history', isPhone: true });
  await page.getByRole('list', { name: 'History' }).getByRole('link').first().click();
  await page.getByRole('link', { name: 'Receipt' }).click();
  await expect(page.getByRole('heading', { name: 'Receipt' })).toBeVisible();

  await test.step('it waits for its seal by itself', async () => {
    await expect(page.getByText('Receipt number')).toBeVisible({ timeout: 90_000 });
  });

  await test.step('every step of the check is right, and the server is only asked for what it published', async () => {
    const asked: string[] = [];
    page.on('request', (request) => asked.push(new URL(request.url()).pathname));
    await page.getByRole('button', { name: 'Check it' }).click();
    await expect(page.getByText('This receipt is right, up to its signed seal.')).toBeVisible();
    const steps = page.getByRole('list', { name: 'Steps of the check' }).getByRole('listitem');
    await expect(steps).toHaveCount(8);
    await expect(steps.filter({ hasText: 'Right' })).toHaveCount(4);
    expect(asked.filter((path) => path.includes('receipt'))).toEqual([]);
    expect(asked).toContain('/api/ledger/heads');
  });

  await test.step('the file holds the receipt', async () => {
    const saving = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Save the receipt' }).click();
    const file = await saving;
    expect(file.suggestedFilename()).toMatch(/^R-[0-9A-Z]+-.\.json$/);
    const receipt: unknown = JSON.parse(readFileSync(await file.path(), 'utf8'));
    expect(receipt).toMatchObject({
      version: 1,
      parts: expect.any(Array),
      seal: expect.any(Object),
    });
  });

  await test.step('a reload shows the same receipt', async () => {
    await page.reload();
    await expect(page.getByText('Receipt number')).toBeVisible();
  });

  await test.step('a stranger sees it by its link without an account, until the link is ended', async () => {
    await page.getByRole('button', { name: 'Make a link' }).click();
    const link = await page.getByText(/\/receipt#[\w-]{22}$/).textContent();
    const stranger = await (await browser.newContext()).newPage();
    await stranger.goto(link ?? '');
    await expect(stranger.getByText('20.00 ATH')).toBeVisible();
    await stranger.getByRole('button', { name: 'Check it' }).click();
    await expect(stranger.getByText('This receipt is right, up to its signed seal.')).toBeVisible();
    await page.getByRole('button', { name: 'End', exact: true }).click();
    await expect(page.getByText('The link has been ended')).toBeVisible();
    await stranger.reload();
    await expect(stranger.getByText('This link does not work')).toBeVisible();
    await stranger.context().close();
  });
});
