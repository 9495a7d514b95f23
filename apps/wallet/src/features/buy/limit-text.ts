import type { BuyLimit } from '@athos/domain/purchase-price';
import { m } from '@athos/messages/messages';

/** Spec 5: the warning of a broken limit. */
export function limitText(limit: BuyLimit): string {
  switch (limit) {
    case 'below_minimum':
      return m.buy_reason_below_min();
    case 'above_maximum':
      return m.buy_reason_above_max();
  }
}
