/** A camera pointed at another person's screen: Chromium's fake device, which plays a film of that screen. */
import { chromium, type Browser, type Locator, type Page } from '@playwright/test';
import { mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { browserOptions } from '../system/browser.ts';

/** The side of the camera's view in px: the code and a margin around it. */
const VIEW_PX = 340;
const FILM_PX = 720;
const PICTURES_MAX = 5;
const NO_COLOUR = 128;

export interface Camera {
  /** A browser whose only camera is this one. */
  readonly browser: Browser;
  /** Films the code as currently shown. The browser reads the film when the camera starts. */
  pointAt(page: Page, codeLabel: string): Promise<void>;
  close(): Promise<void>;
}

export async function openCamera(): Promise<Camera> {
  const folder = mkdtempSync(join(tmpdir(), 'athos-camera-'));
  const film = join(folder, 'screen.y4m');
  const options = browserOptions();
  const browser = await chromium.launch({
    ...options,
    args: [
      ...(options.args ?? []),
      '--use-fake-ui-for-media-stream',
      '--use-fake-device-for-media-stream',
      `--use-file-for-fake-video-capture=${film}`,
    ],
  });
  const darkroom = await browser.newPage();
  return {
    browser,
    async pointAt(page, codeLabel) {
      const picture = await photograph(page, codeLabel);
      // A camera that starts meanwhile must not read an incomplete file.
      writeFileSync(`${film}.new`, await develop(darkroom, picture));
      renameSync(`${film}.new`, film);
    },
    async close() {
      await browser.close();
      rmSync(folder, { recursive: true });
    },
  };
}

/** A banner that appears or disappears may move the code while it is photographed. */
async function photograph(page: Page, codeLabel: string): Promise<Buffer> {
  const code = page.getByRole('img', { name: codeLabel });
  for (let attempt = 0; attempt < PICTURES_MAX; attempt += 1) {
    // Scrolled to the middle of the screen, where no banner or bar covers a part of it.
    await code.evaluate((drawn) => drawn.scrollIntoView({ block: 'center', behavior: 'instant' }));
    const view = await viewOf(code);
    const picture = await page.screenshot({ clip: view });
    const { x, y } = await viewOf(code);
    if (x === view.x && y === view.y) return picture;
  }
  throw new Error(`${codeLabel} does not stand still`);
}

async function viewOf(code: Locator) {
  const box = await code.boundingBox();
  if (box === null) throw new Error('The code is not on the screen');
  return {
    x: box.x + box.width / 2 - VIEW_PX / 2,
    y: box.y + box.height / 2 - VIEW_PX / 2,
    width: VIEW_PX,
    height: VIEW_PX,
  };
}

/** Writes one picture as an uncompressed film (YUV4MPEG2), which the fake device loops. */
async function develop(darkroom: Page, picture: Buffer): Promise<Buffer> {
  const brightness = await darkroom.evaluate(
    async ({ png, side }) => {
      const image = new Image();
      image.src = `data:image/png;base64,${png}`;
      await image.decode();
      const canvas = new OffscreenCanvas(side, side);
      const context = canvas.getContext('2d');
      if (context === null) throw new Error('nothing to draw on');
      context.drawImage(image, 0, 0, side, side);
      const { data } = context.getImageData(0, 0, side, side);
      let text = '';
      for (let index = 0; index < data.length; index += 4) {
        const [red = 0, green = 0, blue = 0] = data.subarray(index, index + 3);
        text += String.fromCharCode(Math.round(0.299 * red + 0.587 * green + 0.114 * blue));
      }
      return btoa(text);
    },
    { png: picture.toString('base64'), side: FILM_PX },
  );
  return Buffer.concat([
    Buffer.from(`YUV4MPEG2 W${FILM_PX} H${FILM_PX} F10:1 Ip A1:1 C420jpeg\nFRAME\n`),
    Buffer.from(brightness, 'base64'),
    Buffer.alloc(FILM_PX * FILM_PX * 0.5, NO_COLOUR),
  ]);
}
