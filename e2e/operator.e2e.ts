/**
 * The work of staff in the console, and its effect on the customer's phone. Steps that only prepare a story or look something up are calls
 * with the cookie of the person's browser.
 */
import { expect, type Page } from '@playwright/test';
import { buyAth, expectBalance, enterSend, openCardForm, pay } from '@athos/testing/steps/wallet';
import { CATEGORIES, categoryAddress } from './steps/marketplace.ts';
import { approve } from './steps/approve.ts';
import { test } from './steps/story.ts';
import { readBalance } from './system/accounts.ts';
import { changePrice, control, intentOf } from './system/provider.ts';
import { callConsole } from './system/staff.ts';

// In one worker, sequentially: a sign-in code can be used only once.
test.describe.configure({ mode: 'default' });

const REASON = 'The customer asked for it by telephone.';

const submitSend = (page: Page) => page.getByRole('button', { name: 'Send', exact: true }).click();

const newestInHistory = (page: Page) =>
  page.getByRole('list', { name: 'History' }).getByRole('link').first();

test('[O-071] a hold placed from a phone stops the next send at once, and lifting it lets it through', async ({
  member,
  staff,
}) => {
  const me = await member({ ath: 20 });
  const friend = await member();
  const { page: phone } = await staff('support', `/customers/${me.account.uuid}`, 'phone');
  await enterSend(me.page, '5', friend.account.uuid);

  await phone.getByRole('button', { name: 'Place hold' }).click();
  const hold = phone.getByRole('dialog', { name: 'Place a hold' });
  await hold.getByRole('checkbox', { name: 'Sending' }).check();
  await hold.getByLabel('Reason').fill(REASON);
  await hold.getByRole('button', { name: 'Place hold' }).click();
  await expect(hold).toBeHidden();
  await submitSend(me.page);
  await expect(
    me.page.getByText(/^This account cannot send at the moment\. Nothing/),
  ).toBeVisible();
  expect(await readBalance(me.account)).toBe('20000000');
  expect(await readBalance(friend.account)).toBe('0');

  await phone.getByRole('button', { name: 'Release' }).click();
  const release = phone.getByRole('dialog', { name: 'Release the hold' });
  await release.getByLabel('Reason').fill(REASON);
  await release.getByRole('button', { name: 'Release' }).click();
  await expect(release).toBeHidden();
  await submitSend(me.page);
  await expect(me.page.getByRole('dialog', { name: 'Successfully sent' })).toBeVisible();
  await expectBalance(friend.page, '5.00 ATH');
});

test('[O-115] [O-124] [O-143] [O-145] two members of staff refund a top-up above the limit, and the customer sees it with its reason', async ({
  member,
  staff,
}) => {
  const { page, account } = await member();
  await buyAth(page, '800');
  await expectBalance(page, '800.00 ATH');

  const asker = await staff('support', `/payments?customerUuid=${account.uuid}`);
  await asker.page.getByRole('table', { name: 'Payments' }).getByRole('link').click();
  await asker.page.getByRole('button', { name: 'Refund', exact: true }).click();
  const dialog = asker.page.getByRole('dialog', { name: 'Refund to the card' });
  await expect(dialog).toContainText('Takes 800.00 ATH from the customer and returns');
  await dialog.getByLabel('Reason').fill(REASON);
  await dialog.getByRole('button', { name: /^Refund .+ USD$/ }).click();
  await expect(dialog).toBeHidden();
  await asker.page.getByRole('table', { name: 'Refunds' }).getByRole('link').click();
  const request = asker.page.getByRole('link', { name: 'Open the request' });
  const requestId = (await request.getAttribute('href'))?.split('/').at(-1) ?? '';
  await expectBalance(page, '0.00 ATH');

  const decider = await staff('finance', '/approvals');
  await approve(decider.page, requestId);
  await expect(async () => {
    await asker.page.reload();
    await expect(asker.page.getByRole('article').getByText('Succeeded')).toBeVisible();
  }).toPass({ timeout: 30_000 });
  await expect(asker.page.getByRole('article')).toContainText('800.00 ATH');

  await page.goto('/app/history');
  await expect(newestInHistory(page)).toHaveAccessibleName(/^Refund to your card .+ -800\.00 ATH$/);
  await page.goto('/app');
  await expectBalance(page, '0.00 ATH');
});

test('[O-081] two members of staff erase a customer, whose wallet signs out', async ({
  member,
  staff,
}) => {
  const { page, account } = await member({ ath: 12 });
  const asker = await staff('support', `/customers/${account.uuid}`);
  await asker.page.getByRole('button', { name: 'Actions' }).click();
  await asker.page.getByRole('menuitem', { name: 'Erase the customer' }).click();
  const dialog = asker.page.getByRole('dialog', { name: 'Erase the customer' });
  await expect(dialog).toContainText('Forfeits 12.00 ATH to the programme. Ends 1 session.');
  await dialog.getByLabel('Reason').fill(REASON);
  await dialog.getByRole('button', { name: 'Request erasure' }).click();
  await expect(dialog).toBeHidden();
  const query = { view: 'mine', action: 'customer.erase' } as const;
  const [request] = (await callConsole(asker.context, 'approvals', { query })).items;
  await page.goto('/app');
  await expectBalance(page, '12.00 ATH');

  const decider = await staff('provider_owner', '/approvals');
  await approve(decider.page, request?.id ?? '');
  await page.reload();
  await expect(page).toHaveURL('/auth/sign-in');
  await decider.page.goto(`/console/customers/${account.uuid}`);
  await expect(decider.page.getByRole('heading', { name: 'Closed account' })).toBeVisible();
});

test('[O-102] a payment in review is credited as ordered after another member of staff approved it', async ({
  member,
  staff,
}) => {
  const { page, account } = await member();
  await openCardForm(page, '100');
  await changePrice(await intentOf(account), 1234);
  await pay(page);

  const asker = await staff('finance', `/payments/review?customerUuid=${account.uuid}`);
  const waiting = asker.page.getByRole('table', { name: 'Payments' }).getByRole('link');
  await expect(async () => {
    await asker.page.reload();
    await expect(waiting).toBeVisible();
  }).toPass({ timeout: 30_000 });
  await waiting.click();
  const panel = asker.page.getByRole('region', { name: 'This payment is waiting for a decision' });
  await expect(panel).toContainText('received 1234 cents instead of');
  expect(await readBalance(account)).toBe('0');

  await panel.getByRole('button', { name: 'Credit 100.00 ATH' }).click();
  const dialog = asker.page.getByRole('dialog', { name: 'Credit as ordered' });
  await expect(dialog).toContainText('Someone else must approve it first.');
  await dialog.getByLabel('Reason').fill(REASON);
  await dialog.getByRole('button', { name: 'Credit 100.00 ATH' }).click();
  const request = panel.getByRole('link', { name: /has requested a decision/ });
  const requestId = (await request.getAttribute('href'))?.split('/').at(-1) ?? '';
  expect(await readBalance(account)).toBe('0');
  const decider = await staff('provider_owner', '/approvals', 'phone');
  await approve(decider.page, requestId);

  await page.goto('/app');
  await expectBalance(page, '100.00 ATH');
  await page.goto('/app/history');
  await expect(newestInHistory(page)).toHaveAccessibleName(
    /^ATH by card Payment · .+ \+100\.00 ATH$/,
  );
});

test('[O-127] [O-128] [O-134] [O-135] [O-136] a disputed payment holds the customer, is lost with its evidence, and the next top-up pays the debt', async ({
  member,
  staff,
}) => {
  test.setTimeout(180_000);
  const { page, account } = await member();
  const friend = await member();
  await buyAth(page, '100');
  await enterSend(page, '60', friend.account.uuid);
  await submitSend(page);
  await page.getByRole('button', { name: 'Done' }).click();
  const { page: desk, context } = await staff('finance', '/me');
  const holdsOf = async () => {
    const { items } = await callConsole(context, 'customerHolds', {
      params: { uuid: account.uuid },
    });
    return items.filter(({ lifted_at: liftedAt }) => liftedAt === null).map(({ cause }) => cause);
  };

  await test.step('it takes the balance below zero, and holds the customer', async () => {
    await control('disputes/open', { payment_intent: await intentOf(account) });
    await expect.poll(() => readBalance(account)).toBe('-60000000');
    expect(await holdsOf()).toEqual(['dispute']);
    await page.goto('/app');
    await expectBalance(page, '-60.00 ATH');
    await expect(page.getByText('Your balance is below zero')).toBeVisible();
    expect(await readBalance(friend.account)).toBe('60000000');
  });

  await test.step('the case leads to the customer, whom it holds, and shows what it took', async () => {
    await desk.goto(`/console/disputes?customerUuid=${account.uuid}`);
    await desk.getByRole('link', { name: 'Fraud', exact: true }).click();
    await expect(desk.getByRole('region', { name: 'Disputed' })).toContainText('100.00 ATH');
    await expect(desk.getByText('0.00 ATH of 60.00 ATH repaid')).toBeVisible();
    const journal = desk.getByRole('list', { name: 'Journal' });
    await expect(journal).toContainText(/Customer.+Dispute hold/);
    await expect(journal).toContainText(/Disputed.+Card provider/);
  });

  await test.step('evidence is saved and sent once; the bank does not believe it', async () => {
    await desk.getByRole('textbox', { name: 'Other remarks' }).fill('losing_evidence');
    await desk.getByRole('button', { name: 'Save draft' }).click();
    await expect(desk.getByText('The draft is saved.')).toBeVisible();
    await desk.getByRole('button', { name: 'Submit evidence' }).click();
    const dialog = desk.getByRole('dialog', { name: 'Submit the evidence' });
    await expect(dialog).toContainText('It is sent once');
    await dialog.getByRole('button', { name: 'Submit evidence' }).click();
    await expect(desk.getByText('Lost', { exact: true })).toBeVisible({ timeout: 45_000 });
    await expect(desk.getByRole('button', { name: 'Submit evidence' })).toHaveCount(0);
    await expect.poll(holdsOf).toEqual(['debt']);
  });

  await test.step('the debt is what the customer had sent away, and cannot be released by hand', async () => {
    await desk.goto(`/console/debts?customerUuid=${account.uuid}`);
    await desk.getByRole('table', { name: 'Debts' }).getByRole('link').click();
    const debt = desk.getByRole('article');
    await expect(debt.getByText('0.00 ATH of 60.00 ATH repaid')).toBeVisible();
    await debt.getByRole('link', { name: 'Customer', exact: true }).click();
    await expect(desk.getByText('It ends when the debt is repaid.')).toBeVisible();
  });

  await test.step('the next top-up fills the hole first, and the hold is lifted', async () => {
    await buyAth(page, '100');
    await expectBalance(page, '40.00 ATH');
    await expect(page.getByText('Your balance is below zero')).toHaveCount(0);
    // Debts are collected every 30 s.
    await expect.poll(holdsOf, { timeout: 70_000 }).toEqual([]);
    await desk.goto(`/console/debts?state=closed&customerUuid=${account.uuid}`);
    await expect(desk.getByText('60.00 ATH of 60.00 ATH repaid')).toBeVisible();
    await enterSend(page, '10', friend.account.uuid);
    await submitSend(page);
    await expect(page.getByRole('dialog', { name: 'Successfully sent' })).toBeVisible();
  });
});

test('[O-086] an editor drafts a price, a manager of the brand approves it, and the wallet shows it within 10 s', async ({
  member,
  staff,
}) => {
  const title = `Story glass ${Date.now()}`;
  const manager = await staff('brand_manager', '/approvals');
  const offer = await callConsole(manager.context, 'createOffer', {
    body: {
      category_id: CATEGORIES.glasses,
      title,
      note: '',
      img: '',
      picture_id: null,
      kind: 0,
      display_type: 'standard',
      price: '24000000',
      price_windows: [],
      sale_starts_at: null,
      sale_ends_at: null,
      user_count_max: null,
      tier_id_min: null,
    },
  });
  const params = { id: offer.id };
  await callConsole(manager.context, 'publishOffer', {
    params,
    version: offer.version,
    body: { reason: REASON },
  });
  const { page } = await member({ at: `${categoryAddress('glasses')}/offers/${offer.id}` });
  await expect(page.getByText('24.00 ATH').first()).toBeVisible();

  const editor = await staff('catalogue_editor', `/offers/${offer.id}`);
  await editor.page.getByRole('button', { name: 'Edit', exact: true }).click();
  await editor.page.getByLabel('Price', { exact: true }).fill('27.5');
  await editor.page.getByRole('button', { name: 'Save draft' }).click();
  const draft = editor.page.getByRole('region', { name: 'Unpublished changes' });
  await expect(draft.getByRole('row', { name: 'Price 24.00 ATH 27.50 ATH' })).toBeVisible();
  await editor.page.getByRole('button', { name: 'Publish', exact: true }).click();
  const dialog = editor.page.getByRole('dialog', { name: 'Publish' });
  await expect(dialog).toContainText(`Customers see ${title} for 27.50 ATH within 10 seconds.`);
  await dialog.getByLabel('Reason').fill(REASON);
  await dialog.getByRole('button', { name: 'Publish' }).click();
  const request = editor.page.getByRole('link', { name: 'Open the request' });
  const requestId = (await request.getAttribute('href'))?.split('/').at(-1) ?? '';
  await page.reload();
  await expect(page.getByText('24.00 ATH').first()).toBeVisible();

  await manager.page.reload();
  await approve(manager.page, requestId);
  await expect(async () => {
    await page.reload();
    await expect(page.getByText('27.50 ATH').first()).toBeVisible({ timeout: 2_000 });
  }).toPass({ timeout: 10_000 });
  // Leaves the shop as it was for the other stories.
  const { version } = await callConsole(manager.context, 'consoleOffer', { params });
  await callConsole(manager.context, 'withdrawOffer', {
    params,
    version,
    body: { reason: REASON },
  });
});
