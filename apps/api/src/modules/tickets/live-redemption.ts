import type { LiveEventSource } from '../../capability.ts';
import { selectRedeemedItems } from './redeem-items.sql.ts';

/** Shows the holder what was redeemed while the code is still on the screen. */
export const redemptionEvents: LiveEventSource = {
  channel: 'items_redeemed',
  async read(db, redemptionId) {
    const items = await selectRedeemedItems(db, BigInt(redemptionId));
    return {
      type: 'redeemed',
      items: items.map(({ id, purchaseId, redeemedAt, venue }) => ({
        id: Number(id),
        purchase_id: Number(purchaseId),
        redeemed_at: redeemedAt.toISOString(),
        venue,
      })),
    };
  },
};
