import { m } from '@athos/messages/messages';
import type { CartItem } from '../../state/cart-item.ts';
import type { CartStore } from '../../state/cart.ts';
import type { Buyer } from '../../state/offer-block.ts';
import { CartLine } from './cart-line.tsx';
import { lineProblem } from './cart-words.ts';

/** Pictures visible on a phone when the screen opens. */
const FIRST_PICTURE_COUNT = 4;

interface CartLinesProps {
  items: readonly CartItem[];
  store: CartStore;
  /** While `undefined`, lines do not show whether they can be bought. */
  buyer: Buyer | undefined;
  onRemove: (offerId: number) => void;
}

/** The lines of the cart, in the order they were added. */
export function CartLines({ items, store, buyer, onRemove }: CartLinesProps) {
  return (
    <ul
      aria-label={m.cart_lines()}
      className="rounded-medium bg-surface shadow-card inset-ring-line divide-line divide-y inset-ring"
    >
      {items.map((item, index) => (
        <CartLine
          key={item.offer.id}
          item={item}
          problem={buyer && lineProblem(item, buyer)}
          isFirst={index < FIRST_PICTURE_COUNT}
          onCountChange={(count) => store.setCount(item.offer.id, count)}
          onRemove={() => onRemove(item.offer.id)}
        />
      ))}
    </ul>
  );
}
