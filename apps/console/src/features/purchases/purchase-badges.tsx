import { Badge } from '../../kit/badge.tsx';
import { ITEM_STATES } from './purchase-words.ts';

interface PurchaseBadgesProps {
  openCount: number;
  redeemedCount: number;
  refundedCount: number;
}

/** The states of its items. */
export function PurchaseBadges({ openCount, redeemedCount, refundedCount }: PurchaseBadgesProps) {
  const counts = { open: openCount, redeemed: redeemedCount, refunded: refundedCount };
  return (
    <span className="inline-flex flex-wrap gap-1">
      {(['open', 'redeemed', 'refunded'] as const)
        .filter((state) => counts[state] > 0)
        .map((state) => (
          <Badge key={state} tone={ITEM_STATES[state].tone}>
            {ITEM_STATES[state].title()}
          </Badge>
        ))}
    </span>
  );
}
