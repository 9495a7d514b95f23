import { useState } from 'react';
import type { PurchaseItem } from '../../api/purchases.ts';
import { isRedeemable } from './purchase-groups.ts';
import { chooseOf, selectedIds, type Chosen } from './selection.ts';

export interface RedemptionState {
  /** The ids in the code. */
  readonly selected: readonly number[];
  /** Chooses the first `count` of some equal items. */
  readonly choose: (ids: readonly number[], count: number) => void;
  /** Redeemed while this screen was open, and not yet acknowledged. */
  readonly justRedeemed: readonly PurchaseItem[];
  /** Whether anything is left to redeem. */
  readonly hasMore: boolean;
  /** Acknowledges the redeemed items. If nothing of the selection is left, selects everything that is left. */
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

  return {
    selected,
    choose: (ids, count) => setChosen(chooseOf(selected, ids, count)),
    justRedeemed,
    hasMore: items.some(isRedeemable),
    redeemRest: () => {
      if (selected.length === 0) setChosen(undefined);
      setKnownIds(redeemedIds(items));
    },
  };
}
