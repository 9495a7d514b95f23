/** Two devices of one account: one shows the contacts that the other saves or deletes. */
import { expect, type Page } from '@playwright/test';
import { signIn } from '@athos/testing/steps/wallet';
import { test } from './steps/story.ts';

const RECIPIENT = '/app/send/recipient';

const contactsOf = (page: Page) => page.getByRole('list', { name: 'Contacts' });

async function save(page: Page, alias: string, address: string): Promise<void> {
  await page.getByRole('textbox', { name: 'Recipient' }).fill(address);
  await page.getByRole('button', { name: 'ADD CONTACT' }).click();
  const dialog = page.getByRole('dialog', { name: 'Add Contact' });
  await dialog.getByRole('textbox', { name: 'Alias' }).fill(alias);
  await dialog.getByRole('button', { name: 'Save' }).click();
  await expect(dialog).toBeHidden();
}

const isTold = (page: Page) =>
  page.waitForResponse(
    (answer) =>
      answer.url().endsWith('/account/contacts') &&
      answer.request().method() === 'PUT' &&
      answer.ok(),
  );

test('[W-084] a contact saved on one device is on another one, and one deleted there is gone here', async ({
  member,
  visitor,
}) => {
  test.setTimeout(90_000);
  const phone = await member({ at: RECIPIENT, isPhone: true });
  const friend = await member();
  const tablet = await visitor();

  await test.step('saved on the first, told by itself', async () => {
    const told = isTold(phone.page);
    await save(phone.page, 'Benjamin', friend.account.uuid);
    const body = (await told).request().postData();
    expect(body).toContain('Benjamin');
  });

  await test.step('seen on the second, right after signing in', async () => {
    await tablet.page.goto('/auth/sign-in');
    await signIn(tablet.page, phone.account);
    await expect(tablet.page.getByRole('heading', { name: 'Marketplace' })).toBeVisible();
    await tablet.page.goto(RECIPIENT);
    await expect(contactsOf(tablet.page).getByText('Benjamin')).toBeVisible();
  });

  await test.step('the second is warned of an address that resembles it', async () => {
    const { uuid } = friend.account;
    const alike = `${uuid.slice(0, 8)}-aaaa-4aaa-8aaa-aaaaaaaaaaaa`;
    await tablet.page.getByRole('textbox', { name: 'Recipient' }).fill(alike);
    await expect(tablet.page.getByText('Benjamin')).toBeVisible();
    await expect(tablet.page.getByText('This address looks like one you know')).toBeVisible();
    await tablet.page.getByRole('textbox', { name: 'Recipient' }).fill('');
  });

  await test.step('another one is saved on the second', async () => {
    const told = isTold(tablet.page);
    await save(tablet.page, 'Cyrus', '0192cccc-0000-7000-8000-000000000003');
    await expect(contactsOf(tablet.page).getByText('Cyrus')).toBeVisible();
    await told;
  });

  await test.step('deleted on the second, gone on the first, where the other one has come', async () => {
    await tablet.page.getByRole('textbox', { name: 'Recipient' }).fill('');
    const told = isTold(tablet.page);
    await tablet.page.getByRole('button', { name: 'Delete Benjamin' }).click();
    await tablet.page.getByRole('button', { name: 'Delete', exact: true }).click();
    await told;
    await phone.page.reload();
    await expect(contactsOf(phone.page).getByText('Cyrus')).toBeVisible();
    await expect(phone.page.getByText('Benjamin')).toHaveCount(0);
  });
});
