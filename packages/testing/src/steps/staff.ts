/** Steps of staff in the scanner, without a real camera or code. */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { BrowserContext, Page } from '@playwright/test';
import { prepareZXingModule, writeBarcode } from 'zxing-wasm/writer';

/** A QR code with the text GUEST: 21 rows of 21 bits, 1 for a dark module. The fake response decides what it means. */
const CODE_ROWS =
  `1fc27f 104c41 17495d 174b5d 175f5d 104341 1fd57f 001900 0679d0 1613ad 11cb72 0c2083 16c353 001d20
  1fd6d3 104bc9 174b0d 175196 175814 1048d8 1fce62`.split(/\s+/);
const QUIET_MODULES = 4;

function codePicture(): Buffer {
  const side = CODE_ROWS.length + 2 * QUIET_MODULES;
  const squares = CODE_ROWS.flatMap((row, y) => {
    const bits = Number.parseInt(row, 16).toString(2).padStart(CODE_ROWS.length, '0');
    return Array.from(bits, (bit, x) =>
      bit === '1' ? `M${x + QUIET_MODULES} ${y + QUIET_MODULES}h1v1h-1z` : '',
    );
  });
  return Buffer.from(
    `<svg xmlns="http://www.w3.org/2000/svg" width="${side * 10}" height="${side * 10}" viewBox="0 0 ${side} ${side}"><path d="${squares.join('')}"/></svg>`,
  );
}

/** Reads a code from an image file, as staff without a camera do. */
export async function scanCode(page: Page): Promise<Page> {
  await page.getByRole('button', { name: 'Scan an Image File' }).click();
  const file = { name: 'code.svg', mimeType: 'image/svg+xml', buffer: codePicture() };
  await page.getByTestId('scanner-file').setInputFiles(file);
  return page;
}

export async function scanAndRedeem(page: Page): Promise<Page> {
  await scanCode(page);
  await page.getByRole('button', { name: /^Redeem/ }).click();
  return page;
}

type CameraAnswer = 'picture' | 'denied';

/**
 * Installs two cameras. The rear one was used before. It shows a dim room without a code, or access to it is denied.
 */
export const giveCamera = (context: BrowserContext, answer: CameraAnswer): Promise<unknown> =>
  context.addInitScript((given: CameraAnswer) => {
    const { mediaDevices, permissions } = navigator;
    const camera = (deviceId: string, label: string) =>
      ({ deviceId, label, kind: 'videoinput', groupId: '' }) as MediaDeviceInfo;
    mediaDevices.enumerateDevices = () =>
      Promise.resolve([camera('back', 'Back Camera'), camera('front', 'Front Camera')]);
    const state = given === 'denied' ? 'denied' : 'granted';
    permissions.query = () =>
      Promise.resolve(Object.assign(new EventTarget(), { state }) as PermissionStatus);
    localStorage.setItem('scanner-camera', 'back');
    mediaDevices.getUserMedia = () => {
      if (given === 'denied') return Promise.reject(new DOMException('', 'NotAllowedError'));
      const canvas = Object.assign(document.createElement('canvas'), { width: 640, height: 640 });
      const drawing = canvas.getContext('2d');
      if (drawing !== null) {
        const room = drawing.createLinearGradient(0, 0, 640, 640);
        room.addColorStop(0, 'rgb(70 60 80)');
        room.addColorStop(1, 'rgb(25 20 30)');
        drawing.fillStyle = room;
        drawing.fillRect(0, 0, 640, 640);
      }
      const stream = canvas.captureStream(1);
      for (const track of stream.getVideoTracks()) {
        track.getSettings = () => ({ deviceId: 'back' });
        track.getCapabilities = () =>
          ({ torch: true, zoom: { min: 1, max: 5 } }) as MediaTrackCapabilities;
      }
      return Promise.resolve(stream);
    };
  }, answer);

const require = createRequire(import.meta.url);

/** Reads a code with this text from an image file. */
export async function scanText(page: Page, text: string): Promise<void> {
  const wasm = readFileSync(require.resolve('zxing-wasm/writer/zxing_writer.wasm'));
  prepareZXingModule({ overrides: { wasmBinary: new Uint8Array(wasm).buffer } });
  await page.getByRole('button', { name: 'Scan an Image File' }).click();
  const { svg } = await writeBarcode(text, { format: 'QRCode', addQuietZones: true, scale: 8 });
  const file = { name: 'code.svg', mimeType: 'image/svg+xml', buffer: Buffer.from(svg) };
  await page.getByTestId('scanner-file').setInputFiles(file);
}
