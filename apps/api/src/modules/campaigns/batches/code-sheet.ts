/** Sheets of codes to print and cut: a QR code of the link, the code, its number and the batch's label on each card. */
import { brand } from '@athos/brand/brand';
import type { SheetForm } from '@athos/contract/console/batches';
import { formatRewardCode, type RewardCode } from '@athos/domain/reward-code';
import type { Write } from '../../../platform/files/sealed-file.ts';
import { redeemLink } from './code-csv.ts';

/** Page sizes in points, 72 to the inch. */
const PAPER = { a4: [595.28, 841.89], letter: [612, 792] } as const;
const GRIDS = { '2x5': [2, 5], '3x8': [3, 8] } as const;
const MARGIN = 34;
const PADDING = 9;
const CUT_MARK = 9;
/** The quiet zone that readers need around a code, in modules. */
const QUIET_MODULES = 4;
/**
 * Cyan, magenta, yellow and black, in per cent. A printer mixes the black of a screen from four inks, and if they are misaligned, fine
 * modules and small letters blur.
 */
type Ink = readonly [cyan: number, magenta: number, yellow: number, black: number];
const BLACK: Ink = [0, 0, 0, 100];
const GREY: Ink = [0, 0, 0, 70];
/** Rows overlap a little, because viewers leave hairlines between shapes that only touch. */
const ROW_HEIGHT = 1.02;

interface Layout {
  readonly size: readonly [number, number];
  readonly columns: number;
  readonly rows: number;
  readonly cell: { readonly width: number; readonly height: number };
}

function layoutOf(form: SheetForm): Layout {
  const [paper, grid] = form.split('_') as [keyof typeof PAPER, keyof typeof GRIDS];
  const size = PAPER[paper];
  const [columns, rows] = GRIDS[grid];
  const cell = { width: (size[0] - 2 * MARGIN) / columns, height: (size[1] - 2 * MARGIN) / rows };
  return { size, columns, rows, cell };
}

export function pageCountOf(form: SheetForm, codeCount: number): number {
  const { columns, rows } = layoutOf(form);
  return Math.ceil(codeCount / (columns * rows));
}

type Doc = PDFKit.PDFDocument;

/** Draws short lines in the margin at the edges of the columns and rows. */
function drawCutMarks(doc: Doc, { size: [width, height], columns, rows, cell }: Layout): void {
  const gap = 3;
  doc.lineWidth(0.4).strokeColor([...GREY]);
  for (let column = 0; column <= columns; column += 1) {
    const x = MARGIN + column * cell.width;
    doc.moveTo(x, MARGIN - gap).lineTo(x, MARGIN - gap - CUT_MARK);
    doc.moveTo(x, height - MARGIN + gap).lineTo(x, height - MARGIN + gap + CUT_MARK);
  }
  for (let row = 0; row <= rows; row += 1) {
    const y = MARGIN + row * cell.height;
    doc.moveTo(MARGIN - gap, y).lineTo(MARGIN - gap - CUT_MARK, y);
    doc.moveTo(width - MARGIN + gap, y).lineTo(width - MARGIN + gap + CUT_MARK, y);
  }
  doc.stroke();
}

/** The dark modules of a QR code as rectangles in units of a module, one for each run in a row. */
function rectanglesOf(modules: readonly (readonly boolean[])[]): string {
  const rectangles: string[] = [];
  for (const [y, row] of modules.entries()) {
    let from = -1;
    for (let x = 0; x <= row.length; x += 1) {
      const isDark = row[x] === true;
      if (isDark && from < 0) from = x;
      if (isDark || from < 0) continue;
      rectangles.push(`${from} ${y} ${x - from} ${ROW_HEIGHT} re`);
      from = -1;
    }
  }
  return rectangles.join('\n');
}

interface Square {
  readonly x: number;
  readonly y: number;
  readonly side: number;
}

function drawQr(doc: Doc, modules: readonly (readonly boolean[])[], { x, y, side }: Square): void {
  const module = side / (modules.length + 2 * QUIET_MODULES);
  const quiet = QUIET_MODULES * module;
  doc
    .save()
    .translate(x + quiet, y + quiet)
    .scale(module)
    .fillColor([...BLACK]);
  doc.addContent(`${rectanglesOf(modules)}\nf`);
  doc.restore();
}

interface Card {
  readonly number: number;
  readonly code: RewardCode;
  readonly label: string;
  readonly modules: readonly (readonly boolean[])[];
}

/** A text of a card, on one or more rows. */
interface Line {
  readonly text: string;
  readonly ink: Ink;
  readonly fontSize: number;
  readonly rows: number;
}

const LINE_HEIGHT = 1.3;
/** The height of the lines of a card with a two-row label, as a multiple of the base font size. */
const LINES_HEIGHT = (5 * 0.8 + 2 * 1.15) * LINE_HEIGHT;

function drawCard(doc: Doc, { cell }: Layout, at: { x: number; y: number }, card: Card): void {
  const side = Math.min(cell.height - PADDING, cell.width / 2);
  drawQr(doc, card.modules, { x: at.x + PADDING / 2, y: at.y + (cell.height - side) / 2, side });
  const x = at.x + side + PADDING;
  const width = cell.width - side - 2 * PADDING;
  const size = Math.min(13, width / 6.6, (cell.height - PADDING) / LINES_HEIGHT);
  const small = { ink: GREY, fontSize: size * 0.8, rows: 1 };
  const printed = formatRewardCode(card.code);
  const halves = [printed.slice(0, 9), printed.slice(10)];
  const large = { ink: BLACK, fontSize: fittingSize(doc, halves, size * 1.15, width), rows: 1 };
  const lines: readonly Line[] = [
    { ...small, text: brand.programmeName },
    ...halves.map((text) => ({ ...large, text })),
    { ...small, text: card.label, rows: 2 },
    { ...small, text: `No. ${card.number}` },
  ];
  const heights = lines.map((line) => heightOf(doc, line, width));
  let y = at.y + (cell.height - heights.reduce((sum, height) => sum + height, 0)) / 2;
  for (const [index, { text, ink, fontSize, rows }] of lines.entries()) {
    doc.fillColor([...ink]).fontSize(fontSize);
    // Slightly higher than its rows, because otherwise the last row would not fit.
    doc.text(text, x, y, { width, height: (rows + 0.4) * fontSize, ellipsis: true });
    y += heights[index] ?? 0;
  }
}

/** The largest font size with which every text fits the width. A truncated code could not be typed. */
function fittingSize(doc: Doc, texts: readonly string[], largest: number, width: number): number {
  doc.fontSize(largest);
  const widest = Math.max(...texts.map((text) => doc.widthOfString(text)));
  return Math.min(largest, (largest * width) / (widest + 1));
}

function heightOf(doc: Doc, { text, fontSize, rows }: Line, width: number): number {
  const needed = rows === 1 ? 1 : Math.ceil(doc.fontSize(fontSize).widthOfString(text) / width);
  return Math.min(rows, needed) * fontSize * LINE_HEIGHT;
}

/** Writes the output of the document so far, so that only its last page stays in memory. */
async function drain(doc: Doc, write: Write): Promise<void> {
  for (let bytes = doc.read(); bytes !== null; bytes = doc.read()) await write(bytes as Buffer);
}

interface SheetOf {
  readonly form: SheetForm;
  readonly label: string;
  readonly publicUrl: string;
  /** The font file for the texts. */
  readonly fontFile: string;
}

/** Writes the codes as a PDF page by page, and reports the number of pages after each. */
export async function writeSheet(
  codes: AsyncIterable<readonly RewardCode[]>,
  { form, label, publicUrl, fontFile }: SheetOf,
  write: Write,
  onPage: (pageCount: number) => Promise<void>,
): Promise<void> {
  // Loaded on first use, because few runs of a worker print.
  const [{ default: PDFDocument }, { encode }] = await Promise.all([
    import('pdfkit'),
    import('uqr'),
  ]);
  const layout = layoutOf(form);
  const { size, columns, rows, cell } = layout;
  const doc = new PDFDocument({
    autoFirstPage: false,
    size: [...size],
    margin: 0,
    font: fontFile,
    info: { Title: label },
  });
  let index = 0;
  let pageCount = 0;
  for await (const some of codes) {
    for (const code of some) {
      const place = index % (columns * rows);
      if (place === 0) {
        doc.addPage();
        await drain(doc, write);
        drawCutMarks(doc, layout);
        pageCount += 1;
        await onPage(pageCount);
      }
      index += 1;
      const { data: modules } = encode(redeemLink(publicUrl, code), { ecc: 'M', border: 0 });
      const at = {
        x: MARGIN + (place % columns) * cell.width,
        y: MARGIN + Math.floor(place / columns) * cell.height,
      };
      drawCard(doc, layout, at, { number: index, code, label, modules });
    }
  }
  doc.end();
  await drain(doc, write);
}
