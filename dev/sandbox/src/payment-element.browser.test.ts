import axe from 'axe-core';
import { chromium } from '@playwright/test';
import type { Browser, Frame, FrameLocator, Page } from '@playwright/test';
import type Stripe from 'stripe';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { startPayPage } from './test/start-pay-page.ts';
import type { PayPage } from './test/start-pay-page.ts';
import { startTestSandbox } from './test/start-test-sandbox.ts';
import type { TestSandbox } from './test/start-test-sandbox.ts';

let sandbox: TestSandbox;
let payPage: PayPage;
let browser: Browser;
let page: Page;
let faults: string[];
let requests: string[];

beforeAll(async () => {
  sandbox = await startTestSandbox();
  payPage = await startPayPage(sandbox);
  browser = await chromium.launch({
    executablePath: process.env['CHROMIUM_PATH'] ?? '/usr/bin/chromium',
    args: ['--no-sandbox'],
  });
}, 60_000);

afterAll(async () => {
  await browser.close();
  await payPage.close();
  await sandbox.end();
});

afterEach(async () => {
  await page.context().close();
  expect(faults).toEqual([]);
});

/** Opens the form of a new intent, and records console errors and policy violations. */
async function openForm(more = ''): Promise<{ intent: Stripe.PaymentIntent; card: FrameLocator }> {
  const intent = await sandbox.stripe.paymentIntents.create({
    amount: 1110,
    currency: 'usd',
    allowed_payment_method_types: ['card'],
    description: '10.00 USD into $ATH',
  });
  const context = await browser.newContext({ viewport: { width: 390, height: 844 } });
  page = await context.newPage();
  faults = [];
  requests = [];
  page.on('request', (request) => requests.push(request.url()));
  page.on('pageerror', (error) => faults.push(error.message));
  page.on('console', (message) => {
    // Chromium logs every 402 response.
    const isAnswer = message.text().startsWith('Failed to load resource');
    if (message.type() === 'error' && !isAnswer) faults.push(message.text());
  });
  await page.goto(payPage.addressFor(intent.client_secret ?? '', more));
  await page.locator('body[data-ready=yes]').waitFor();
  return { intent, card: page.frameLocator('iframe[title="Secure payment input frame"]') };
}

async function fill(card: FrameLocator, number: string): Promise<void> {
  await card.getByLabel('Card number').fill(number);
  await card.getByLabel('Expiration date').fill('12/34');
  await card.getByLabel('Security code').fill(number.startsWith('37') ? '1234' : '123');
  await card.getByLabel('ZIP code').fill('94107');
}

/** Pays by keyboard: a field shows its error when it loses focus, which moves the button from under a pressed pointer. */
async function pay(): Promise<void> {
  await page.getByRole('button', { name: 'Pay' }).press('Enter', { delay: 50 });
}

async function expectOutcome(text: string): Promise<void> {
  await page.locator('output').filter({ hasText: text }).waitFor({ timeout: 10_000 });
}

/** Axe rules for whole pages; a frame relies on the landmarks and headings of the page around it. */
const PAGE_RULES = ['landmark-one-main', 'page-has-heading-one', 'region'];

/** Evaluates axe in each frame, because the policies forbid adding a script and frames cannot see into each other. */
async function findFaultsOf(frame: Frame, rulesOff: readonly string[]): Promise<string[]> {
  await frame.evaluate(axe.source);
  const { passCount, faults } = await frame.evaluate(async (off) => {
    const { axe: injected } = globalThis as unknown as { axe: typeof axe };
    const { violations, passes } = await injected.run({
      iframes: false,
      rules: Object.fromEntries(off.map((rule) => [rule, { enabled: false }])),
    });
    return {
      passCount: passes.length,
      faults: violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html}`)),
    };
  }, rulesOff);
  // A run that checked nothing would also find nothing.
  expect(passCount).toBeGreaterThan(5);
  return faults;
}

/** The violations that axe finds in the page and in the frame with this title. */
async function findFaults(frameTitle: string): Promise<string[]> {
  const frame = await (
    await page.locator(`iframe[title="${frameTitle}"]`).elementHandle()
  )?.contentFrame();
  if (frame === null || frame === undefined) throw new Error(`there is no frame ${frameTitle}`);
  return [
    ...(await findFaultsOf(page.mainFrame(), [])),
    ...(await findFaultsOf(frame, PAGE_RULES)),
  ];
}

describe('the payment element with the provider’s packages under a strict policy', () => {
  it('[D-103] pays, and shows the card number only to the frame’s origin', async () => {
    const { intent, card } = await openForm();
    await fill(card, '4242424242424242');
    await expect.poll(() => page.locator('body').getAttribute('data-complete')).toBe('true');
    expect(await card.getByLabel('Card number').inputValue()).toBe('4242 4242 4242 4242');
    expect(await card.getByLabel('Expiration date').inputValue()).toBe('12 / 34');
    await pay();
    await expectOutcome('paid: succeeded');
    const paid = await sandbox.stripe.paymentIntents.retrieve(intent.id, {
      expand: ['latest_charge'],
    });
    expect(paid.amount_received).toBe(1110);
    expect(paid.latest_charge).toMatchObject({
      billing_details: { address: { country: 'US', postal_code: '94107' } },
    });
    const foreign = requests.filter((url) => !/^(http:\/\/127\.0\.0\.1:|data:)/.test(url));
    expect(foreign).toEqual([]);
    expect(await page.content()).not.toContain('4242');
  });

  it('declines, then succeeds on the same form', async () => {
    const { intent, card } = await openForm();
    await fill(card, '4000000000000002');
    await pay();
    await expectOutcome('card_declined: Your card was declined.');
    await card.getByLabel('Card number').fill('4242424242424242');
    await pay();
    await expectOutcome('paid: succeeded');
    const charges = await sandbox.stripe.charges.list({ payment_intent: intent.id });
    expect(charges.data.map((charge) => charge.status)).toEqual(['succeeded', 'failed']);
  });

  it('passes a 3-D Secure challenge in a modal frame', async () => {
    const { intent, card } = await openForm();
    await fill(card, '4000000000003220');
    await pay();
    const bank = page.frameLocator('iframe[title="3D Secure authentication frame"]');
    await bank.getByText('$11.10').waitFor();
    await bank.getByRole('button', { name: 'Complete authentication' }).click();
    await expectOutcome('paid: succeeded');
    expect(await page.locator('dialog').count()).toBe(0);
    const { status } = await sandbox.stripe.paymentIntents.retrieve(intent.id);
    expect(status).toBe('succeeded');
  });

  it('keeps the intent open when a challenge is failed, retried and then closed', async () => {
    const { intent, card } = await openForm();
    await fill(card, '4000000000003220');
    await pay();
    const bank = page.frameLocator('iframe[title="3D Secure authentication frame"]');
    await bank.getByRole('button', { name: 'Fail authentication' }).click();
    await expectOutcome('payment_intent_authentication_failure: We are unable to authenticate');
    await pay();
    await expectOutcome('working');
    await page.getByRole('button', { name: 'Close authentication' }).click();
    await expectOutcome('payment_intent_authentication_failure: We are unable to authenticate');
    const after = await sandbox.stripe.paymentIntents.retrieve(intent.id);
    expect(after.status).toBe('requires_payment_method');
    expect(after.latest_charge).toBeNull();
  });

  it('shows what is missing and sends nothing', async () => {
    const { card } = await openForm();
    await pay();
    await expectOutcome('incomplete_number: Your card number is incomplete.');
    await card.getByText('Your card number is incomplete.').waitFor();
    await card.getByText("Your card's expiration date is incomplete.").waitFor();
    await card.getByText("Your card's security code is incomplete.").waitFor();
    await card.getByText('Your ZIP code is incomplete.').waitFor();
    expect(await card.getByLabel('Card number').getAttribute('aria-invalid')).toBe('true');
    await fill(card, '4242424242424241');
    await pay();
    await expectOutcome('invalid_number: Your card number is invalid.');
    await card.getByLabel('Card number').fill('4242424242424242');
    await card.getByLabel('Expiration date').fill('1220');
    await pay();
    await expectOutcome("invalid_expiry_year_past: Your card's expiration year is in the past.");
    expect(requests.some((url) => url.endsWith('/confirm'))).toBe(false);
  });

  it('grows with its errors, asks for a postal code only where one exists, uses the page’s colours', async () => {
    const { card } = await openForm('dark=1');
    const frame = page.locator('iframe[title="Secure payment input frame"]');
    const before = (await frame.boundingBox())?.height ?? 0;
    await pay();
    await expect.poll(async () => (await frame.boundingBox())?.height ?? 0).toBeGreaterThan(before);
    const box = card.getByLabel('Card number');
    const background: unknown = await box.evaluate(
      (node) => node.ownerDocument.defaultView?.getComputedStyle(node).backgroundColor,
    );
    expect(background).toBe('rgb(36, 28, 46)');
    await card.getByLabel('Country').selectOption('CH');
    expect(await card.getByLabel('ZIP code').isVisible()).toBe(false);
    await card.getByLabel('Country').selectOption('CA');
    expect(await card.getByLabel('Postal code').isVisible()).toBe(true);
  });

  it.each(['', 'dark=1'])('has no axe violations (%s)', async (more) => {
    const { card } = await openForm(more);
    await pay();
    await card.getByText('Your card number is incomplete.').waitFor();
    expect(await findFaults('Secure payment input frame')).toEqual([]);
    await fill(card, '4000000000003220');
    await pay();
    const bank = page.frameLocator('iframe[title="3D Secure authentication frame"]');
    await bank.getByText('$11.10').waitFor();
    expect(await findFaults('3D Secure authentication frame')).toEqual([]);
    await bank.getByRole('button', { name: 'Complete authentication' }).click();
    await expectOutcome('paid: succeeded');
  });

  it('is submitted by the Enter key', async () => {
    const { card } = await openForm();
    await fill(card, '378282246310005');
    expect(await card.getByLabel('Card number').inputValue()).toBe('3782 822463 10005');
    await card.getByLabel('ZIP code').press('Enter');
    await expectOutcome('paid: succeeded');
  });

  it('reports a lost connection as api_connection_error', async () => {
    const { card } = await openForm();
    await fill(card, '4242424242424242');
    await sandbox.control('POST', 'faults', { match: '*confirm', action: 'drop', phase: 'before' });
    await pay();
    await expectOutcome('api_connection_error: We could not reach the payment service.');
    await pay();
    await expectOutcome('paid: succeeded');
  });
});
