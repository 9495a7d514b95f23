/** An item's state in words. The state before, and the outcome of redeeming it, share their names. */
import { m } from '@athos/messages/messages';
import type { RedeemedItem } from '../../api/redeem.ts';
import type { ScannedItem } from '../../api/scan.ts';
import { timeText } from './time-text.ts';

type ItemState = ScannedItem['state'] | RedeemedItem['outcome'];
interface ItemFacts {
  readonly redeemed_at: string | null;
  readonly redeemed_venue: string | null;
}

export function stateWords(state: ItemState, facts: ItemFacts): string {
  switch (state) {
    case 'redeemable':
      return m.scanner_app_state_redeemable();
    case 'redeemed':
      return m.scanner_app_state_redeemed();
    case 'already_redeemed':
      return alreadyRedeemed(facts);
    case 'inactive':
      return m.scanner_app_state_inactive();
    case 'wrong_venue':
      return m.scanner_app_state_wrong_venue();
    case 'not_found':
      return m.scanner_app_state_not_found();
  }
}

/** When and where, as far as it is known. */
export function alreadyRedeemed({ redeemed_at, redeemed_venue }: ItemFacts): string {
  if (redeemed_at === null) return m.scanner_app_state_already_redeemed_plain();
  const time = timeText(redeemed_at);
  return redeemed_venue === null
    ? m.scanner_app_state_already_redeemed_time({ time })
    : m.scanner_app_state_already_redeemed({ venue: redeemed_venue, time });
}
