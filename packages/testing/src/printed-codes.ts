/** Reads the texts and QR codes of a PDF that `code-sheet.ts` drew, from the content painted on its pages, as a camera would. */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { inflateSync } from 'node:zlib';
import { prepareZXingModule, readBarcodes } from 'zxing-wasm/reader';

const PX_PER_MODULE = 4;
const QUIET_MODULES = 4;

/** The content of the document's compressed streams, in order. */
function streamsOf(pdf: Buffer): string[] {
  const text = pdf.toString('latin1');
  const streams = text.matchAll(/\/Length (\d+)[^>]*>>\s*stream\r?\n/g);
  return Array.from(streams, (match) => {
    const from = match.index + match[0].length;
    const bytes = pdf.subarray(from, from + parseInt(match[1] ?? '0', 10));
    return bytes.at(0) === 0x78 ? inflateSync(bytes).toString('latin1') : '';
  });
}

/** The contents of the pages. */
const pagesOf = (pdf: Buffer): string[] =>
  streamsOf(pdf).filter((content) => content.includes(' cm\n') && content.includes(' re\n'));

const hexWords = (text: string): number[] =>
  (text.match(/[0-9a-f]{4}/g) ?? []).map((word) => parseInt(word, 16));

/** The texts on all pages, row by row, as when they are selected in a viewer. */
export function readPrintedTexts(pdf: Buffer): string[] {
  const letters = new Map<number, string>();
  for (const range of streamsOf(pdf)
    .join('')
    .matchAll(/<(\w{4})> <\w{4}> \[(.*)\]/g)) {
    const first = parseInt(range[1] ?? '', 16);
    for (const [index, letter] of hexWords(range[2] ?? '').entries())
      letters.set(first + index, String.fromCharCode(letter));
  }
  const rows = pagesOf(pdf)
    .join('\n')
    .matchAll(/\[(.*)\] TJ/g);
  return Array.from(rows, ([, row = '']) =>
    Array.from(row.matchAll(/<(\w+)>/g), ([, glyphs = '']) =>
      hexWords(glyphs)
        .map((glyph) => letters.get(glyph) ?? '')
        .join(''),
    ).join(''),
  );
}

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
