import { mainToken } from '@athos/brand/brand';
import { formatAthRoundedUp, microAthFromHundredths } from '@athos/domain/money';
import { m } from '@athos/messages/messages';
import { Button } from '@athos/ui/primitives/button';
import { classNames } from '@athos/ui/primitives/class-names';
import { Link } from '@athos/ui/primitives/link';
import { InlineMarkdown, plainText } from '@athos/ui/text/markdown';
import { Picture } from '@athos/ui/primitives/picture';
import { QuantityPicker } from '@athos/ui/fields/quantity-picker';
import CircleAlert from 'lucide-react/icons/circle-alert';
import { paths } from '../../routes/paths.ts';
import { lineTotal, type CartItem } from '../../state/cart-item.ts';
import { amountText, priceSizeClass } from './cart-words.ts';

interface CartLineProps {
  item: CartItem;
  /** Why the line cannot be bought in its current state. */
  problem: string | undefined;
  isFirst: boolean;
  onCountChange: (count: number) => void;
  onRemove: () => void;
}

/** One line of the cart. The whole line links to its offer, except for the controls, which are above the link. */
export function CartLine({ item, problem, isFirst, onCountChange, onRemove }: CartLineProps) {
  const { offer, count } = item;
  const title = plainText(offer.title);
  return (
    <li className="hover:bg-sunken relative flex flex-wrap gap-3.5 p-gutter transition-colors duration-150 ease-out first:rounded-t-[inherit] last:rounded-b-[inherit]">
      <div className="rounded-small size-20 shrink-0 overflow-hidden">
        <Picture {...offer.image} sizes="5rem" ratio="square" isFirst={isFirst} />
      </div>
      <div className="flex min-w-0 flex-[1_1_9rem] flex-col gap-2">
        <h2 className="text-body font-semibold text-balance">
          <Link
            to={paths.offer(offer)}
            className="after:absolute after:inset-0 after:rounded-[inherit]"
          >
            <InlineMarkdown text={offer.title} />
          </Link>
        </h2>
        <LinePrice item={item} />
        <LineNotes item={item} problem={problem} />
        <div className="relative flex w-fit flex-wrap items-center gap-1">
          <QuantityPicker
            label={m.cart_quantity_label({ title })}
            value={count}
            onValueChange={onCountChange}
          />
          <Button
            variant="plain"
            isCompact
            aria-label={m.cart_remove_label({ title })}
            onClick={onRemove}
          >
            {m.cart_remove()}
          </Button>
        </div>
      </div>
    </li>
  );
}

function LinePrice({ item }: { item: CartItem }) {
  const subtotal = lineTotal(item);
  const unitPrice = amountText(microAthFromHundredths(item.offer.price));
  return (
    <div className="flex flex-wrap items-baseline justify-between gap-x-3">
      <p className="text-caption text-ink-quiet tabular">
        {m.cart_unit_price({ price: unitPrice })}
      </p>
      <p className={classNames('tabular ml-auto font-semibold', priceSizeClass(subtotal))}>
        <span className="sr-only">{`${m.cart_subtotal()} `}</span>
        {amountText(subtotal)}
      </p>
    </div>
  );
}

/** Changes since the offer was added, and the reason why it cannot be bought. */
function LineNotes({ item, problem }: { item: CartItem; problem: string | undefined }) {
  const { offer, priceWhenAdded } = item;
  const hasNewPrice = offer.price !== priceWhenAdded;
  return (
    // Always rendered, so that screen readers announce later updates from the server.
    <div role="status" className="text-caption flex flex-col gap-1 empty:hidden">
      {hasNewPrice && (
        <p className="text-info text-balance">
          {m.cart_price_changed({
            before: formatAthRoundedUp(microAthFromHundredths(priceWhenAdded)),
            symbol: mainToken.symbol,
          })}
        </p>
      )}
      {problem !== undefined && (
        <p className="text-danger flex gap-1.5 font-semibold">
          <CircleAlert size={16} aria-hidden className="mt-px shrink-0" />
          {problem}
        </p>
      )}
    </div>
  );
}
