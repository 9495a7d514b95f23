/** The text that a screen reader announces when the desk's state changes: the headline of the new panel. */
import { m } from '@athos/messages/messages';
import type { DeskState } from './desk-state.ts';
import { isUsedState, itemsTitle } from './item-words.ts';
import { offlineRefusalText } from './offline-words.ts';
import { refusalText } from './refusal-text.ts';

export function announcement(state: DeskState): string {
  switch (state.phase) {
    case 'ready':
      return '';
    case 'reading':
      return m.scanner_app_reading();
    case 'lost':
      return m.scanner_app_lost_title();
    case 'refused': {
      const { title, advice } = refusalText(state.code, state.notice);
      return `${title}. ${advice}`;
    }
    case 'items': {
      const { items } = state.scan;
      if (items.some((item) => item.state === 'redeemable')) {
        return itemsTitle(items);
      }
      return items.every((item) => isUsedState(item.state))
        ? m.scanner_app_nothing_used_title()
        : m.scanner_app_nothing_title();
    }
    case 'tier': {
      const { tier } = state.scan;
      return tier === null ? m.common_tier_none() : m.common_tier_badge({ title: tier.title });
    }
    case 'redeeming':
      return state.intent.isRepeat
        ? m.scanner_app_unknown_title()
        : m.scanner_app_redeeming({ count: state.intent.content.itemIds.length });
    case 'result':
      return resultWords(state.redemption);
    case 'offline_question':
      return m.scanner_offline_question();
    case 'offline_noting':
      return '';
    case 'offline_refused': {
      const { title, advice } = offlineRefusalText(state.refusal);
      return `${title}. ${advice}`;
    }
    case 'offline_result':
      return `${m.scanner_offline_result()}. ${m.scanner_offline_result_text()}`;
  }
}

function resultWords(redemption: Extract<DeskState, { phase: 'result' }>['redemption']): string {
  const { redeemedCount: count, results } = redemption;
  if (count === 0) return m.scanner_app_result_none_title();
  return count === results.length
    ? m.scanner_app_result_all_title({ count })
    : m.scanner_app_result_some_title({ count, total: results.length });
}
