/** The work of staff on a customer's second step and names, and what the customer sees of it. */
import { expect, type Page } from '@playwright/test';
import { signInForm } from '@athos/testing/steps/wallet';
import { approve } from './steps/approve.ts';
import { test } from './steps/story.ts';
import { createAccount } from './system/accounts.ts';
import { callApi } from './system/api.ts';
import { addAuthenticator } from './system/authenticator.ts';
import { linkTo, waitForMail } from './system/mailbox.ts';
import { callConsole } from './system/staff.ts';

// In one worker, sequentially: a sign-in code can be used only once.
test.describe.configure({ mode: 'default' });

const REASON = 'Came to the desk with a passport.';

/** Signs in without the code, as a user who has lost it, and opens the mailed link. */
async function loseSecondStep(page: Page, email: string, password: string): Promise<void> {
  await page.goto('/auth/sign-in');
  const form = signInForm(page);
  await form.email.fill(email);
  await form.password.fill(password);
  await form.submit.click();
  await page.getByRole('button', { name: 'Use a recovery code' }).click();
  await page.getByRole('button', { name: 'I have lost both' }).click();
  await page.getByRole('button', { name: 'Mail me the link' }).click();
  const mail = await waitForMail(email, /^Remove the second step/);
  await page.goto(linkTo(mail, '/auth/recover'));
  await page.getByRole('button', { name: 'Begin the wait' }).click();
  await waitForMail(email, /is being removed$/);
}

test('two members of staff shorten the wait for a lost second step, one refuses it, and the owner hears of both', async ({
  member,
  visitor,
  staff,
}) => {
  const { page, account } = await member();
  await addAuthenticator(account);
  const { page: lost } = await visitor();
  await loseSecondStep(lost, account.email, account.password);
  await page.goto('/app/settings');
  const bar = page.getByRole('alert').filter({ hasText: 'remove your second step' });
  await expect(bar).toBeVisible();
  const firstEnd = await bar.textContent();

  const asker = await staff('support', `/customers/${account.uuid}`, 'phone');
  const card = asker.page.getByRole('region', { name: 'Lost second step' });
  await card.getByRole('button', { name: 'Shorten' }).click();
  const dialog = asker.page.getByRole('dialog', { name: 'Shorten the wait' });
  await dialog.getByLabel('Ends after the approval').selectOption('6 hours later');
  await dialog.getByLabel('Reason').fill(REASON);
  await dialog.getByRole('button', { name: 'Request approval' }).click();
  await expect(card.getByRole('link', { name: 'Waiting for approval' })).toBeVisible();
  const query = { view: 'mine', action: 'recovery.shorten' } as const;
  const [request] = (await callConsole(asker.context, 'approvals', { query })).items;

  const decider = await staff('finance', '/approvals');
  await approve(decider.page, request?.id ?? '');
  const mail = await waitForMail(account.email, /is removed sooner$/);
  expect(linkTo(mail, '/auth/stop-recovery')).toContain('code=');
  await page.reload();
  await expect(bar).toBeVisible();
  expect(await bar.textContent()).not.toBe(firstEnd);

  await asker.page.reload();
  await card.getByRole('button', { name: 'Refuse' }).click();
  const refusal = asker.page.getByRole('dialog', { name: 'Refuse to remove the second step' });
  await refusal.getByLabel('Reason').fill(REASON);
  await refusal.getByRole('button', { name: 'Refuse' }).click();
  await expect(card).toBeHidden();
  await waitForMail(account.email, /stays$/);
  await page.reload();
  await expect(page.getByRole('main')).toBeVisible();
  await expect(bar).toBeHidden();
});

test('staff take a handle away, which finds nobody from then on', async ({ member, staff }) => {
  const { account } = await member();
  const friend = await createAccount();
  const handle = `desk_${account.uuid.slice(0, 8)}`;
  await callApi('setHandle', { token: account.token, body: { handle, is_findable: true } });
  const find = async () =>
    (await callApi('recipient', { token: friend.token, body: { text: `@${handle}` } })).exists;
  expect(await find()).toBe(true);

  const { page } = await staff('support', `/customers/${account.uuid}`);
  await expect(page.getByRole('region', { name: 'Facts' })).toContainText(`@${handle}`);
  await page.getByRole('button', { name: 'Actions' }).click();
  await page.getByRole('menuitem', { name: 'Remove name or handle' }).click();
  const dialog = page.getByRole('dialog', { name: 'Remove name or handle' });
  await dialog.getByLabel('Reason').fill('Passes for our ticket desk.');
  await dialog.getByRole('button', { name: 'Remove' }).click();
  await expect(dialog).toBeHidden();
  expect(await find()).toBe(false);
});
