/** The transfers of a refund, all under its id (docs/cards.md, "Books"). */
import { tokenUnits, usdCents } from '@athos/domain/money';
import {
  systemAccountId,
  TransferKind,
  userAccountId,
  type GroupTransferRequest,
  type LedgerAccountId,
  type SystemAccount,
} from '../../../ledger/index.ts';
import type { RefundRow } from './refunds.sql.ts';

const athAccount = (name: SystemAccount): LedgerAccountId => systemAccountId(name, 'ATH');
const usdAccount = (name: SystemAccount): LedgerAccountId => systemAccountId(name, 'USD');

/**
 * The accounts that pay the refund, in cents. The programme bears the part that the taken tokens do not cover; money that was never
 * credited is still in suspense.
 */
function sourcesOf(refund: RefundRow): readonly (readonly [SystemAccount, bigint])[] {
  const { share_micro_ath: share, taken_micro_ath: taken, total_usd_cents: total } = refund;
  if (refund.funding === 'suspense') return [['suspense', total]];
  const covered = (cents: bigint): bigint => (share === 0n ? 0n : (cents * taken) / share);
  const price = covered(refund.price_usd_cents);
  const productFee = covered(refund.product_fee_usd_cents);
  const processingFee = covered(refund.processing_fee_usd_cents);
  const sources = [
    ['token_sales', price],
    ['programme_fee', productFee],
    ['processing_fee', processingFee],
    ['refund_cost', total - price - productFee - processingFee],
  ] as const;
  return sources.filter(([, cents]) => cents > 0n);
}

/** The transfer of the tokens from one account to another; empty if none were taken. */
function tokens(
  refund: RefundRow,
  debitAccountId: LedgerAccountId,
  creditAccountId: LedgerAccountId,
): GroupTransferRequest[] {
  if (refund.taken_micro_ath === 0n) return [];
  return [
    {
      key: refund.id,
      line: 0,
      kind: TransferKind.Refund,
      debitAccountId,
      creditAccountId,
      amountUnits: tokenUnits(refund.taken_micro_ath),
    },
  ];
}

const ofUser = (refund: RefundRow): LedgerAccountId => userAccountId(refund.user_id, 'ATH');

export const holdTransfers = (refund: RefundRow): GroupTransferRequest[] =>
  tokens(refund, ofUser(refund), athAccount('holds'));

/** Has the same key and payer as the acceptance, so only one of the two can ever happen. */
export const releaseTransfers = (refund: RefundRow): GroupTransferRequest[] =>
  tokens(refund, athAccount('holds'), ofUser(refund));

export function acceptanceTransfers(refund: RefundRow): GroupTransferRequest[] {
  const money = sourcesOf(refund).map(([account, cents]) => ({
    key: refund.id,
    line: 0,
    kind: TransferKind.Refund,
    debitAccountId: usdAccount(account),
    creditAccountId: usdAccount(refund.method === 'bank' ? 'bank' : 'card_provider'),
    amountUnits: usdCents(cents),
  }));
  const from = refund.is_adopted ? ofUser(refund) : athAccount('holds');
  return [...tokens(refund, from, athAccount('issuance')), ...money];
}

/**
 * The transfers after the money came back, and with it the tokens: to the user, or to breakage if the account was closed in the meantime.
 */
export function returnTransfers(
  refund: RefundRow,
  { bookingId, isClosed }: { readonly bookingId: string; readonly isClosed: boolean },
): GroupTransferRequest[] {
  const money = sourcesOf(refund).map(([account, cents], index) => ({
    key: bookingId,
    line: index,
    kind: TransferKind.Refund,
    debitAccountId: usdAccount('card_provider'),
    creditAccountId: usdAccount(account),
    amountUnits: usdCents(cents),
  }));
  const to = isClosed ? athAccount('breakage') : ofUser(refund);
  return [...tokens(refund, athAccount('issuance'), to), ...money];
}
