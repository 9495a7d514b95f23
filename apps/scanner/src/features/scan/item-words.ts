/** An item's state in words. A scanned item's state and the outcome of redeeming it share their names. */
import { m } from '@athos/messages/messages';
import type { RedeemedItem, ScannedItem } from '../../api/codes.ts';
import { timeText } from './time-text.ts';

type ItemState = ScannedItem['state'] | RedeemedItem['outcome'];
type ItemFacts = Pick<ScannedItem, 'redeemedAt' | 'redeemedVenue'>;

export function stateWords(state: ItemState, facts: ItemFacts): string {
  switch (state) {
    case 'redeemable':
      return m.scanner_app_state_redeemable();
    case 'redeemed':
      return m.scanner_app_state_redeemed();
    case 'already_redeemed':
      return alreadyRedeemed(facts);
    case 'voided':
      return m.scanner_app_state_voided();
    case 'inactive':
      return m.scanner_app_state_inactive();
    case 'wrong_venue':
      return m.scanner_app_state_wrong_venue();
    case 'redeemed_here':
      return m.scanner_offline_state_here({ time: timeText(facts.redeemedAt ?? '') });
    case 'unsure':
      return m.scanner_offline_state_unsure();
    case 'above_limit':
      return m.scanner_offline_state_above_limit();
    case 'not_found':
      return m.scanner_app_state_not_found();
  }
}

/** The time and place of the redemption, if known. */
export function alreadyRedeemed({ redeemedAt, redeemedVenue }: ItemFacts): string {
  if (redeemedAt === null) return m.scanner_app_state_already_redeemed_plain();
  const time = timeText(redeemedAt);
  return redeemedVenue === null
    ? m.scanner_app_state_already_redeemed_time({ time })
    : m.scanner_app_state_already_redeemed({ venue: redeemedVenue, time });
}

/** Whether the item was handed out before, as far as is known. */
export const isUsedState = (state: ScannedItem['state']): boolean =>
  state === 'already_redeemed' || state === 'redeemed_here';

/** The number of items in a code, or the number left if some were redeemed before. */
export function itemsTitle(items: readonly Pick<ScannedItem, 'state'>[]): string {
  const isAnyUsed = items.some(({ state }) => isUsedState(state));
  const leftCount = items.filter(({ state }) => state === 'redeemable').length;
  return isAnyUsed
    ? m.scanner_app_items_left({ count: leftCount, total: items.length })
    : m.scanner_app_items_title({ count: items.length });
}
