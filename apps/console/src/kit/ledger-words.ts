/** The words for ledger movements and their accounts. */
import type { TransferKindName } from '@athos/contract/console/ledger';
import { m } from '@athos/messages/messages';
import type { RowOf } from '../api/admin.ts';
import { shortId } from './copy-id.tsx';
import { inWords } from './in-words.ts';

export const KIND_TITLES: Readonly<Record<TransferKindName | 'other', () => string>> = {
  send: m.ledger_kind_send,
  card_credit: m.ledger_kind_card_credit,
  purchase: m.ledger_kind_purchase,
  tip: m.ledger_kind_tip,
  reward: m.ledger_kind_reward,
  seed: m.ledger_kind_seed,
  forfeit: m.ledger_kind_forfeit,
  card_money: m.ledger_kind_card_money,
  card_fee: m.ledger_kind_card_fee,
  refund: m.ledger_kind_refund,
  chargeback: m.ledger_kind_chargeback,
  adjustment: m.ledger_kind_adjustment,
  reward_budget: m.ledger_kind_reward_budget,
  send_held: m.ledger_kind_send_held,
  send_posted: m.ledger_kind_send_posted,
  send_returned: m.ledger_kind_send_returned,
  hold: m.ledger_kind_hold,
  release: m.ledger_kind_release,
  write_off: m.ledger_kind_write_off,
  provider_fee: m.ledger_kind_provider_fee,
  payout: m.ledger_kind_payout,
  purchase_refund: m.ledger_kind_purchase_refund,
  goodwill: m.ledger_kind_goodwill,
  recovery: m.ledger_kind_recovery,
  booking: m.ledger_kind_booking,
  budget_return: m.ledger_kind_budget_return,
  settlement: m.ledger_kind_settlement,
  other: m.ledger_kind_other,
};

/** The kinds by which a list can be filtered. */
export const kindOptions = () =>
  Object.entries(KIND_TITLES)
    .filter(([kind]) => kind !== 'other')
    .map(([value, title]) => ({ value, label: title() }));

type AccountName = Pick<RowOf<'ledgerTransfers'>['debit'], 'code' | 'customerUuid' | 'id'>;

/** `Merchant`, or `Customer …8000a1b2`. */
export const accountTitle = ({ code, customerUuid, id }: AccountName): string =>
  code === null ? m.ledger_customer_of({ id: shortId(customerUuid ?? id) }) : inWords(code);
