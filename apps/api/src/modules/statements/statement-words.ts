import type { StatementKind } from '@athos/contract/wallet/statements';
import { m } from '@athos/messages/messages';

export const KIND_WORDS: Readonly<Record<StatementKind, () => string>> = {
  send: m.statements_kind_send,
  receive: m.statements_kind_receive,
  send_returned: m.statements_kind_send_returned,
  card: m.statements_kind_card,
  purchase: m.statements_kind_purchase,
  tip: m.statements_kind_tip,
  reward: m.statements_kind_reward,
  refund: m.statements_kind_refund,
  purchase_refund: m.statements_kind_purchase_refund,
  chargeback: m.statements_kind_chargeback,
  correction: m.statements_kind_correction,
  held: m.statements_kind_held,
  released: m.statements_kind_released,
  opening: m.statements_kind_opening,
  closing: m.statements_kind_closing,
  other: m.statements_kind_other,
};
