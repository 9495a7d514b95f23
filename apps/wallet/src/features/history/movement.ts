/** What a history item is in words and figures; the list and the detail say it alike. */
import { mainToken, brand } from '@athos/brand/brand';
import {
  formatAthRoundedUp,
  microAthFromHundredths,
  parseUnits,
  type AthHundredths,
} from '@athos/domain/money';
import { m } from '@athos/messages/messages';
import type { HistoryItem } from '../../api/history.ts';

/** Spec 1: offer kinds. */
const EVENT = 1;
const TIP = 3;

/** Spec 2: the type label; a purchase is named by the kind of its offer (decisions). */
export function typeLabel({ type, data }: HistoryItem): string {
  switch (type) {
    case 'Purchase':
      if (data.offer.kind === EVENT) return m.history_kind_event();
      return data.offer.kind === TIP
        ? m.history_kind_tip()
        : m.history_kind_products({ symbol: mainToken.symbol });
    case 'Payment':
      return m.history_type_payment();
    case 'Send':
      return m.history_type_send();
    case 'Receive':
      return m.history_type_receive();
    case 'Reward':
      return m.history_type_reward();
  }
}

/** Spec 4: a payment is completed at 1; everything else always is. */
export const hasFailed = ({ type, data }: HistoryItem): boolean =>
  type === 'Payment' && data.stripe_status !== 1;

export const statusLabel = (item: HistoryItem): string =>
  hasFailed(item) ? m.history_status_failed() : m.history_status_completed();

/** `+12.50` or `-12.50`: what the movement did to the balance. A failed payment did nothing. */
export function signedAmount(item: HistoryItem): string {
  switch (item.type) {
    case 'Purchase':
      return `-${formatAthRoundedUp(microAthFromHundredths(item.data.offer_amount as AthHundredths))}`;
    case 'Payment':
      return hasFailed(item)
        ? '0.00'
        : `+${formatAthRoundedUp(parseUnits(item.data.token_amount))}`;
    case 'Send':
      return `-${formatAthRoundedUp(parseUnits(item.data.amount))}`;
    case 'Receive':
    case 'Reward':
      return `+${formatAthRoundedUp(parseUnits(item.data.amount))}`;
  }
}

/** The symbol of the token that moved. */
export function symbolOf(item: HistoryItem): string {
  const asset = 'asset' in item.data ? item.data.asset : mainToken.code;
  return brand.tokens.find(({ code }) => code === asset)?.symbol ?? asset;
}
