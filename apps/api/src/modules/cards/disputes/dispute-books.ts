/**
 * The books of a dispute as a function of its state. Every change (funds withdrawn, lost, won by appeal, a debt repaid or written
 * off) posts the difference between two states, so the order of events does not matter (docs/cards.md, "Disputes").
 */
import { units } from '@athos/domain/money';
import {
  assetOfAccount,
  systemAccountId,
  type GroupTransferRequest,
  type LedgerAccountId,
  type TransferKind,
} from '../../../ledger/index.ts';
import type { DisputeRow } from './disputes.sql.ts';

/** The part of a dispute's row that decides the books. Transactions of the provider's balance are booked separately. */
export type DisputeFacts = Pick<
  DisputeRow,
  | 'is_lost'
  | 'is_uncredited'
  | 'withdrawn_usd_cents'
  | 'taken_micro_ath'
  | 'written_off_micro_ath'
  | 'recovered_price_usd_cents'
  | 'recovered_product_fee_usd_cents'
  | 'recovered_processing_fee_usd_cents'
>;

type Balance = readonly [LedgerAccountId, bigint];

/** The dispute's balance in each account. The sum over the accounts of an asset is 0. */
function balancesOf(facts: DisputeFacts, holder: LedgerAccountId): readonly Balance[] {
  const { taken_micro_ath: taken, written_off_micro_ath: writtenOff } = facts;
  const {
    recovered_price_usd_cents: price,
    recovered_product_fee_usd_cents: productFee,
    recovered_processing_fee_usd_cents: processingFee,
  } = facts;
  const lost = facts.is_lost ? facts.withdrawn_usd_cents : 0n;
  // A loss of money that was never credited to anybody is covered by that money.
  const borne = facts.is_uncredited ? lost : 0n;
  return [
    [holder, writtenOff - taken],
    [systemAccountId('dispute_hold', 'ATH'), facts.is_lost ? 0n : taken],
    [systemAccountId('issuance', 'ATH'), facts.is_lost ? taken : 0n],
    [systemAccountId('write_off', 'ATH'), -writtenOff],
    [systemAccountId('disputed', 'USD'), lost],
    [systemAccountId('chargeback_loss', 'USD'), price + productFee + processingFee + borne - lost],
    [systemAccountId('token_sales', 'USD'), -price],
    [systemAccountId('programme_fee', 'USD'), -productFee],
    [systemAccountId('processing_fee', 'USD'), -processingFee],
    [systemAccountId('suspense', 'USD'), -borne],
  ];
}

const least = (a: bigint, b: bigint): bigint => (a < b ? a : b);

/**
 * The transfers that change one state of a dispute into another, under one key. `holder` is the account from which the tokens are taken
 * and to which they return.
 */
export function transfersBetween(
  before: DisputeFacts,
  after: DisputeFacts,
  { key, kind, holder }: { key: string; kind: TransferKind; holder: LedgerAccountId },
): GroupTransferRequest[] {
  const beforeBalances = balancesOf(before, holder);
  const changes = balancesOf(after, holder).map(([account, balance], index) => ({
    account,
    asset: assetOfAccount(account),
    change: balance - (beforeBalances[index]?.[1] ?? 0n),
  }));
  const transfers: GroupTransferRequest[] = [];
  for (const payer of changes) {
    for (const payee of changes) {
      const amount = least(-payer.change, payee.change);
      if (amount <= 0n || payer.asset !== payee.asset) continue;
      payer.change += amount;
      payee.change -= amount;
      transfers.push({
        key,
        kind,
        line: transfers.length,
        debitAccountId: payer.account,
        creditAccountId: payee.account,
        amountUnits: units(amount),
      });
    }
  }
  return transfers;
}
