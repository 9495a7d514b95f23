/** Reasons why a code is not redeemed without a network, and what to do about each. */
import type { OfflineRefusal } from '@athos/domain/judge-offline';
import { m } from '@athos/messages/messages';
import type { RefusalText } from './refusal-text.ts';
import { timeText } from './time-text.ts';

export function offlineRefusalText(refusal: OfflineRefusal): RefusalText {
  switch (refusal.reason) {
    case 'needs_network':
      return {
        title: m.scanner_offline_needs_network(),
        advice: m.scanner_offline_needs_network_do(),
      };
    case 'unreadable':
      return {
        title: m.scanner_app_refusal_unreadable_code(),
        advice: m.scanner_app_refusal_unreadable_code_do(),
      };
    case 'not_genuine':
      return {
        title: m.scanner_app_refusal_invalid_signature(),
        advice: m.scanner_app_refusal_invalid_signature_do(),
      };
    case 'no_list':
      return { title: m.scanner_offline_no_list(), advice: m.scanner_offline_no_list_do() };
    case 'not_allowed':
    case 'log_changed':
      return { title: m.scanner_offline_not_allowed(), advice: m.scanner_offline_not_allowed_do() };
    case 'not_kept':
      return { title: m.scanner_offline_not_kept(), advice: m.scanner_offline_not_kept_do() };
    case 'clock_changed':
      return { title: m.scanner_offline_clock(), advice: m.scanner_offline_clock_do() };
    case 'list_too_old': {
      const time = timeText(refusal.madeAtMs);
      return {
        title: m.scanner_offline_list_old({ time }),
        advice: m.scanner_offline_list_old_do(),
      };
    }
    case 'ticket_over':
      return { title: m.scanner_offline_ticket_over(), advice: m.scanner_offline_ticket_over_do() };
    case 'ticket_ended':
      return {
        title: m.scanner_offline_ticket_ended(),
        advice: m.scanner_app_refusal_ticket_ended_do(),
      };
    case 'code_time':
      return {
        title:
          refusal.seconds > 0
            ? m.scanner_app_refusal_code_expired()
            : m.scanner_app_refusal_code_from_future(),
        advice: m.scanner_offline_code_time({ n: Math.abs(refusal.seconds) }),
      };
    case 'limit':
      return { title: m.scanner_offline_limit(), advice: m.scanner_offline_limit_do() };
  }
}
