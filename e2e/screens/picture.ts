import type { Page } from '@playwright/test';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { Scene } from './scene.ts';

export const THEMES = ['light', 'dark'] as const;
export const WIDTHS: readonly number[] = [390, 1440];
const HEIGHTS: Readonly<Record<number, number>> = { 390: 844, 768: 1024, 1440: 900 };
/** Motion of at most 250 ms has ended, and what follows a new size or theme is drawn. */
const SETTLE_MS = 350;
const REDRAW_MS = 200;

export const fileOf = ({ screen, state }: Scene, width: number, theme: string): string =>
  join(screen, `${state}-${width}-${theme}.png`.replaceAll(' ', '-'));

/** Stops the page's time, so that nothing passes by, and takes it in each width and theme. */
export async function takePictures(page: Page, scene: Scene, folder: string): Promise<void> {
  await mkdir(join(folder, scene.screen), { recursive: true });
  await pause(SETTLE_MS);
  await stopTime(page);
  await stopMotion(page);
  const browser = await page.context().newCDPSession(page);
  for (const width of scene.widths ?? WIDTHS) {
    await page.setViewportSize({ width, height: HEIGHTS[width] ?? 900 });
    for (const colorScheme of THEMES) {
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
      await pause(REDRAW_MS);
      const { data } = await browser.send('Page.captureScreenshot', {
        captureBeyondViewport: scene.isWhole ?? false,
        // A third of the time for files a little larger.
        optimizeForSpeed: true,
      });
      await writeFile(join(folder, fileOf(scene, width, colorScheme)), data, 'base64');
    }
  }
}

async function stopTime(page: Page): Promise<void> {
  const nowMs = await page.evaluate(() => Date.now());
  // On a busy machine it has passed by the time it is heard.
  await page.clock.pauseAt(nowMs + SETTLE_MS).catch(() => stopTime(page));
}

/** So that a change of theme is done at once. Through the CSSOM: the page's policy takes no styles from elsewhere. */
const stopMotion = (page: Page): Promise<void> =>
  page.evaluate(() => {
    const sheet = new CSSStyleSheet();
    const rules = 'transition: none !important; caret-color: transparent !important';
    sheet.replaceSync(`*, ::before, ::after { ${rules} }`);
    document.adoptedStyleSheets.push(sheet);
  });
