/** Steps of users in the wallet, by role and label. */
import { expect, type Locator, type Page } from '@playwright/test';
import { CARDS } from './cards.ts';

const walletBlock = (page: Page): Locator => page.getByRole('region', { name: 'Your wallet' });

export async function expectBalance(page: Page, text: string, timeout?: number): Promise<void> {
  await expect(walletBlock(page).getByText(text, { exact: true })).toBeVisible(
    timeout === undefined ? {} : { timeout },
  );
}

export const signInForm = (page: Page) => ({
  email: page.getByRole('textbox', { name: 'Email' }),
  password: page.getByRole('textbox', { name: 'Password', exact: true }),
  submit: page.getByRole('button', { name: 'Sign In' }),
});

export async function signIn(page: Page, account: { email: string; password: string }) {
  const form = signInForm(page);
  await form.email.fill(account.email);
  await form.password.fill(account.password);
  await form.submit.click();
}

/** Goes from any signed-in screen through the amount and recipient steps to the summary. */
export async function enterSend(page: Page, amount: string, address: string): Promise<void> {
  await page.goto('/app/send');
  await page.getByRole('textbox', { name: 'Amount to send' }).fill(amount);
  await page.getByRole('button', { name: 'Next' }).click();
  await page.getByRole('textbox', { name: 'Recipient' }).fill(address);
  await page.getByRole('button', { name: 'Next' }).click();
  await expect(page.getByRole('heading', { name: 'Summary' })).toBeVisible();
}

/** Goes from any signed-in screen to a card form that is ready for a card. */
export async function openCardForm(page: Page, amount: string): Promise<void> {
  await page.goto('/app/buy');
  await page.getByRole('textbox', { name: 'Amount to buy' }).fill(amount);
  await page.getByRole('button', { name: 'Preview' }).click();
  await page.getByRole('button', { name: 'Purchase' }).click();
  await expect(cardFields(page).getByLabel('Card number')).toBeVisible();
}

export const cardFields = (page: Page) =>
  page.frameLocator('iframe[title="Secure payment input frame"]');

export async function typeCard(page: Page, number: string): Promise<void> {
  const fields = cardFields(page);
  await fields.getByLabel('Card number').fill(number);
  await fields.getByLabel('Expiration date').fill('12 / 34');
  await fields.getByLabel('Security code').fill('123');
  await fields.getByLabel('Country').selectOption('US');
  await fields.getByLabel('ZIP code').fill('12345');
}

export async function pay(page: Page, number: string = CARDS.succeeds): Promise<void> {
  await typeCard(page, number);
  await page.getByRole('button', { name: 'Pay', exact: true }).click();
}

/** Buys ATH with a card that succeeds, from any signed-in screen. Ends at home. */
export async function buyAth(page: Page, amount: string): Promise<void> {
  await openCardForm(page, amount);
  await pay(page);
  const success = page.getByRole('dialog', { name: 'Successfully purchased' });
  await success.getByRole('button', { name: 'Done' }).click();
}

/** The bank's 3-D Secure page, above the card form. */
export const challenge = (page: Page) =>
  page.frameLocator('iframe[title="3D Secure authentication frame"]');
