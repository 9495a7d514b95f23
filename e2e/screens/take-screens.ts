import { chromium, type Browser } from '@playwright/test';
import { mkdir, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { openState, states } from '../open-state.ts';
import { browserOptions } from '../system/browser.ts';
import { contactSheet } from './contact-sheet.ts';
import { takePictures } from './picture.ts';
import type { Shot } from './shot.ts';
import { systemPages } from './system-pages.ts';

const FOLDER = resolve(import.meta.dirname, '../../screens');
/** Taking a picture is mostly waiting, but one browser can render only a few pages at a time. */
const LANE_COUNT = 3;

const shots: readonly Shot[] = [
  ...states.map((state) => ({
    ...state,
    open: (browser: Browser) => openState(browser, state),
  })),
  ...systemPages,
];

/** Takes the pictures of the named screens, or of all. Returns how many failed. */
export async function takeScreens(screens: readonly string[]): Promise<number> {
  const beganMs = performance.now();
  const chosen = shots.filter(
    ({ name }) => screens.length === 0 || screens.some((screen) => name.startsWith(`${screen}/`)),
  );
  await mkdir(FOLDER, { recursive: true });
  const browser = await chromium.launch(browserOptions());
  const waiting = [...chosen];
  const failed: string[] = [];
  await Promise.all(
    Array.from({ length: LANE_COUNT }, () => takeInTurn(browser, waiting, failed)),
  );
  await browser.close();
  await writeFile(join(FOLDER, 'index.html'), contactSheet(shots));
  const seconds = Math.round((performance.now() - beganMs) / 1000);
  const takenCount = chosen.length - failed.length;
  console.log(`${takenCount} of ${chosen.length} states in ${seconds} s: screens/index.html`);
  for (const failure of failed) console.error(failure);
  return failed.length;
}

async function takeInTurn(browser: Browser, waiting: Shot[], failed: string[]): Promise<void> {
  for (let shot = waiting.shift(); shot !== undefined; shot = waiting.shift()) {
    try {
      const page = await shot.open(browser);
      await takePictures(page, shot, FOLDER);
      await page.context().close();
    } catch (error) {
      failed.push(`${shot.name}: ${String(error)}`);
    }
  }
}
