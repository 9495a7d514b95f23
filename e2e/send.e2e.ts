import { expect } from '@playwright/test';
import { readBalance } from './system/accounts.ts';
import { test } from './steps/story.ts';
import { enterSend, expectBalance } from '@athos/testing/steps/wallet';

test("a contact is saved, chosen and sent 'All'; twenty clicks and going back send once", async ({
  member,
}) => {
  const me = await member({ ath: 20 });
  const friend = await member();
  const { page } = me;
  const amount = page.getByRole('textbox', { name: 'Amount to send' });
  const recipient = page.getByRole('textbox', { name: 'Recipient' });

  await test.step('All takes the whole balance', async () => {
    await page.getByRole('link', { name: 'Send' }).click();
    await page.getByRole('button', { name: 'All' }).click();
    await expect(amount).toHaveValue('20');
    await page.getByRole('button', { name: 'Next' }).click();
  });

  await test.step('a typed address becomes a contact', async () => {
    await recipient.fill(friend.account.uuid);
    await page.getByRole('button', { name: 'ADD CONTACT' }).click();
    const dialog = page.getByRole('dialog', { name: 'Add Contact' });
    await expect(dialog.getByRole('textbox', { name: 'Address' })).toHaveValue(friend.account.uuid);
    await dialog.getByRole('textbox', { name: 'Alias' }).fill('Bo');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await expect(page.getByRole('list', { name: 'Contacts' }).getByText('Bo')).toBeVisible();
  });

  await test.step('the contact survives a reload and is chosen by a click', async () => {
    await page.reload();
    await recipient.fill('b');
    await page.getByRole('list', { name: 'Contacts' }).getByRole('button', { name: /^Bo/ }).click();
    await page.getByRole('button', { name: 'Next' }).click();
    await expect(page.getByText(friend.account.uuid)).toBeVisible();
    await expect(page.getByText(me.account.uuid)).toBeVisible();
  });

  await test.step('twenty clicks send once', async () => {
    let transferCount = 0;
    page.on('request', (request) => {
      if (request.url().endsWith('/account/transfer')) transferCount += 1;
    });
    const send = page.getByRole('button', { name: 'Send', exact: true });
    await send.evaluate((button: HTMLButtonElement) => {
      for (let count = 0; count < 20; count += 1) button.click();
    });
    await expect(page.getByRole('dialog', { name: 'Successfully sent' })).toBeVisible();
    expect(transferCount).toBe(1);
    await expectBalance(friend.page, '20.00 ATH');
    await page.getByRole('button', { name: 'Done' }).click();
    await expectBalance(page, '0.00 ATH');
  });

  await test.step('back and forward repeat nothing', async () => {
    for (const step of ['back', 'back', 'forward'] as const) {
      await (step === 'back' ? page.goBack() : page.goForward());
      await expect(page).toHaveURL('/app');
      await expect(page.getByRole('heading', { name: 'Marketplace' })).toBeVisible();
    }
    await expectBalance(page, '0.00 ATH');
    expect(await readBalance(friend.account)).toBe('20000000');
  });
});

const NOBODY = '0192ffff-0000-7000-8000-00000000dead';

test('the recipient step says of an unknown account that nobody has it, where the keyboard does not cover it', async ({
  member,
}) => {
  const { page } = await member({ ath: 5 });
  // The height that a phone's keyboard leaves of the screen.
  await page.setViewportSize({ width: 390, height: 430 });
  await page.goto('/app/send/recipient');
  await page.getByRole('textbox', { name: 'Recipient' }).fill(NOBODY);
  await page.keyboard.press('Enter');
  const error = page.getByRole('alert').filter({ hasText: 'There is no account with this ID.' });
  await expect(error).toBeInViewport({ ratio: 1 });
  await expect(page).toHaveURL('/app/send/recipient');
  await page.goto('/app/send');
  await page.getByRole('textbox', { name: 'Amount to send' }).fill('6');
  await expect(page.getByRole('alert')).toHaveText('This is more than your balance of 5.00 ATH.');
  await expect(page.getByRole('alert')).toBeInViewport({ ratio: 1 });
});

test('a send to an account that is gone moves nothing and keeps what was entered', async ({
  member,
}) => {
  const { page, account } = await member({ ath: 5 });
  // Simulates an account that was closed after it was looked up.
  await page.route('**/api/account/recipient', (route) =>
    route.fulfill({ json: { exists: true, uuid: NOBODY } }),
  );
  await enterSend(page, '2', NOBODY);
  await page.getByRole('button', { name: 'Send', exact: true }).click();
  await expect(page.getByText('Something went wrong while sending.')).toBeVisible();
  await expect(page.getByText('There is no account with this ID. Nothing was sent.')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Send', exact: true })).toBeEnabled();
  expect(await readBalance(account)).toBe('5000000');
});

test('a send whose answer is lost is retried with the same key and happens once', async ({
  member,
}) => {
  const me = await member({ ath: 6 });
  const friend = await member();
  await enterSend(me.page, '4', friend.account.uuid);
  const keys: (string | undefined)[] = [];
  await me.page.route('**/api/account/transfer', async (route) => {
    keys.push(route.request().headers()['idempotency-key']);
    if (keys.length > 1) return route.continue();
    // The request reaches the server; the browser sees a broken connection.
    await route.fetch();
    await route.abort('connectionreset');
  });
  await me.page.getByRole('button', { name: 'Send', exact: true }).click();
  await expect(me.page.getByRole('dialog', { name: 'Successfully sent' })).toBeVisible();
  expect(keys).toHaveLength(2);
  expect(keys[1]).toBe(keys[0]);
  expect(await readBalance(friend.account)).toBe('4000000');
  expect(await readBalance(me.account)).toBe('2000000');
});
