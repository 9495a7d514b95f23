/** A statement as a PDF on A4 pages: the totals of the month, and every movement. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { brand } from '@athos/brand/brand';
import type { Statement, StatementLine } from '@athos/contract/wallet/statements';
import { formatAthExact, formatUsd, tokenUnits, usdCents } from '@athos/domain/money';
import { m } from '@athos/messages/messages';
import { KIND_WORDS } from './statement-words.ts';

/** The page size in points, 72 to the inch. */
const SIZE = [595.28, 841.89] as const;
const MARGIN = 48;
const WIDTH = SIZE[0] - 2 * MARGIN;
const BOTTOM = SIZE[1] - MARGIN - 24;
const INK = '#1c1326';
const QUIET = '#5d5568';
const RULE = '#d9d2c8';
const [TEXT, SMALL] = [9.5, 8];
/** The position and the width of each column. */
const DATE = { x: MARGIN, width: 92 } as const;
const WHAT = { x: MARGIN + 96, width: WIDTH - 96 - 200 } as const;
const CHANGE = { x: MARGIN + WIDTH - 196, width: 96 } as const;
const BALANCE = { x: MARGIN + WIDTH - 96, width: 96 } as const;
const LINE_GAP = 5;

type Doc = PDFKit.PDFDocument;

const amount = (units: string): string => formatAthExact(tokenUnits(BigInt(units)));
const dollars = (cents: number): string => formatUsd(usdCents(BigInt(cents)));

type LocalTime = (isoTime: string) => string;

/**
 * Formats a time such as `2026-11-22 19:04` in the zone of the statement. Created once for all lines, since creating a formatter takes as
 * long as formatting a hundred times.
 */
function localTimeIn(zone: string): LocalTime {
  const format = new Intl.DateTimeFormat('sv-SE', {
    timeZone: zone,
    dateStyle: 'short',
    timeStyle: 'short',
  });
  return (isoTime) => format.format(new Date(isoTime));
}

class Page {
  readonly #doc: Doc;
  #number = 0;
  y = MARGIN;

  constructor(doc: Doc) {
    this.#doc = doc;
  }

  begin(): void {
    this.#doc.addPage();
    this.#number += 1;
    this.#doc
      .fontSize(SMALL)
      .fillColor(QUIET)
      .text(m.statements_page({ page: this.#number }), MARGIN, SIZE[1] - MARGIN, {
        width: WIDTH,
        align: 'right',
        lineBreak: false,
      });
    this.y = MARGIN;
  }

  hasRoom(height: number): boolean {
    return this.y + height <= BOTTOM;
  }
}

interface Words {
  readonly x: number;
  readonly width: number;
  readonly size?: number;
  readonly color?: string;
  readonly align?: 'left' | 'right';
}

/** Writes a text and returns its height. Asking the document for the height would lay the text out a second time. */
function write(doc: Doc, text: string, y: number, words: Words): number {
  const { x, width, size = TEXT, color = INK, align = 'left' } = words;
  doc.fontSize(size).fillColor(color).text(text, x, y, { width, align });
  return doc.y - y;
}

function rule(doc: Doc, y: number): void {
  doc
    .moveTo(MARGIN, y)
    .lineTo(MARGIN + WIDTH, y)
    .lineWidth(0.5)
    .strokeColor(RULE)
    .stroke();
}

function writeFacts(doc: Doc, page: Page, facts: readonly (readonly [string, string])[]): void {
  for (const [label, value] of facts) {
    write(doc, label, page.y, { x: MARGIN, width: WIDTH / 3, color: QUIET });
    page.y += write(doc, value, page.y, { x: MARGIN + WIDTH / 3, width: (WIDTH * 2) / 3 });
    page.y += LINE_GAP;
  }
}

function writeHead(doc: Doc, page: Page, statement: Statement, madeAt: Date): void {
  const { asset, zone, month } = statement;
  const localTime = localTimeIn(zone);
  const symbol = brand.tokens.find(({ code }) => code === asset)?.symbol ?? asset;
  page.y += write(doc, brand.programmeName, page.y, { x: MARGIN, width: WIDTH, color: QUIET });
  page.y += 4;
  const title = `${m.statements_title_of({ month })}, ${symbol}`;
  page.y += write(doc, title, page.y, { x: MARGIN, width: WIDTH, size: 20 });
  page.y += 10;
  if (statement.is_running) {
    const date = localTime(madeAt.toISOString());
    page.y += write(doc, m.statements_so_far({ date }), page.y, { x: MARGIN, width: WIDTH });
    page.y += 8;
  }
  const last = new Date(Date.parse(statement.to) - 1).toISOString();
  writeFacts(doc, page, [
    [m.statements_account(), statement.account],
    [
      m.statements_period(),
      `${localTime(statement.from).slice(0, 10)} – ${localTime(last).slice(0, 10)}`,
    ],
    [m.statements_zone(), zone],
    [m.statements_opening(), amount(statement.opening)],
    [m.statements_closing(), amount(statement.closing)],
    ...(statement.card_paid_cents === 0
      ? []
      : ([
          [m.statements_card_paid(), dollars(statement.card_paid_cents)],
          [m.statements_card_fees(), dollars(statement.card_fee_cents)],
        ] as const)),
  ]);
}

function writeSums(doc: Doc, page: Page, { sums }: Statement): void {
  if (sums.length === 0) return;
  page.y += 8;
  const heads = [
    [m.statements_by_kind(), DATE.x, WIDTH / 2, 'left'],
    [m.statements_in(), CHANGE.x, CHANGE.width, 'right'],
    [m.statements_out(), BALANCE.x, BALANCE.width, 'right'],
  ] as const;
  for (const [text, x, width, align] of heads) {
    write(doc, text, page.y, { x, width, align, size: SMALL, color: QUIET });
  }
  page.y += 14;
  for (const { kind, in: received, out } of sums) {
    write(doc, KIND_WORDS[kind](), page.y, { x: MARGIN, width: WIDTH / 2 });
    if (received !== '0') write(doc, amount(received), page.y, { ...CHANGE, align: 'right' });
    if (out !== '0') write(doc, amount(out), page.y, { ...BALANCE, align: 'right' });
    page.y += 14;
  }
}

function writeColumns(doc: Doc, page: Page): void {
  page.y += 10;
  const columns = [
    [m.statements_date(), DATE, 'left'],
    [m.statements_movements(), WHAT, 'left'],
    [m.statements_change(), CHANGE, 'right'],
    [m.statements_balance(), BALANCE, 'right'],
  ] as const;
  for (const [text, column, align] of columns) {
    write(doc, text, page.y, { ...column, align, size: SMALL, color: QUIET });
  }
  page.y += 13;
  rule(doc, page.y);
  page.y += LINE_GAP;
}

/** The title of a movement and, below it, the receipt's number, the value, and the owner's note. */
function detailsOf(line: StatementLine): { readonly title: string; readonly details: string } {
  const about = line.title === '' ? (line.counterparty ?? '') : line.title;
  const details = [
    line.receipt,
    line.usd_cents === null ? '' : dollars(line.usd_cents),
    line.card === null
      ? ''
      : `${m.statements_card_paid()} ${dollars(line.card.paid_cents)}, ${m.statements_card_fees()} ${dollars(line.card.fee_cents)}`,
    line.note,
    line.labels.join(', '),
  ];
  const kind = KIND_WORDS[line.kind]();
  return {
    title: about === '' ? kind : `${kind}: ${about}`,
    details: details.filter((detail) => detail !== '').join(' · '),
  };
}

/** Higher than a line with the longest title, note and labels, so that the height has to be computed only near the end of a page. */
const LINE_HEIGHT_MAX = 200;

function hasRoomFor(doc: Doc, page: Page, title: string, details: string): boolean {
  if (page.hasRoom(LINE_HEIGHT_MAX)) return true;
  const { width } = WHAT;
  const height =
    doc.fontSize(TEXT).heightOfString(title, { width }) +
    doc.fontSize(SMALL).heightOfString(details, { width }) +
    2 * LINE_GAP;
  return page.hasRoom(height);
}

function writeLine(doc: Doc, page: Page, line: StatementLine, localTime: LocalTime): void {
  const { title, details } = detailsOf(line);
  if (!hasRoomFor(doc, page, title, details)) {
    page.begin();
    writeColumns(doc, page);
  }
  write(doc, localTime(line.at), page.y, DATE);
  write(doc, amount(line.change), page.y, { ...CHANGE, align: 'right' });
  write(doc, amount(line.balance_after), page.y, { ...BALANCE, align: 'right' });
  page.y += write(doc, title, page.y, WHAT);
  page.y += write(doc, details, page.y, { ...WHAT, size: SMALL, color: QUIET });
  page.y += LINE_GAP;
  rule(doc, page.y);
  page.y += LINE_GAP;
}

function writeFoot(doc: Doc, page: Page, { head, lines }: Statement): void {
  if (!page.hasRoom(70)) page.begin();
  page.y += 8;
  if (lines.length === 0) {
    page.y += write(doc, m.statements_none(), page.y, { x: MARGIN, width: WIDTH });
    page.y += LINE_GAP;
  }
  if (head === null) return;
  const small = { x: MARGIN, width: WIDTH, size: SMALL, color: QUIET };
  page.y += write(doc, m.statements_head_text(), page.y, small);
  page.y += write(doc, `${m.statements_head({ day: head.day })}: ${head.hash}`, page.y, small);
}

/** After this many lines, which take some milliseconds, other requests get their turn. */
const LINES_AT_ONCE = 20;

/** `fontFile` is the font for all texts. Letters that it does not contain are drawn as boxes. */
export async function statementPdf(
  statement: Statement,
  { fontFile, madeAt }: { readonly fontFile: string; readonly madeAt: Date },
): Promise<Buffer> {
  // Loaded on first use, because most processes never print.
  const { default: PDFDocument } = await import('pdfkit');
  const doc = new PDFDocument({
    autoFirstPage: false,
    size: [...SIZE],
    // This file decides where pages break.
    margin: 0,
    font: fontFile,
    info: { Title: m.statements_title_of({ month: statement.month }), CreationDate: madeAt },
  });
  const chunks: Buffer[] = [];
  doc.on('data', (chunk: Buffer) => chunks.push(chunk));
  const ended = new Promise((resolve) => doc.once('end', resolve));
  const page = new Page(doc);
  page.begin();
  writeHead(doc, page, statement, madeAt);
  writeSums(doc, page, statement);
  if (statement.lines.length > 0) writeColumns(doc, page);
  const localTime = localTimeIn(statement.zone);
  for (const [index, line] of statement.lines.entries()) {
    writeLine(doc, page, line, localTime);
    if (index % LINES_AT_ONCE === 0) await nextTurn();
  }
  writeFoot(doc, page, statement);
  doc.end();
  await ended;
  return Buffer.concat(chunks);
}
