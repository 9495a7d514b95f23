/** A video for Chromium's fake camera: the app's codes, held up to a camera one after another. */
import { closeSync, openSync, writeSync } from 'node:fs';
import type { Page } from '@playwright/test';

const SIDE_PX = 720;
const GREY = 128;
/** Slow enough for a busy machine to read each frame; one round of codes takes a few seconds. */
const FRAMES_PER_SECOND = 2;
const FRAMES_PER_CODE = 2;

/**
 * A code as a camera sees it on a screen: rotated, smaller than the frame, slightly blurred, unevenly lit and noisy.
 * Returns the brightness of each pixel as base64.
 */
function filmCode(page: Page, screenshot: Buffer): Promise<string> {
  return page.evaluate(
    async ({ png, side }) => {
      const image = new Image();
      image.src = `data:image/png;base64,${png}`;
      await image.decode();
      const canvas = new OffscreenCanvas(side, side);
      const context = canvas.getContext('2d');
      if (context === null) throw new Error('no 2D canvas context');
      context.fillStyle = '#3a3340';
      context.fillRect(0, 0, side, side);
      context.translate(side / 2, side / 2);
      context.rotate(0.1);
      context.filter = 'blur(0.9px)';
      context.drawImage(image, side * -0.36, side * -0.36, side * 0.72, side * 0.72);
      context.filter = 'none';
      const shade = context.createLinearGradient(-side / 2, -side / 2, side / 2, side / 2);
      shade.addColorStop(0, 'rgb(0 0 0 / 0%)');
      shade.addColorStop(1, 'rgb(0 0 0 / 40%)');
      context.fillStyle = shade;
      context.fillRect(-side, -side, side * 2, side * 2);
      const { data } = context.getImageData(0, 0, side, side);
      // Pseudo-random noise, the same in each run.
      let seed = 7;
      let text = '';
      for (let index = 0; index < data.length; index += 4) {
        seed = (seed * 1103515245 + 12345) % 2147483648;
        const [red = 0, green = 0, blue = 0] = data.slice(index, index + 3);
        const noise = (seed / 2147483648 - 0.5) * 24;
        const light = 0.299 * red + 0.587 * green + 0.114 * blue + noise;
        text += String.fromCharCode(Math.max(0, Math.min(255, Math.round(light))));
      }
      return btoa(text);
    },
    { png: screenshot.toString('base64'), side: SIDE_PX },
  );
}

/** Takes a screenshot of each address and writes the video, in the y4m format, to `file`. */
export async function filmCodes(
  page: Page,
  addresses: readonly string[],
  file: string,
): Promise<void> {
  const output = openSync(file, 'w');
  writeSync(output, `YUV4MPEG2 W${SIDE_PX} H${SIDE_PX} F${FRAMES_PER_SECOND}:1 Ip A1:1 C420jpeg\n`);
  const colours = Buffer.alloc(SIDE_PX * SIDE_PX * 0.5, GREY);
  for (const address of addresses) {
    await page.goto(address);
    const code = page.locator('#root > div');
    const brightness = Buffer.from(await filmCode(page, await code.screenshot()), 'base64');
    for (let frame = 0; frame < FRAMES_PER_CODE; frame += 1) {
      writeSync(output, 'FRAME\n');
      writeSync(output, brightness);
      writeSync(output, colours);
    }
  }
  closeSync(output);
}
