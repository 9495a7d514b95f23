import { refundableCount, type Goods, type Purchase } from './purchase-words.ts';

/** One line that can be refunded, with what was typed for it. */
export interface RefundLine {
  readonly line: number;
  readonly title: string;
  /** Of one item, in micro-units. */
  readonly price: string;
  readonly maxCount: number;
}

export const refundLines = ({ lines }: Purchase, goods: Goods): readonly RefundLine[] =>
  lines.flatMap((line) => {
    const maxCount = refundableCount(line, goods);
    const { line: number, title, price } = line;
    return maxCount === 0 ? [] : [{ line: number, title, price, maxCount }];
  });

export interface RefundChoice {
  readonly lines: readonly { readonly line: number; readonly itemCount: number }[];
  readonly itemCount: number;
  /** In micro-units. */
  readonly total: string;
}

/** The most that can be typed for a line of a cart. */
const COUNT_LENGTH_MAX = 2;

/** What was typed, by line; `undefined` while a number is wrong or nothing is chosen. An empty field means none. */
export function refundChoice(
  lines: readonly RefundLine[],
  typed: Readonly<Record<number, string>>,
): RefundChoice | undefined {
  let total = BigInt(0);
  const chosen: { line: number; itemCount: number }[] = [];
  for (const { line, price, maxCount } of lines) {
    const text = (typed[line] ?? String(maxCount)).trim();
    if (!/^\d*$/.test(text) || text.length > COUNT_LENGTH_MAX) return undefined;
    const itemCount = text === '' ? 0 : parseInt(text, 10);
    if (itemCount > maxCount) return undefined;
    if (itemCount > 0) chosen.push({ line, itemCount });
    total += BigInt(price) * BigInt(itemCount);
  }
  if (chosen.length === 0) return undefined;
  const itemCount = chosen.reduce((sum, part) => sum + part.itemCount, 0);
  return { lines: chosen, itemCount, total: total.toString() };
}
