/** Brakes that stop the whole programme. These stories run last, because they would stop the others as well. */
import { expect, type Page } from '@playwright/test';
import { enterSend } from '@athos/testing/steps/wallet';
import { approve } from './steps/approve.ts';
import { test } from './steps/story.ts';
import { readBalance } from './system/accounts.ts';
import { callConsole } from './system/staff.ts';

const NOTICE = 'We are checking our books. Please come back in an hour.';
const REASON = 'The books of yesterday do not add up';

const submitSend = (page: Page) => page.getByRole('button', { name: 'Send', exact: true }).click();

test('staff stop sending for everybody, the wallet says so in their words, and a second person lets it go on', async ({
  member,
  staff,
}) => {
  const me = await member({ ath: 20 });
  const friend = await member();
  await enterSend(me.page, '5', friend.account.uuid);

  const finance = await staff('finance', '/brakes');
  await finance.page.getByRole('button', { name: 'Stop sending' }).click();
  const stop = finance.page.getByRole('dialog', { name: 'Stop sending' });
  await expect(stop).toContainText('Stops sending for everyone at once.');
  await stop.getByLabel('Notice for customers').fill(NOTICE);
  await stop.getByLabel('Reason').fill(REASON);
  await stop.getByRole('button', { name: 'Stop sending' }).click();
  await expect(finance.page.getByText(REASON)).toBeVisible();

  await submitSend(me.page);
  await expect(
    me.page.getByText(
      `Sending is stopped for everybody at the moment: ${NOTICE} Nothing was sent.`,
    ),
  ).toBeVisible();
  expect(await readBalance(me.account)).toBe('20000000');
  await expect(async () => {
    await me.page.goto('/app/wallet');
    await expect(me.page.getByText('Sending is stopped at the moment')).toBeVisible();
  }).toPass({ timeout: 30_000 });
  await expect(me.page.getByText(NOTICE)).toBeVisible();

  await finance.page.getByRole('button', { name: 'Resume sending' }).click();
  const release = finance.page.getByRole('dialog', { name: 'Resume sending' });
  await release.getByLabel('Reason').fill('The books add up again');
  await release.getByRole('button', { name: 'Resume sending' }).click();
  await expect(finance.page.getByRole('link', { name: 'Waiting for approval' })).toBeVisible();
  const query = { view: 'mine', action: 'brake.release' } as const;
  const [request] = (await callConsole(finance.context, 'approvals', { query })).items;

  const owner = await staff('provider_owner', '/approvals');
  await approve(owner.page, request?.id ?? '');
  await me.page.goto('/app/send/summary');
  await submitSend(me.page);
  await expect(me.page.getByRole('dialog', { name: 'Successfully sent' })).toBeVisible();
  expect(await readBalance(friend.account)).toBe('5000000');
});
