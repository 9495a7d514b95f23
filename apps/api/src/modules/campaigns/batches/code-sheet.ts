/** Sheets of codes to print and cut: a QR code of the link, the code, its number and the batch's label on each card. */
import { brand } from '@athos/brand/brand';
import type { SheetForm } from '@athos/contract/console/batches';
import { formatRewardCode, type RewardCode } from '@athos/domain/reward-code';
import type { Write } from '../../../platform/files/sealed-file.ts';
import { redeemLink } from './code-csv.ts';

/** In points, 72 to the inch. */
const PAPER = { a4: [595.28, 841.89], letter: [612, 792] } as const;
const GRIDS = { '2x5': [2, 5], '3x8': [3, 8] } as const;
const MARGIN = 34;
const PADDING = 9;
const CUT_MARK = 9;
/** The quiet zone that readers need around a code, in modules. */
const QUIET_MODULES = 4;
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

/** Short lines in the margin where the columns and rows meet it. */
function drawCutMarks(doc: Doc, { size: [width, height], columns, rows, cell }: Layout): void {
  const gap = 3;
  doc.lineWidth(0.4).strokeColor('#888888');
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
    .fillColor('#000000');
  doc.addContent(`${rectanglesOf(modules)}\nf`);
  doc.restore();
}

interface Card {
  readonly number: number;
  readonly code: RewardCode;
  readonly label: string;
  readonly modules: readonly (readonly boolean[])[];
}

function drawCard(doc: Doc, { cell }: Layout, at: { x: number; y: number }, card: Card): void {
  const side = Math.min(cell.height - PADDING, cell.width / 2);
  drawQr(doc, card.modules, { x: at.x + PADDING / 2, y: at.y + (cell.height - side) / 2, side });
  const x = at.x + side + PADDING;
  const width = cell.width - side - 2 * PADDING;
  const size = Math.min(13, width / 6.6);
  const line = { width, height: size * 1.3, ellipsis: true, lineBreak: false };
  const printed = formatRewardCode(card.code);
  let y = at.y + cell.height / 2 - size * 3.2;
  const write = (text: string, color: string, scale: number): void => {
    doc
      .fillColor(color)
      .fontSize(size * scale)
      .text(text, x, y, line);
    y += size * 1.45;
  };
  write(brand.programmeName, '#555555', 0.8);
  write(printed.slice(0, 9), '#000000', 1.15);
  write(printed.slice(10), '#000000', 1.15);
  write(card.label, '#555555', 0.8);
  write(`No. ${card.number}`, '#555555', 0.8);
}

/** Gives out what the document has written so far, so that only its last page is kept. */
async function drain(doc: Doc, write: Write): Promise<void> {
  for (let bytes = doc.read(); bytes !== null; bytes = doc.read()) await write(bytes as Buffer);
}

interface SheetOf {
  readonly form: SheetForm;
  readonly label: string;
  readonly publicUrl: string;
  /** The file of the face in which texts are set. */
  readonly fontFile: string;
}

/** Writes the codes as a PDF, page after page, and says after each how many there are. */
export async function writeSheet(
  codes: AsyncIterable<readonly RewardCode[]>,
  { form, label, publicUrl, fontFile }: SheetOf,
  write: Write,
  onPage: (pageCount: number) => Promise<void>,
): Promise<void> {
  // Loaded on first use: few runs of a worker print.
  const [{ default: PDFDocument }, { encode }] = await Promise.all([
    import('pdfkit'),
    import('uqr'),
  ]);
  const layout = layoutOf(form);
  const { size, columns, rows, cell } = layout;
  const doc = new PDFDocument({ autoFirstPage: false, size: [...size], margin: 0, font: fontFile });
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
