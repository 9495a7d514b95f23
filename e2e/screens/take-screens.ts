import { chromium, type Browser } from '@playwright/test';
import { mkdir, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { browserOptions } from '../system/browser.ts';
import { contactSheet } from './contact-sheet.ts';
import { takePictures } from './picture.ts';
import type { Scene } from './scene.ts';
import { Stage } from './stage.ts';
import { authScenes } from './scenes/auth.ts';
import { buyScenes } from './scenes/buy.ts';
import { historyScenes } from './scenes/history.ts';
import { homeScenes } from './scenes/home.ts';
import { marketplaceScenes } from './scenes/marketplace.ts';
import { overlayScenes } from './scenes/overlays.ts';
import { pageScenes } from './scenes/pages.ts';
import { purchaseScenes, tierScenes } from './scenes/purchases.ts';
import { rewardScenes } from './scenes/reward.ts';
import { scannerScenes } from './scenes/scanner.ts';
import { sendScenes } from './scenes/send.ts';
import { settingsScenes } from './scenes/settings.ts';

const FOLDER = resolve(import.meta.dirname, '../../screens');
/** Most of a scene is waiting; beyond this the pictures of one browser wait for each other. */
const LANE_COUNT = 3;

const scenes: readonly Scene[] = [
  ...authScenes,
  ...homeScenes,
  ...marketplaceScenes,
  ...buyScenes,
  ...sendScenes,
  ...historyScenes,
  ...purchaseScenes,
  ...tierScenes,
  ...settingsScenes,
  ...rewardScenes,
  ...overlayScenes,
  ...scannerScenes,
  ...pageScenes,
];

/** Takes the scenes of the named screens, or all. @returns how many could not be shown */
export async function takeScreens(names: readonly string[]): Promise<number> {
  const beganMs = performance.now();
  const chosen = scenes.filter(({ screen }) => names.length === 0 || names.includes(screen));
  await mkdir(FOLDER, { recursive: true });
  const browser = await chromium.launch(browserOptions());
  const waiting = [...chosen];
  const failed: string[] = [];
  await Promise.all(
    Array.from({ length: LANE_COUNT }, () => takeInTurn(browser, waiting, failed)),
  );
  await browser.close();
  await writeFile(join(FOLDER, 'index.html'), contactSheet(scenes));
  const seconds = Math.round((performance.now() - beganMs) / 1000);
  console.log(`${chosen.length - failed.length} of ${chosen.length} scenes in ${seconds} s: screens/index.html`);
  for (const failure of failed) console.error(failure);
  return failed.length;
}

async function takeInTurn(browser: Browser, waiting: Scene[], failed: string[]): Promise<void> {
  const stage = new Stage(browser);
  for (let scene = waiting.shift(); scene !== undefined; scene = waiting.shift()) {
    try {
      await takePictures(await scene.show(stage), scene, FOLDER);
    } catch (error) {
      failed.push(`${scene.screen}, ${scene.state}: ${String(error)}`);
    }
    await stage.clear();
  }
}
