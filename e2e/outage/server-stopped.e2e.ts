/** The server stops while guests stand at two gates: both gates continue, and everything is synchronised when it is back. */
import { expect, type Page } from '@playwright/test';
import { openCamera } from '../steps/camera.ts';
import { dayOf, openGate, openItsDay, redeemOffline } from '../steps/gate.ts';
import { buyDrinks, CODE, GUEST, startWithoutNetwork } from '../steps/guest.ts';
import { test } from '../steps/story.ts';
import { addresses, DATA_DIR_VARIABLE } from '../system/addresses.ts';
import { startAgain, stopSystem } from '../system/start-system.ts';

const START_LIMIT_MS = 2_000;
const BACK_MS = 60_000;

/** Starts the scanner again. Returns the time until it has drawn its first screen. */
async function restartScanner(page: Page): Promise<number> {
  await page.addInitScript(() => {
    new MutationObserver((_, observer) => {
      if (document.querySelector('main') === null) return;
      observer.disconnect();
      requestAnimationFrame(() => performance.mark('drawn'));
    }).observe(document, { childList: true, subtree: true });
  });
  await page.goto(addresses.scanner);
  const drawn = () => performance.getEntriesByName('drawn')[0]?.startTime;
  await page.waitForFunction(drawn);
  return (await page.evaluate(drawn)) ?? Infinity;
}

test('[W-033] [W-037] [W-040] with the server stopped a ticket is redeemed at two gates, and the second is told when it is back', async ({
  member,
  staff,
}) => {
  const dataDir = process.env[DATA_DIR_VARIABLE] ?? '';
  const lead = await staff('provider_owner', '/venues');
  const guest = await member(GUEST);
  const camera = await openCamera();
  try {
    const left = await openGate(camera, lead.page, 'Left gate');
    const right = await openGate(camera, lead.page, 'Right gate');
    await buyDrinks(guest, 2);

    await test.step('the server stops, and the phone starts with a code of its own', async () => {
      await stopSystem(dataDir);
      await startWithoutNetwork(guest);
    });

    await test.step('each gate starts within two seconds and redeems what it cannot know the other did', async () => {
      for (const gate of [left, right]) {
        await camera.pointAt(guest.page, CODE);
        expect(await restartScanner(gate.page)).toBeLessThan(START_LIMIT_MS);
        await redeemOffline(gate);
        await openItsDay(gate);
        await expect(dayOf(gate)).toContainText('2 items redeemed offline, not yet confirmed');
      }
    });

    await test.step('the server is back: the first gate and the guest see it confirmed', async () => {
      await right.context.setOffline(true);
      await startAgain(dataDir, addresses);
      await expect(dayOf(left)).toContainText('2 items redeemed offline, confirmed', {
        timeout: BACK_MS,
      });
      await expect(guest.page.getByText(/^2 items redeemed/)).toBeVisible({ timeout: BACK_MS });
    });

    await test.step('the second gate is told that the items were redeemed before', async () => {
      await right.context.setOffline(false);
      await expect(dayOf(right)).toContainText('redeemed elsewhere before', {
        timeout: BACK_MS,
        ignoreCase: true,
      });
    });
  } finally {
    await camera.close();
  }
});
