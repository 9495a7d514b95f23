/** The number of items of each line that a refund takes, for two dialogs. */
import { m } from '@athos/messages/messages';
import { DenseField } from './dense-field.tsx';
import { moneyText } from './money.tsx';

/** One line that can be refunded. */
export interface RefundLine {
  readonly line: number;
  readonly title: string;
  /** The price of one item, in micro-units. */
  readonly price: string;
  readonly maxCount: number;
  /** The initial value of the field. Defaults to all. */
  readonly proposedCount?: number;
}

interface ItemChoice {
  readonly lines: readonly { readonly line: number; readonly itemCount: number }[];
  readonly itemCount: number;
  /** In micro-units. */
  readonly total: string;
}

/** Typed texts by line id. */
export type TypedCounts = Readonly<Record<number, string>>;

/** The maximum number of digits in a count: a line of a cart has at most 99 items. */
const COUNT_LENGTH_MAX = 2;

const shownCount = ({ line, maxCount, proposedCount }: RefundLine, typed: TypedCounts): string =>
  typed[line] ?? String(proposedCount ?? maxCount);

/** The typed choice; `undefined` while a number is invalid or nothing is chosen. An empty field means none. */
export function itemChoice(
  lines: readonly RefundLine[],
  typed: TypedCounts,
): ItemChoice | undefined {
  let total = BigInt(0);
  const chosen: { line: number; itemCount: number }[] = [];
  for (const one of lines) {
    const text = shownCount(one, typed).trim();
    if (!/^\d*$/.test(text) || text.length > COUNT_LENGTH_MAX) return undefined;
    const itemCount = text === '' ? 0 : parseInt(text, 10);
    if (itemCount > one.maxCount) return undefined;
    if (itemCount > 0) chosen.push({ line: one.line, itemCount });
    total += BigInt(one.price) * BigInt(itemCount);
  }
  if (chosen.length === 0) return undefined;
  const itemCount = chosen.reduce((sum, part) => sum + part.itemCount, 0);
  return { lines: chosen, itemCount, total: total.toString() };
}

/** The maximum choice: everything that can be refunded. */
const mostOf = (lines: readonly RefundLine[]): ItemChoice | undefined =>
  itemChoice(
    lines,
    Object.fromEntries(lines.map(({ line, maxCount }) => [line, String(maxCount)])),
  );

interface ItemCountsProps {
  lines: readonly RefundLine[];
  typed: TypedCounts;
  onType: (typed: TypedCounts) => void;
}

/** One field per line, limited to the refundable number. */
export function ItemCounts({ lines, typed, onType }: ItemCountsProps) {
  const most = mostOf(lines);
  return (
    <fieldset className="flex flex-col gap-3">
      <legend className="text-caption text-ink-quiet pb-2 font-semibold">
        {m.sales_refund_most({
          amount: moneyText(most?.total ?? '0', 'ATH'),
          count: most?.itemCount ?? 0,
        })}
      </legend>
      {lines.map((one) => (
        <DenseField
          key={one.line}
          label={one.title}
          hint={m.sales_refund_of({ count: one.maxCount, price: moneyText(one.price, 'ATH') })}
          inputMode="numeric"
          value={shownCount(one, typed)}
          onValueChange={(text) => onType({ ...typed, [one.line]: text })}
        />
      ))}
    </fieldset>
  );
}
