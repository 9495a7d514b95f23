import type { Page, Request } from '@playwright/test';
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { PHONE } from '../open-state.ts';
import type { Shot } from './shot.ts';

export const THEMES = ['light', 'dark'] as const;
export const WIDTHS: readonly number[] = [390, 1440];
const HEIGHTS: Readonly<Record<number, number>> = { 390: 844, 768: 1024, 1440: 900 };
/** Animations take at most 250 ms; a new theme is drawn within the second pause. */
const SETTLE_MS = 350;
const REDRAW_MS = 200;
/** A wider window loads additional parts. Requests that stay unanswered in a state are not waited for. */
const STEP_MS = 50;
/** React delays the next part for up to 300 ms after showing one. */
const QUIET_STEP_COUNT = 7;
const STEP_COUNT_MAX = 40;

export const fileOf = ({ name }: Shot, width: number, theme: string): string =>
  `${name}-${width}-${theme}.png`;

/** Stops the page's clock, so that no toast disappears, and takes a picture in each width and theme. */
export async function takePictures(page: Page, shot: Shot, folder: string): Promise<void> {
  await mkdir(join(folder, dirname(shot.name)), { recursive: true });
  await pause(SETTLE_MS);
  await stopTime(page);
  await stopMotion(page);
  const fetching = followRequests(page);
  const browser = await page.context().newCDPSession(page);
  for (const width of shot.widths ?? WIDTHS) {
    await page.setViewportSize({ width, height: HEIGHTS[width] ?? 900 });
    if (width !== PHONE.width) await finishLoading(page, fetching);
    for (const colorScheme of THEMES) {
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
      await pause(REDRAW_MS);
      const { data } = await browser.send('Page.captureScreenshot', {
        captureBeyondViewport: shot.isWhole ?? false,
        // Takes a third of the time, for slightly larger files.
        optimizeForSpeed: true,
      });
      await writeFile(join(folder, fileOf(shot, width, colorScheme)), data, 'base64');
    }
  }
}

async function stopTime(page: Page): Promise<void> {
  const nowMs = await page.evaluate(() => Date.now());
  // On a busy machine that moment can pass before the page receives the command.
  await page.clock.pauseAt(nowMs + SETTLE_MS).catch(() => stopTime(page));
}

/** Returns the requests sent from now on that have no response yet. */
function followRequests(page: Page): ReadonlySet<Request> {
  const fetching = new Set<Request>();
  const end = (request: Request): void => void fetching.delete(request);
  page.on('request', (request) => fetching.add(request));
  page.on('requestfinished', end);
  page.on('requestfailed', end);
  return fetching;
}

/** The page's clock is stopped, but code and data are rendered by timers: lets the clock run until nothing is being fetched. */
async function finishLoading(page: Page, fetching: ReadonlySet<Request>): Promise<void> {
  let quietCount = 0;
  for (let step = 0; step < STEP_COUNT_MAX && quietCount < QUIET_STEP_COUNT; step += 1) {
    await pause(STEP_MS);
    await page.clock.runFor(STEP_MS);
    quietCount = fetching.size === 0 ? quietCount + 1 : 0;
  }
}

/** Disables transitions, so that a new theme shows at once. Uses the CSSOM, because the page's policy blocks other styles. */
const stopMotion = (page: Page): Promise<void> =>
  page.evaluate(() => {
    const sheet = new CSSStyleSheet();
    const rules = 'transition: none !important; caret-color: transparent !important';
    sheet.replaceSync(`*, ::before, ::after { ${rules} }`);
    document.adoptedStyleSheets.push(sheet);
  });
