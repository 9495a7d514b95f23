import { expect, type Page } from '@playwright/test';

/** Approves a request from the inbox. */
export async function approve(page: Page, requestId: string): Promise<void> {
  await page.locator(`a[href$="/approvals/${requestId}"]`).first().click();
  await page.getByRole('button', { name: 'Approve', exact: true }).click();
  const dialog = page.getByRole('dialog', { name: 'Approve' });
  await dialog.getByRole('button', { name: 'Approve' }).click();
  await expect(page.getByText('Approved.', { exact: true })).toBeVisible();
}
