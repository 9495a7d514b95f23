/**
 * Makes the statement of a month: every movement of one account. Checks that opening and closing balance differ by exactly these
 * movements.
 */
import type { Statement, StatementKind, StatementLine } from '@athos/contract/wallet/statements';
import type { HistoryItem } from '@athos/contract/wallet/history';
import { centsNumber, microAth, usdOfTokens, type TokenAsset } from '@athos/domain/money';
import { receiptNumber } from '@athos/domain/receipt';
import {
  TransferKind,
  userAccountId,
  type JournalTransfer,
  type Ledger,
  type LedgerAccountId,
} from '../../ledger/index.ts';
import { dateOf, type Clock } from '../../platform/clock.ts';
import type { Db } from '../../platform/database/database.ts';
import { invariant } from '../../platform/errors.ts';
import type { Log } from '../../platform/log/log.ts';
import type { SealedColumns } from '../../platform/sealed.ts';
import { readNotes, type HistoryIndex } from '../activity/index.ts';
import { selectRatesAt } from '../rate/index.ts';
import { selectDays } from '../receipts/index.ts';
import { rangeOf } from './month.ts';
import { afterOf, changeOf, readMovements } from './read-movements.ts';

export interface StatementDeps {
  readonly db: Db;
  readonly ledger: Ledger;
  readonly clock: Clock;
  readonly log: Log;
  readonly sealed: SealedColumns;
  readonly index: HistoryIndex;
}

export interface StatementOf {
  readonly userId: bigint;
  readonly userUuid: string;
  readonly asset: TokenAsset;
  /** The month, such as `2026-10`. */
  readonly month: string;
  readonly zone: string;
  /** A month with more movements is refused. */
  readonly lineCountMax: number;
}

const KINDS: Readonly<
  Record<number, { readonly paid: StatementKind; readonly received: StatementKind }>
> = {
  [TransferKind.Send]: { paid: 'send', received: 'receive' },
  [TransferKind.SendHeld]: { paid: 'send', received: 'other' },
  [TransferKind.SendPosted]: { paid: 'other', received: 'receive' },
  [TransferKind.SendReturned]: { paid: 'other', received: 'send_returned' },
  [TransferKind.CardCredit]: { paid: 'other', received: 'card' },
  [TransferKind.Purchase]: { paid: 'purchase', received: 'other' },
  [TransferKind.PurchaseRefund]: { paid: 'other', received: 'purchase_refund' },
  [TransferKind.Tip]: { paid: 'tip', received: 'tip' },
  [TransferKind.Reward]: { paid: 'other', received: 'reward' },
  [TransferKind.Goodwill]: { paid: 'correction', received: 'correction' },
  [TransferKind.Adjustment]: { paid: 'correction', received: 'correction' },
  [TransferKind.WriteOff]: { paid: 'correction', received: 'correction' },
  [TransferKind.Refund]: { paid: 'refund', received: 'refund' },
  [TransferKind.Chargeback]: { paid: 'chargeback', received: 'chargeback' },
  [TransferKind.Hold]: { paid: 'held', received: 'released' },
  [TransferKind.Release]: { paid: 'held', received: 'released' },
  [TransferKind.Seed]: { paid: 'opening', received: 'opening' },
  [TransferKind.Forfeit]: { paid: 'closing', received: 'other' },
};

/** Reads the history entries of the movements. Some movements have no entry of their own, such as a send that came back. */
async function readItems(
  { db, index }: StatementDeps,
  userId: bigint,
  transfers: readonly JournalTransfer[],
): Promise<ReadonlyMap<bigint, HistoryItem>> {
  const shown = transfers.filter((transfer) => index.typeOf(transfer, userId) !== undefined);
  const entries = shown.map((transfer) => ({ id: transfer.transferId, transfer }));
  const items = await index.present(db, userId, entries);
  return new Map(items.map((item, at) => [shown[at]?.transferId ?? 0n, item]));
}

/** The counterparty, the title, and the amount charged to a card. */
function factsOf(item: HistoryItem | undefined) {
  const none = { title: '', counterparty: null, card: null };
  switch (item?.type) {
    case undefined:
    case 'Reward':
      return none;
    case 'Send':
      return { ...none, counterparty: item.data.counterparty };
    case 'Receive':
      return { ...none, counterparty: item.data.counterparty, title: item.data.tip_from ?? '' };
    case 'Purchase':
      return { ...none, title: item.data.offer.title };
    case 'Payment': {
      const { amount_paid: paid, tx_fee: fee, athos_fee: ownFee } = item.data;
      return { ...none, card: { paid_cents: paid, fee_cents: fee + ownFee } };
    }
  }
}

const kindOf = (transfer: JournalTransfer, accountId: LedgerAccountId): StatementKind => {
  const kinds = KINDS[transfer.kind] ?? { paid: 'other', received: 'other' };
  return transfer.debitAccountId === accountId ? kinds.paid : kinds.received;
};

function sumsOf(lines: readonly StatementLine[]): Statement['sums'] {
  const sums = new Map<StatementKind, { in: bigint; out: bigint }>();
  for (const { kind, change } of lines) {
    const sum = sums.get(kind) ?? { in: 0n, out: 0n };
    const units = BigInt(change);
    if (units < 0n) sum.out -= units;
    else sum.in += units;
    sums.set(kind, sum);
  }
  return [...sums].map(([kind, sum]) => ({
    kind,
    in: sum.in.toString(),
    out: sum.out.toString(),
  }));
}

/** A day such as `2026-10-31`, in UTC. */
const lastDayBefore = (to: Date): string => new Date(to.getTime() - 1).toISOString().slice(0, 10);

/** Throws `too_many_movements`. Answers only if the lines explain the closing balance. */
export async function makeStatement(
  deps: StatementDeps,
  { userId, userUuid, asset, month, zone, lineCountMax }: StatementOf,
): Promise<Statement> {
  const { db, ledger, clock } = deps;
  const { from, to } = rangeOf(month, zone);
  const accountId = userAccountId(userId, asset);
  const range = { from, to, countMax: lineCountMax };
  const { transfers, openingUnits } = await readMovements(ledger, accountId, range);
  const [items, rates, notes, [head]] = await Promise.all([
    readItems(deps, userId, transfers),
    selectRatesAt(
      db,
      transfers.map(({ at }) => at),
    ),
    readNotes(deps, userId),
    selectDays(db, { limit: 1, untilDay: lastDayBefore(to) }),
  ]);
  const noteOf = new Map(notes.map((note) => [note.movementId, note]));
  const lines = transfers.map((transfer, at): StatementLine => {
    const id = Number(transfer.transferId);
    const change = changeOf(transfer, accountId);
    const rate = rates[at];
    const note = noteOf.get(transfer.transferId);
    return {
      id,
      receipt: receiptNumber(id),
      at: transfer.at.toISOString(),
      kind: kindOf(transfer, accountId),
      ...factsOf(items.get(transfer.transferId)),
      change: change.toString(),
      balance_after: afterOf(transfer, accountId).toString(),
      // Only ATH has a rate.
      usd_cents:
        asset !== 'ATH' || rate === undefined
          ? null
          : centsNumber(usdOfTokens(microAth(transfer.amountUnits), rate)),
      note: note?.note ?? '',
      labels: note?.labels ?? [],
    };
  });
  const newest = transfers.at(-1);
  const closingUnits = newest === undefined ? openingUnits : afterOf(newest, accountId);
  const moved = transfers.reduce((sum, transfer) => sum + changeOf(transfer, accountId), 0n);
  invariant(openingUnits + moved === closingUnits, 'the lines explain the closing balance');
  const cards = lines.flatMap(({ card }) => card ?? []);
  return {
    account: userUuid,
    asset,
    month,
    zone,
    from: from.toISOString(),
    to: to.toISOString(),
    is_running: dateOf(clock) < to,
    opening: openingUnits.toString(),
    closing: closingUnits.toString(),
    sums: sumsOf(lines),
    card_paid_cents: cards.reduce((sum, { paid_cents: cents }) => sum + cents, 0),
    card_fee_cents: cards.reduce((sum, { fee_cents: cents }) => sum + cents, 0),
    lines,
    head: head === undefined ? null : { day: head.day, hash: head.hash.toString('hex') },
  };
}
