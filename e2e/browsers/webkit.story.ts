/** Smoke stories in WebKitGTK: each screen opens, and each money action works once. */
import { expect, test as base } from '@playwright/test';
import sharp from 'sharp';
import { createAccount, fund, readBalance, type Account } from '../system/accounts.ts';
import { addresses } from '../system/addresses.ts';
import type { Place, WebDriverSession } from './web-driver.ts';
import { startWebKit, type WebKit } from './webkit.ts';

const WINDOW = { width: 500, height: 900 };
const CODE = { role: 'img', name: 'QR code to redeem your purchase' } as const;

const heading = (name: string) => ({ role: 'heading', name });
const link = (name: string | RegExp) => ({ role: 'link', name, isFirst: true });
const button = (name: string | RegExp) => ({ role: 'button', name });

interface Story {
  /** A fresh browser on the first page. */
  phone: WebDriverSession;
  /** Signs the browser in, on home. */
  signIn: (account: Account) => Promise<void>;
}

const test = base.extend<Story, { webKit: WebKit }>({
  webKit: [
    // oxlint-disable-next-line no-empty-pattern -- Playwright reads there what it needs
    async ({}, use) => {
      const webKit = await startWebKit();
      await use(webKit);
      await webKit.close();
    },
    { scope: 'worker' },
  ],
  phone: async ({ webKit }, use) => {
    const phone = await webKit.open();
    try {
      await phone.resize(WINDOW.width, WINDOW.height);
      await phone.goto(addresses.wallet);
      await use(phone);
      expect(await phone.faults()).toEqual([]);
    } finally {
      await phone.close();
    }
  },
  signIn: async ({ phone }, use) =>
    use(async ({ token }) => {
      await phone.run(`localStorage.setItem('jwt', arguments[0])`, token);
      await phone.goto(`${addresses.wallet}/app`);
    }),
});

async function memberWith(athCount: number): Promise<Account> {
  const account = await createAccount();
  await fund(account, athCount);
  return account;
}

test('the first page leads to sign-in, sign-in to home, and settings out again', async ({
  phone,
}) => {
  const account = await memberWith(7);
  await phone.see(heading('Welcome to Athos Rewards'));
  await phone.click(link('Get Started'));
  await phone.click(link('Sign In'));
  await phone.type('Email', account.email);
  await phone.type('Password', account.password);
  await phone.click(button('Sign In'));
  await phone.seePath('/app');
  await phone.see({ role: 'region', name: 'Your wallet' });
  await phone.seeText('7.00 ATH');
  await phone.click(link('Settings'));
  await phone.click(button('Sign Out'));
  await phone.seePath('/auth/sign-in');
  expect(await phone.run(`return localStorage.getItem('jwt')`)).toBe('invalidated');
});

test('a send by uuid appears in the history', async ({ phone, signIn }) => {
  const friend = await createAccount();
  await signIn(await memberWith(9));
  await phone.seeText('9.00 ATH');
  await phone.click(link('Send'));
  await phone.type('Amount to send', '1.5');
  await phone.click(button('Next'));
  await phone.type('Recipient', friend.uuid);
  await phone.click(button('Next'));
  await phone.see(heading('Summary'));
  await phone.click(button('Send'));
  await phone.see({ role: 'dialog', name: 'Successfully sent' });
  await phone.click(button('Done'));
  await phone.seeText('7.50 ATH');
  expect(await readBalance(friend)).toBe('1500000');
  await phone.click(link('Settings'));
  await phone.click(link('History'));
  await phone.see(link(/Send .*-1\.50 ATH$/));
});

test('an offer is bought through the cart, and its code is drawn', async ({ phone, signIn }) => {
  const account = await memberWith(100);
  await signIn(account);
  await phone.click(link(/^Drinks/));
  await phone.click(link(/House Pour/));
  await phone.see(heading('House Pour'));
  await phone.click(button('Add to cart'));
  await phone.seeText('Added 1 item(s) to cart!');
  await phone.click(link(/^Cart/));
  await phone.see(heading('Your Cart'));
  await phone.click(button('Buy'));
  await phone.seeText('Purchase was successful!');
  expect(await readBalance(account)).toBe('76000000');
  await phone.click(link('Show QR code'));
  const { picture, place } = await phone.photograph(CODE);
  const share = await darkShare(picture, place);
  expect(share).toBeGreaterThan(0.25);
  expect(share).toBeLessThan(0.75);
});

/** The share of dark pixels in part of a picture: about half in a QR code. */
async function darkShare(picture: Buffer, place: Place): Promise<number> {
  const { x: left, y: top, width, height } = place;
  const code = sharp(picture).extract({ left, top, width, height }).flatten();
  const { channels } = await sharp(await code.png().toBuffer())
    .greyscale()
    .threshold(128)
    .stats();
  return 1 - (channels[0]?.mean ?? 0) / 255;
}
