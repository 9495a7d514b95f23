/** A tip, from its amount to the beneficiary's balance. */
import { expect } from '@playwright/test';
import { readBalance } from './system/accounts.ts';
import { addresses } from './system/addresses.ts';
import { callApi } from './system/api.ts';
import { categoryAddress } from './steps/marketplace.ts';
import { test } from './steps/story.ts';

/** Signs in the demo user who receives tips. */
async function signInBen() {
  const ben = addresses.demoSignIns.find(({ email }) => email.startsWith('ben@'));
  if (ben === undefined) throw new Error('There is no Ben');
  const { email, password } = ben;
  const session = await callApi('login', {
    body: { email, password, tenant_id: 1, mode: 'production' },
  });
  return { ...session, email, password };
}

test("[S1-017] a tip whose answer is lost once reaches its beneficiary once, and is shown as 'Tip' in the history", async ({
  member,
}) => {
  const ben = await signInBen();
  const before = BigInt(await readBalance(ben));
  const { page, account } = await member({ ath: 10, at: categoryAddress('tips') });

  await test.step('amount and details', async () => {
    await page.getByRole('link', { name: 'The Kitchen' }).click();
    await page.getByRole('textbox', { name: 'Tip' }).fill('2.5');
    await page.getByRole('button', { name: 'Tip now' }).click();
    const details = page.getByRole('dialog', { name: 'Tip Details' });
    await details.getByRole('textbox', { name: 'From' }).fill('Cleo');
    await details.getByRole('textbox', { name: 'Note' }).fill('The broth!');
    let attemptCount = 0;
    await page.route('**/api/account/tip', async (route) => {
      attemptCount += 1;
      if (attemptCount > 1) return route.continue();
      await route.fetch();
      await route.abort('connectionreset');
    });
    await details.getByRole('button', { name: 'Send Tip' }).click();
    await expect(page.getByText('Tip successfully sent!')).toBeVisible();
    expect(attemptCount).toBe(2);
    await expect(page.getByRole('textbox', { name: 'Tip' })).toHaveValue('');
  });

  await test.step('it moved once', async () => {
    expect(await readBalance(account)).toBe('7500000');
    expect(BigInt(await readBalance(ben)) - before).toBe(2_500_000n);
  });

  await test.step('it is in the history', async () => {
    await page.goto('/app/history');
    const rows = page.getByRole('list', { name: 'History' }).getByRole('link');
    await expect(rows.first()).toHaveAccessibleName(/ Tip · .+ -2\.50 ATH$/);
  });
});
