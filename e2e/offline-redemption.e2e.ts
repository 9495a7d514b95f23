/** A gate in a cellar: neither the guest's phone nor the scanner has a network. */
import { expect } from '@playwright/test';
import { openCamera } from './steps/camera.ts';
import { dayOf, openGate, openItsCamera, openItsDay, redeemOffline } from './steps/gate.ts';
import { buyDrinks, CODE, GUEST, startWithoutNetwork } from './steps/guest.ts';
import { test } from './steps/story.ts';

const BACK_MS = 30_000;

test('[W-037] [W-038] [W-040] [W-047] a ticket is redeemed with neither phone on a network, and both know of it when it is back', async ({
  member,
  staff,
}) => {
  test.setTimeout(240_000);
  const lead = await staff('provider_owner', '/venues');
  const guest = await member(GUEST);
  const camera = await openCamera();
  try {
    const gate = await openGate(camera, lead.page, 'Cellar gate');
    await buyDrinks(guest, 2);

    await test.step('without a network the phone shows its own code, also after a reload', async () => {
      await guest.context.setOffline(true);
      await gate.context.setOffline(true);
      await startWithoutNetwork(guest);
      await camera.pointAt(guest.page, CODE);
    });

    await test.step('the scanner checks it itself, asks once, and redeems', async () => {
      await openItsCamera(gate);
      await expect(gate.page.getByText('Offline: 200 of 200 items')).toBeVisible();
      await expect(gate.page.getByRole('list', { name: 'Items in this code' })).toContainText(
        '2 × House Pour Ready to redeem',
      );
      await redeemOffline(gate);
      await expect(gate.page.getByText('Offline: 198 of 200 items')).toBeVisible();
    });

    await test.step('after a reload it knows what it has redeemed', async () => {
      await camera.pointAt(guest.page, CODE);
      await gate.page.reload();
      await expect(gate.page.getByRole('heading', { name: 'Already redeemed' })).toBeVisible();
      await openItsDay(gate);
      await expect(dayOf(gate)).toContainText('2 items redeemed offline, not yet confirmed');
      await expect(gate.page.getByRole('button', { name: 'Export log' })).toBeVisible();
    });

    await test.step('when the network is back, scanner and guest see it confirmed', async () => {
      await gate.context.setOffline(false);
      await expect(dayOf(gate)).toContainText('2 items redeemed offline, confirmed', {
        timeout: BACK_MS,
      });
      await expect(gate.page.getByRole('button', { name: 'Export log' })).toHaveCount(0);
      await guest.context.setOffline(false);
      await expect(guest.page.getByText(/^2 items redeemed/)).toBeVisible({ timeout: BACK_MS });
    });
  } finally {
    await camera.close();
  }
});

test('two gates without a network hand out the same drink, and the second is told of the conflict', async ({
  member,
  staff,
}) => {
  test.setTimeout(240_000);
  const lead = await staff('provider_owner', '/venues');
  const guest = await member(GUEST);
  const camera = await openCamera();
  try {
    const left = await openGate(camera, lead.page, 'Left gate');
    const right = await openGate(camera, lead.page, 'Right gate');
    await buyDrinks(guest, 1);

    await test.step('both redeem it, because neither can know of the other', async () => {
      await guest.context.setOffline(true);
      await expect(guest.page.getByText(/^You are offline\. This code works/)).toBeVisible();
      for (const gate of [left, right]) {
        await gate.context.setOffline(true);
        await camera.pointAt(guest.page, CODE);
        await openItsCamera(gate);
        await redeemOffline(gate);
        await openItsDay(gate);
      }
    });

    await test.step('the first that is back is right, and the other one is told', async () => {
      await left.context.setOffline(false);
      await expect(dayOf(left)).toContainText('1 item redeemed offline, confirmed', {
        timeout: BACK_MS,
      });
      await right.context.setOffline(false);
      await expect(dayOf(right)).toContainText('Redeemed elsewhere before', { timeout: BACK_MS });
    });
  } finally {
    await camera.close();
  }
});
