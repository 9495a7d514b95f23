/** The text and the amounts of a movement, the same in the list and on the detail screen. */
import { mainToken, brand } from '@athos/brand/brand';
import { formatAthRoundedUp } from '@athos/domain/money';
import { m } from '@athos/messages/messages';
import { plainText } from '@athos/ui/text/markdown';
import {
  counterpartyName,
  type HistoryReason,
  type Movement,
  type SendState,
} from '../../api/history.ts';
import type { Contact } from '../../state/contacts.ts';

/** Spec 1: offer kinds. */
const EVENT = 1;
const TIP = 3;

const REASONS: Readonly<Record<HistoryReason, () => string>> = {
  refund_to_card: m.history_reason_refund_to_card,
  refund_by_bank: m.history_reason_refund_by_bank,
  refund_returned: m.history_reason_refund_returned,
  purchase_refund: m.history_reason_purchase_refund,
  chargeback: m.history_reason_chargeback,
  chargeback_returned: m.history_reason_chargeback_returned,
  adjustment: m.history_reason_adjustment,
  held: m.history_reason_held,
  released: m.history_reason_released,
};

/** Spec 2: the type label. A purchase is named after the kind of its offer, a movement made by the programme after its reason. */
export function typeLabel(movement: Movement): string {
  switch (movement.kind) {
    case 'purchase':
      if (movement.offer.kind === EVENT) return m.history_kind_event();
      return movement.offer.kind === TIP
        ? m.history_kind_tip()
        : m.history_kind_products({ symbol: mainToken.symbol });
    case 'payment':
      return m.history_type_payment();
    case 'send':
    case 'receive':
      if (movement.reason !== undefined) return REASONS[movement.reason]();
      return movement.kind === 'send' ? m.history_type_send() : m.history_type_receive();
    case 'reward':
      return m.history_type_reward();
  }
}

/** The subject of a movement: a contact or the purchased offers. Falls back to the type label. */
export function subjectOf(movement: Movement, contacts: readonly Contact[]): string {
  switch (movement.kind) {
    case 'purchase': {
      const title = plainText(movement.offer.title);
      if (title === '') return typeLabel(movement);
      const count = movement.itemCount;
      return count === 1 ? title : m.history_items({ count, title });
    }
    case 'payment':
      return m.history_by_card({ symbol: mainToken.symbol });
    case 'send':
    case 'receive':
      return counterpartyName(movement, contacts) ?? typeLabel(movement);
    case 'reward':
      return typeLabel(movement);
  }
}

/** Spec 4: only a payment can fail. */
export const hasFailed = (movement: Movement): boolean =>
  movement.kind === 'payment' && !movement.isCompleted;

const SEND_STATES: Readonly<Record<SendState, () => string>> = {
  arriving: m.history_status_arriving,
  sent: m.history_status_sent,
  taken_back: m.history_status_taken_back,
  returned: m.history_status_returned,
};

/** The status shown beside the amount: of a failed payment, and of a send that could be undone. */
export function notedStatus(movement: Movement): string | undefined {
  if (hasFailed(movement)) return m.history_status_failed();
  const state = movement.kind === 'send' ? movement.state : undefined;
  return state === undefined ? undefined : SEND_STATES[state]();
}

/** Whether the movement is final. Until then its receipt proves nothing to others. */
export const hasArrived = (movement: Movement): boolean =>
  movement.kind !== 'send' || movement.state === undefined || movement.state === 'sent';

export const statusLabel = (movement: Movement): string =>
  notedStatus(movement) ?? m.history_status_completed();

/** Whether the balance rose or fell. A failed payment or a send that came back changes nothing. */
export function directionOf(movement: Movement): '+' | '-' | '' {
  switch (movement.kind) {
    case 'purchase':
      return '-';
    case 'payment':
      return movement.isCompleted ? '+' : '';
    case 'send': {
      const isBack = movement.state === 'taken_back' || movement.state === 'returned';
      return isBack ? '' : '-';
    }
    case 'receive':
    case 'reward':
      return '+';
  }
}

/** The change to the balance: `+12.50` or `-12.50`, or an amount without a sign if nothing changed. */
export function signedAmount(movement: Movement): string {
  const amount = movement.kind === 'purchase' ? movement.priceMicroAth : movement.amountUnits;
  return `${directionOf(movement)}${formatAthRoundedUp(amount)}`;
}

/** The symbol of the token that moved. */
export function symbolOf(movement: Movement): string {
  const asset = 'asset' in movement ? movement.asset : mainToken.code;
  return brand.tokens.find(({ code }) => code === asset)?.symbol ?? asset;
}
