import type { Asset } from '@athos/domain/money';
import { m } from '@athos/messages/messages';
import type { Filter } from '../../kit/list-view.ts';
import { kindOptions } from '../../kit/ledger-words.ts';

/** The filters shared by all lists of movements. Amounts are typed in the asset. */
export const movementFilters = (asset: Asset): readonly Filter[] => [
  { id: 'kind', label: m.ledger_kind(), kind: 'choice', options: kindOptions() },
  { id: 'amountMin', label: `${m.ledger_amount_min()} (${asset})`, kind: 'amount', asset },
  { id: 'amountMax', label: `${m.ledger_amount_max()} (${asset})`, kind: 'amount', asset },
  { id: 'from', label: m.console_from_day(), kind: 'day', edge: 'from' },
  { id: 'to', label: m.console_until_day(), kind: 'day', edge: 'until' },
];
