import { useEffect, useState } from 'react';
import type { PurchaseItem } from '../../api/purchases.ts';
import { isRedeemable } from './purchase-groups.ts';
import { selectedIds, toggle, type Chosen } from './selection.ts';

/** How long a redemption is celebrated before the code of the remaining selection returns. */
const MOMENT_MS = 4000;

export interface RedemptionState {
  /** The ids in the code. */
  readonly selected: readonly number[];
  readonly toggle: (itemId: number) => void;
  /** Redeemed while this screen was open, and not yet acknowledged. */
  readonly justRedeemed: readonly PurchaseItem[];
  /** Whether anything is left to redeem. */
  readonly hasMore: boolean;
  /** Selects everything that is left. */
  readonly redeemRest: () => void;
}

const redeemedIds = (items: readonly PurchaseItem[]): ReadonlySet<number> =>
  new Set(items.flatMap(({ id, redeemedAt }) => (redeemedAt === null ? [] : [id])));

/** The selection, and the items of it that a Scanner has redeemed since. */
export function useRedemption(items: readonly PurchaseItem[]): RedemptionState {
  const [chosen, setChosen] = useState<Chosen>();
  const [knownIds, setKnownIds] = useState(() => redeemedIds(items));
  const selected = selectedIds(items, chosen);
  const justRedeemed = items.filter(
    ({ id, redeemedAt }) => redeemedAt !== null && !knownIds.has(id),
  );

  const momentCount = justRedeemed.length;
  const hasNext = selected.length > 0;
  useEffect(() => {
    if (momentCount === 0 || !hasNext) return undefined;
    const timer = setTimeout(() => setKnownIds(redeemedIds(items)), MOMENT_MS);
    return () => clearTimeout(timer);
  }, [momentCount, hasNext, items]);

  return {
    selected,
    toggle: (itemId) => setChosen(toggle(selected, itemId)),
    justRedeemed,
    hasMore: items.some(isRedeemable),
    redeemRest: () => {
      setChosen(undefined);
      setKnownIds(redeemedIds(items));
    },
  };
}
