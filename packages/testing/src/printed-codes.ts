/** Reads the QR codes of a PDF that `code-sheet.ts` drew, from the content painted on its pages, as a camera would. */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { prepareZXingModule, readBarcodes } from 'zxing-wasm/reader';
import { readPdfStreams } from './pdf.ts';

const PX_PER_MODULE = 4;
const QUIET_MODULES = 4;

/** The contents of the pages. */
const pagesOf = (pdf: Buffer): string[] =>
  readPdfStreams(pdf).filter((content) => content.includes(' cm\n') && content.includes(' re\n'));

/** The shape of a browser's `ImageData`, which Node lacks. */
interface Painted {
  readonly data: Uint8ClampedArray<ArrayBuffer>;
  readonly width: number;
  readonly height: number;
  readonly colorSpace: 'srgb';
}

/** One image for each group of rectangles, in whole modules. */
function imagesOf(page: string): Painted[] {
  return Array.from(page.matchAll(/(?:\d+ \d+ \d+ 1\.02 re\n)+/g), ([group]) => {
    const rectangles = Array.from(group.matchAll(/(\d+) (\d+) (\d+) 1\.02 re/g), (match) =>
      match.slice(1).map((part) => parseInt(part, 10)),
    );
    const modules = 1 + Math.max(...rectangles.map(([, y = 0]) => y));
    const side = (modules + 2 * QUIET_MODULES) * PX_PER_MODULE;
    const data = new Uint8ClampedArray(side * side * 4).fill(255);
    for (const [x = 0, y = 0, width = 0] of rectangles) {
      for (let row = 0; row < PX_PER_MODULE; row += 1) {
        const line = (y + QUIET_MODULES) * PX_PER_MODULE + row;
        const from = (line * side + (x + QUIET_MODULES) * PX_PER_MODULE) * 4;
        for (let at = from; at < from + width * PX_PER_MODULE * 4; at += 4)
          data.fill(0, at, at + 3);
      }
    }
    return { data, width: side, height: side, colorSpace: 'srgb' };
  });
}

/** The texts of all QR codes by page. */
export async function readPrintedCodes(pdf: Buffer): Promise<string[][]> {
  const wasm = readFileSync(
    createRequire(import.meta.url).resolve('zxing-wasm/reader/zxing_reader.wasm'),
  );
  await prepareZXingModule({
    overrides: { wasmBinary: new Uint8Array(wasm).buffer },
    fireImmediately: true,
  });
  return Promise.all(
    pagesOf(pdf).map((page) =>
      Promise.all(
        imagesOf(page).map(async (image) => {
          const [found] = await readBarcodes(image, { formats: ['QRCode'] });
          return found?.text ?? '';
        }),
      ),
    ),
  );
}
