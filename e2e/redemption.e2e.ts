/** The second half of the main job: browse, fill a cart, buy, and redeem in front of a scanner's camera. */
import { expect, type Page } from '@playwright/test';
import { addresses } from './system/addresses.ts';
import { openCamera } from './steps/camera.ts';
import { test } from './steps/story.ts';
import { expectBalance, signInForm } from '@athos/testing/steps/wallet';

const CODE = 'QR code to redeem your purchase';
/** The live event informs the customer at once. The screen itself polls only every 10 s. */
const NEWS_LIMIT_MS = 5_000;

const scannerAccount = () => {
  const account = addresses.demoSignIns.find(({ role }) => role === 'scanner');
  if (account === undefined) throw new Error('There is no demo staff');
  return account;
};

async function signInStaff(page: Page): Promise<void> {
  const { email, password } = scannerAccount();
  await page.goto(addresses.scanner);
  await signInForm(page).email.fill(email);
  await signInForm(page).password.fill(password);
  await signInForm(page).submit.click();
}

/** Adds two items of an offer without conditions to the cart. */
async function addToCart(page: Page): Promise<string> {
  const marketplace = page.getByRole('region', { name: 'Marketplace' });
  await marketplace.getByRole('link', { name: 'Drinks' }).first().click();
  await page.getByRole('link', { name: 'House Pour' }).first().click();
  await expect(page.getByRole('heading', { name: 'House Pour' })).toBeVisible();
  await page.getByRole('button', { name: /^Increase/ }).click();
  await page.getByRole('button', { name: 'Add to cart' }).click();
  await expect(page.getByText('Added 2 item(s) to cart!')).toBeVisible();
  return 'House Pour';
}

test('[S1-015] [S1-016] [S1-018] a member fills a cart, buys it and redeems in front of a camera; a second scan is refused', async ({
  member,
}) => {
  test.setTimeout(120_000);
  const { page } = await member({ ath: 200 });
  const camera = await openCamera();
  try {
    await test.step('browses, puts two into the cart and buys them', async () => {
      await expectBalance(page, '200.00 ATH');
      await addToCart(page);
      await page.getByRole('navigation').getByRole('link', { name: /Cart/ }).click();
      await expect(page.getByRole('heading', { name: 'Your Cart' })).toBeVisible();
      await page.getByRole('button', { name: 'Buy', exact: true }).click();
      await expect(page.getByText('Purchase was successful!')).toBeVisible();
      const bought = page.getByRole('dialog', { name: '2 items are yours' });
      await expect(bought.getByText('2 × House Pour')).toBeVisible();
      await expect(bought.getByText('152.00 ATH')).toBeVisible();
    });

    const staff = await camera.browser.newPage({
      viewport: { width: 390, height: 844 },
      locale: 'en-US',
      timezoneId: 'Europe/Berlin',
      permissions: ['camera'],
    });
    await signInStaff(staff);
    await expect(staff.getByRole('heading', { name: 'Where are you?' })).toBeVisible();

    await test.step('shows the code of the whole purchase', async () => {
      await page.getByRole('link', { name: 'Show QR code' }).click();
      await expect(page.getByText('Items being redeemed (x2)')).toBeVisible();
      await camera.pointAt(page, CODE);
    });

    await test.step('staff scans that very screen and redeems; the customer sees it at once', async () => {
      await staff.getByRole('list', { name: 'Your venues' }).getByRole('button').first().click();
      await expect(staff.getByRole('list', { name: 'Items in this code' })).toContainText(
        '2 × House Pour Ready to redeem',
      );
      await staff.getByRole('button', { name: 'Redeem all 2 items' }).click();
      await expect(staff.getByRole('heading', { name: '2 items redeemed' })).toBeVisible();
      await expect(page.getByText(/^2 items redeemed/)).toBeVisible({ timeout: NEWS_LIMIT_MS });
    });

    await test.step('a second scan is refused and shows the time of the first', async () => {
      // The code is still in front of the camera. Leaving the screen for the counters and coming back reads it again.
      await staff.getByRole('button', { name: 'Next scan' }).click();
      await staff.getByRole('link', { name: 'Today: 2 items redeemed' }).click();
      await expect(staff.getByRole('heading', { name: 'Today' })).toBeVisible();
      await staff.goBack();
      await expect(staff.getByText('Do not hand anything out for this code.')).toBeVisible();
      await expect(staff.getByText(/^Already redeemed at .+, .+/)).toHaveCount(1);
      await expect(staff.getByRole('button', { name: /^Redeem/ })).toHaveCount(0);
    });

    await test.step('the purchase is shown as redeemed, and is in the history', async () => {
      await page.goto('/app/my-purchases');
      await expect(page.getByText('Redeemed: 2 products')).toBeVisible();
      await page.goto('/app/history');
      const rows = page.getByRole('list', { name: 'History' }).getByRole('link');
      await expect(rows.first()).toHaveAccessibleName(/ ATH Products · .+ -48\.00 ATH$/);
    });
  } finally {
    await camera.close();
  }
});
