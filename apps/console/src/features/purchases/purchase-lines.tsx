import { m } from '@athos/messages/messages';
import { Badge } from '../../kit/badge.tsx';
import { ObjectLink } from '../../kit/detail.tsx';
import { Money } from '../../kit/money.tsx';
import { useHolds } from '../../kit/permission.ts';
import { Time } from '../../kit/time.tsx';
import { paths } from '../../routes/paths.ts';
import { ITEM_STATES, stateOf, type Item, type Line } from './purchase-words.ts';

/** Above this number, the items of a line are collapsed. */
const SHOWN_COUNT = 6;

/** The purchased offers, line by line, with the state of each item. */
export function PurchaseLines({ lines }: { lines: readonly Line[] }) {
  return (
    <ul className="divide-line flex flex-col divide-y">
      {lines.map((line) => (
        <li key={line.line} className="flex flex-col gap-2 py-3 first:pt-0">
          <span className="text-dense flex flex-wrap items-baseline justify-between gap-x-4 font-semibold">
            <span className="min-w-0 wrap-anywhere">{line.title}</span>
            <span>
              {line.items.length} × <Money units={line.price} asset="ATH" />
            </span>
          </span>
          {line.items.length > SHOWN_COUNT ? (
            <details className="text-dense">
              <summary className="text-ink-quiet min-h-11 py-3">
                {m.sales_items_count({ count: line.items.length })}
              </summary>
              <Items items={line.items} />
            </details>
          ) : (
            <Items items={line.items} />
          )}
        </li>
      ))}
    </ul>
  );
}

function Items({ items }: { items: readonly Item[] }) {
  return (
    <ul className="flex flex-col gap-1">
      {items.map((item) => (
        <ItemLine key={item.id} item={item} />
      ))}
    </ul>
  );
}

function ItemLine({ item }: { item: Item }) {
  const holds = useHolds();
  const { id, redeemedAt, redeemedVenue, redemptionId, voidedAt, reversedCount } = item;
  const state = ITEM_STATES[stateOf(item)];
  return (
    <li className="text-caption text-ink-quiet flex min-h-8 flex-wrap items-center gap-x-3 gap-y-0.5">
      <code className="font-code">{id}</code>
      <Badge tone={state.tone}>{state.title()}</Badge>
      {redeemedAt !== null && (
        <span>
          <Time at={redeemedAt} />, {redeemedVenue}
        </span>
      )}
      {voidedAt !== null && (
        <span>
          {m.sales_refunded()} <Time at={voidedAt} />
        </span>
      )}
      {reversedCount > 0 && <span>{m.sales_reversed({ count: reversedCount })}</span>}
      {redemptionId !== null && holds('scans.read') && (
        <ObjectLink to={paths.redemption(redemptionId)}>{m.sales_redemption()}</ObjectLink>
      )}
    </li>
  );
}
