import { Picture } from '@athos/ui/primitives/picture';
import type { PurchaseItem } from '../../api/purchases.ts';

/** An item's picture in a row. It has no alternative text, because the title beside it says the same. */
export function ItemPicture({ item }: { item: PurchaseItem }) {
  return (
    <div className="w-14 shrink-0">
      <Picture
        {...item.offer.picture}
        alt=""
        sizes="3.5rem"
        ratio="square"
        className="rounded-small"
      />
    </div>
  );
}
