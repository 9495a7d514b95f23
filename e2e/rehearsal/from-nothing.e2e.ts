/**
 * A whole programme built from an empty production database, through the console alone: two owners of the provider and a manager of the
 * brand set it up, and a customer uses it.
 */
import { expect, type Page } from '@playwright/test';
import { join } from 'node:path';
import { readPrintedCodes } from '@athos/testing/printed-codes';
import { buyAth, expectBalance, signInForm } from '@athos/testing/steps/wallet';
import { openCamera } from '../steps/camera.ts';
import { approve, invite, join as joinStaff } from '../steps/colleagues.ts';
import { signUp } from '../steps/newcomer.ts';
import {
  addCampaign,
  addCategory,
  addOffer,
  addVenue,
  bindStaff,
  countStock,
  enrolScanner,
  makeCodes,
  printSheets,
  scheduleRate,
  startCampaign,
} from '../steps/programme.ts';
import { test } from '../steps/story.ts';
import { PASSWORD } from '../system/accounts.ts';
import { addresses } from '../system/addresses.ts';
import { inviteOwner } from '../system/invite-owner.ts';
import { linkTo, waitForMail } from '../system/mailbox.ts';

const PICTURE = join(import.meta.dirname, '../../dev/demo/pictures/cellar-jazz-1280.webp');
const SHEETS = 'PDF, A4, 2 × 5';
const MANAGER = 'mara@brand.example';
const BARTENDER = 'ben@bar.example';
const CUSTOMER = 'ada@example.com';

/** A rate takes effect a minute after the vote at the earliest. */
const RATE_WAIT_MS = 120_000;

const expectRehearsal = (page: Page): Promise<void> =>
  expect(page.getByText('Rehearsal: no real money')).toBeVisible();

test('[O-090] from an empty production database to a redeemed purchase, without SQL', async ({
  colleague,
  visitor,
}) => {
  const olive = (await colleague()).page;
  const oscar = (await colleague()).page;
  const mara = (await colleague()).page;
  const ben = (await visitor()).page;
  const ada = (await visitor()).page;
  let printed = '';
  let deviceCode = '';

  await test.step('the command line invites two owners, who join with passkeys', async () => {
    await joinStaff(olive, await inviteOwner('olive@provider.example'), 'Olive Owner');
    await joinStaff(oscar, await inviteOwner('oscar@provider.example'), 'Oscar Owner');
    await expectRehearsal(olive);
  });

  await test.step('one of them invites a manager of the brand, and the other agrees', async () => {
    await invite(olive, {
      email: MANAGER,
      name: 'Mara Manager',
      organisation: 'Brand',
      role: 'Brand manager',
    });
    await approve(oscar, 'Invite a member of staff');
    const mail = await waitForMail(MANAGER, /^You are invited/);
    await joinStaff(mara, linkTo(mail, '/console/invite'), 'Mara Manager');
  });

  await test.step('an owner schedules the first rate, and the other agrees', async () => {
    await scheduleRate(olive, '0.25');
    await approve(oscar, 'Publish a rate');
  });

  await test.step('the manager adds a category, an offer with a picture, and its stock', async () => {
    await addCategory(mara, 'Drinks');
    await addOffer(mara, {
      title: 'House Pour',
      category: 'Drinks',
      price: '12',
      picture: PICTURE,
    });
    await countStock(mara, 50);
  });

  await test.step('the manager adds a venue and its staff, and an owner enrols its scanner', async () => {
    await signUp(ben, BARTENDER);
    const venue = await addVenue(mara, 'Harbour Bar', '1 Harbour Road');
    await bindStaff(mara, BARTENDER);
    await olive.goto(venue);
    deviceCode = await enrolScanner(olive, 'Bar phone');
  });

  await test.step('the manager asks for a campaign, an owner funds it, and its codes are printed', async () => {
    await addCampaign(mara, { title: 'Welcome', ath: '5', budget: '500' });
    await approve(olive, 'Give a campaign a budget');
    await startCampaign(mara);
    await makeCodes(mara, 'Flyer', 12);
    const [first, second] = await readPrintedCodes(await printSheets(mara, 'Flyer', SHEETS));
    expect([first?.length, second?.length]).toEqual([10, 2]);
    printed = second?.[1] ?? '';
    expect(printed).toMatch(new RegExp(`^${addresses.wallet}/app/redeem\\?code=`));
  });

  await test.step('a customer signs up, redeems a printed code and buys ATH by card', async () => {
    await signUp(ada, CUSTOMER);
    await expectRehearsal(ada);
    await ada.goto(printed);
    await expect(ada.getByText('Your account has been credited with 5.00 Ath')).toBeVisible();
    await olive.goto('/console/rate');
    await expect(olive.getByText('In force since')).toBeVisible({ timeout: RATE_WAIT_MS });
    await buyAth(ada, '100');
    await ada.goto('/app');
    await expectBalance(ada, '105.00 ATH');
  });

  await test.step('the customer buys the offer and has it scanned', async () => {
    await ada
      .getByRole('region', { name: 'Marketplace' })
      .getByRole('link', { name: 'Drinks' })
      .first()
      .click();
    await ada.getByRole('link', { name: 'House Pour' }).first().click();
    await ada.getByRole('button', { name: 'Add to cart' }).click();
    await ada.getByRole('navigation').getByRole('link', { name: /Cart/ }).click();
    await ada.getByRole('button', { name: 'Buy', exact: true }).click();
    await expect(ada.getByText('Purchase was successful!')).toBeVisible();
    await redeem(ada, deviceCode);
  });

  await test.step('the console shows it', async () => {
    await olive.goto('/console/redemptions');
    await expect(olive.getByRole('table', { name: 'Redemptions' })).toContainText('House Pour');
    await olive.goto('/console/scanners');
    await expect(olive.getByRole('table', { name: 'Scanners' })).toContainText('Bar phone');
  });
});

/** The venue's staff enrols the device, and scans the code on the customer's screen. */
async function redeem(ada: Page, deviceCode: string): Promise<void> {
  const camera = await openCamera();
  try {
    await ada.getByRole('link', { name: 'Show QR code' }).click();
    await expect(ada.getByText('Items being redeemed (x1)')).toBeVisible();
    await camera.pointAt(ada, 'QR code to redeem your purchase');
    const staff = await camera.browser.newPage({
      viewport: { width: 390, height: 844 },
      locale: 'en-US',
      permissions: ['camera'],
    });
    await staff.goto(addresses.scanner);
    await signInForm(staff).email.fill(BARTENDER);
    await signInForm(staff).password.fill(PASSWORD);
    await signInForm(staff).submit.click();
    // Staff of a single venue get there without choosing one.
    await staff.getByRole('link', { name: /^Today:/ }).click();
    await staff.getByRole('button', { name: 'Name this device' }).click();
    const dialog = staff.getByRole('dialog', { name: 'Name this device' });
    await dialog.getByLabel('Code').fill(deviceCode);
    await dialog.getByRole('button', { name: 'Name it' }).click();
    await expect(dialog.getByText('This device belongs to Harbour Bar.')).toBeVisible();
    await dialog.getByRole('button', { name: 'Close', exact: true }).last().click();
    await staff.getByRole('link', { name: 'Back to the camera' }).click();
    await staff.getByRole('button', { name: /^Redeem/ }).click();
    await expect(staff.getByRole('heading', { name: '1 item redeemed' })).toBeVisible();
    await expectRehearsal(staff);
    await expect(ada.getByText(/^1 item redeemed/)).toBeVisible();
  } finally {
    await camera.close();
  }
}
