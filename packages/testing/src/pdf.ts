/** Reads what a PDF of the `pdfkit` library shows. */
import { inflateSync } from 'node:zlib';

const ZLIB_HEADER = 0x78;

/** The contents of the document's compressed streams, in order. Other streams are left out. */
export function readPdfStreams(pdf: Buffer): string[] {
  const text = pdf.toString('latin1');
  const heads = text.matchAll(/\/Length (\d+)[^>]*>>\s*stream\r?\n/g);
  return Array.from(heads, (head) => {
    const from = head.index + head[0].length;
    // The length ends a stream. Its bytes may hold any sequence, also one that looks like the keyword after them.
    const bytes = pdf.subarray(from, from + parseInt(head[1] ?? '0', 10));
    return bytes.at(0) === ZLIB_HEADER ? inflateSync(bytes).toString('latin1') : '';
  });
}

const hexWords = (text: string): number[] =>
  (text.match(/[0-9a-f]{4}/g) ?? []).map((word) => parseInt(word, 16));

/** The characters of a font's glyphs, by the table that the file has for those who copy its text. */
function readLetters(streams: readonly string[]): Map<number, string> {
  const letters = new Map<number, string>();
  for (const [, first = '', list = ''] of streams
    .join('\n')
    .matchAll(/<(\w{4})> <\w{4}> \[([^\]]*)\]/g)) {
    for (const [index, letter] of hexWords(list).entries())
      letters.set(parseInt(first, 16) + index, String.fromCharCode(letter));
  }
  return letters;
}

/** The texts on all pages, a row each, as when they are selected in a viewer. */
export function readPdfTexts(pdf: Buffer): string[] {
  const streams = readPdfStreams(pdf);
  const letters = readLetters(streams);
  return streams
    .flatMap((stream) => [...stream.matchAll(/\[([^\]]*)\] TJ/g)])
    .map(([, row = '']) =>
      Array.from(row.matchAll(/<(\w+)>/g), ([, glyphs = '']) =>
        hexWords(glyphs)
          .map((glyph) => letters.get(glyph) ?? '')
          .join(''),
      ).join(''),
    );
}
