/** Steps of staff members with each other in the console: joining, inviting and deciding. */
import { expect, type Locator, type Page } from '@playwright/test';

const REASON = 'Rehearsal of the programme before its launch.';

/** Accepts an invitation with a passkey, which counts as both factors. */
export async function join(page: Page, link: string, name: string): Promise<void> {
  // Later actions may require a fresh proof at any time.
  await page.addLocatorHandler(
    page.getByRole('dialog', { name: 'Confirm that it is you' }),
    (dialog) => dialog.getByRole('button', { name: 'Use a passkey' }).click(),
  );
  await page.goto(link);
  await expect(page.getByRole('heading', { name: 'Welcome to the console' })).toBeVisible();
  await page.getByLabel('Your name, as colleagues will see it').fill(name);
  await page.getByRole('button', { name: 'Continue with a passkey' }).click();
  await expect(page.getByRole('link', { name })).toBeVisible();
}

interface Invited {
  readonly email: string;
  readonly name: string;
  readonly organisation: 'Brand' | 'Provider';
  readonly role: string;
}

export async function invite(page: Page, invited: Invited): Promise<void> {
  await page.goto('/console/staff');
  await page.getByRole('button', { name: 'Invite', exact: true }).click();
  const dialog = page.getByRole('dialog', { name: 'Invite a person' });
  await dialog.getByLabel('Email').fill(invited.email);
  await dialog.getByLabel('Name', { exact: true }).fill(invited.name);
  await dialog.getByLabel('Organisation').selectOption({ label: invited.organisation });
  await dialog.getByRole('checkbox', { name: invited.role }).click();
  await confirm(dialog, 'Send invite');
}

/** Enters the reason, if one is required, and presses the button that names the action. */
export async function confirm(dialog: Locator, act: string | RegExp): Promise<void> {
  const button = dialog.getByRole('button', { name: act });
  // Dialogs are loaded when they are first opened.
  await button.waitFor();
  const reason = dialog.getByLabel('Reason');
  if ((await reason.count()) > 0) await reason.fill(REASON);
  await button.click();
  await expect(dialog).toBeHidden();
}

/** Approves the only request that waits for this person. */
export async function approve(page: Page, action: string): Promise<void> {
  await page.goto('/console/approvals');
  const request = page
    .getByRole('table', { name: 'Approvals' })
    .getByRole('link', { name: action });
  await request.first().click();
  await page.getByRole('button', { name: 'Approve', exact: true }).click();
  await confirm(page.getByRole('dialog', { name: 'Approve' }), 'Approve');
  await expect(page.getByRole('article').getByText('Carried out')).toBeVisible();
}
