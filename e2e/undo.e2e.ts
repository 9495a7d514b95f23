/** A send that is undone, and one that arrives, with a programme's default times. They run after the other stories. */
import { expect, type Page } from '@playwright/test';
import { enterSend, expectBalance } from '@athos/testing/steps/wallet';
import { test } from './steps/story.ts';
import { readBalance } from './system/accounts.ts';
import { setSetting } from './system/programme.ts';

const bar = (page: Page) => page.getByRole('region', { name: 'Sends on their way' });
const undoIn = (page: Page) => bar(page).getByRole('button', { name: /^Undo 4\.00 ATH to / });
const arriving = (page: Page) =>
  page.getByRole('region', { name: 'Your wallet' }).getByText('4.00 ATH arriving');

// Restores the specified behaviour for the stories after this one.
test.afterAll(() => setSetting('undo_first_seconds', 0));

test('[W-059] [W-064] [W-070] [W-071] [W-072] [W-074] [W-075] [W-076] a send is undone from another tab after a reload, and another one arrives', async ({
  member,
}) => {
  test.setTimeout(150_000);
  setSetting('undo_first_seconds', 40);
  const me = await member({ ath: 20 });
  const friend = await member();
  const { page } = me;

  await test.step('the success offers Undo beside the specified texts, with the focus at Done', async () => {
    await page.goto('/app/send');
    await page.getByRole('textbox', { name: 'Amount to send' }).fill('4');
    await page.getByRole('button', { name: 'Next' }).click();
    await page.getByRole('textbox', { name: 'Recipient' }).fill(friend.account.uuid);
    await expect(page.getByText(/^You have never sent to this account\./)).toBeVisible();
    await page.getByRole('button', { name: 'Next' }).click();
    await page.getByRole('button', { name: 'Send', exact: true }).click();
    const success = page.getByRole('dialog', { name: 'Successfully sent' });
    await expect(success).toContainText(`to ${friend.account.uuid}`);
    await expect(success.getByRole('button', { name: 'Undo' })).toBeVisible();
    await expect(success.getByText(/^Arrives in \d+ s$/)).toBeVisible();
    await expect(success.getByRole('button', { name: 'Done' })).toBeFocused();
    await success.getByRole('button', { name: 'Done' }).click();
    await expectBalance(page, '16.00 ATH');
  });

  await test.step('the receiver sees it arriving, and not in the balance', async () => {
    await expect(arriving(friend.page)).toBeVisible();
    await expectBalance(friend.page, '0.00 ATH');
  });

  await test.step('after a reload, another tab takes it back', async () => {
    await page.reload();
    await expect(undoIn(page)).toBeVisible();
    const other = await me.context.newPage();
    await other.goto('/app/settings');
    await undoIn(other).click();
    await expect(other.getByText('Taken back. 4.00 ATH is in your balance again.')).toBeVisible();
    await expect(other.getByRole('main')).toBeFocused();
    await expect(bar(other)).toHaveCount(0);
    await other.close();
    await expect(bar(page)).toHaveCount(0);
    await expectBalance(page, '20.00 ATH');
    await expect(arriving(friend.page)).toHaveCount(0);
    expect(await readBalance(friend.account)).toBe('0');
  });

  await test.step('another one arrives after its seconds, and the bar leaves every screen', async () => {
    setSetting('undo_first_seconds', 5);
    await enterSend(page, '4', friend.account.uuid);
    await page.getByRole('button', { name: 'Send', exact: true }).click();
    await page.getByRole('button', { name: 'Done' }).click();
    for (const link of ['Settings', 'Cart', 'Home']) {
      await page.getByRole('navigation').getByRole('link', { name: link }).click();
      await expect(undoIn(page)).toBeVisible();
    }
    await expectBalance(friend.page, '4.00 ATH');
    await expect(arriving(friend.page)).toHaveCount(0);
    await expect(bar(page)).toHaveCount(0);
    expect(await readBalance(me.account)).toBe('16000000');
  });

  await test.step('now the receiver is known, and an address that looks like theirs is not', async () => {
    await page.goto('/app/send/recipient');
    const recipient = page.getByRole('textbox', { name: 'Recipient' });
    const forged = friend.account.uuid.slice(0, 8) + me.account.uuid.slice(8);
    await recipient.fill(forged);
    await expect(page.getByText('This address looks like one you know')).toBeVisible();
    await expect(page.getByRole('button', { name: 'Next' })).toBeDisabled();
    await page.getByRole('checkbox', { name: 'I compared it with the person.' }).check();
    await expect(page.getByRole('button', { name: 'Next' })).toBeEnabled();
    await recipient.fill(friend.account.uuid);
    await expect(page.getByText('This address looks like one you know')).toHaveCount(0);
    await expect(page.getByText(/^You have never sent/)).toHaveCount(0);
  });

  await test.step('the history has one entry for each, with its state', async () => {
    await page.goto('/app/history');
    const rows = page.getByRole('list', { name: 'History' }).getByRole('link');
    await expect(rows.nth(0)).toHaveAccessibleName(/Sent/);
    await expect(rows.nth(1)).toHaveAccessibleName(/Taken back/);
  });
});
