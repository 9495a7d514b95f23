import type { FastifyInstance } from 'fastify';
import { api } from '@athos/contract/api';
import type { HistoryItem } from '@athos/contract/schemas/history';
import { TOKEN_ASSETS } from '@athos/domain/money';
import {
  BadCursorError,
  assetOfAccount,
  userAccountId,
  userIdOfAccount,
  type JournalTransfer,
  type Ledger,
} from '../../ledger/index.ts';
import type { Db } from '../../platform/database.ts';
import { endpoint, type EndpointDeps } from '../../platform/endpoint.ts';
import { AppError, invariant } from '../../platform/errors.ts';
import { cursorText, NEWEST, parseCursor } from './history-cursor.ts';
import { readHistoryPage, typeOfTransfer, type HistoryEntry } from './history-page.ts';
import { selectPayments, selectUuids, type PaymentRow } from './history.sql.ts';

interface HistoryDeps extends EndpointDeps {
  readonly db: Db;
  readonly ledger: Ledger;
}

function presentPayment(payment: PaymentRow): HistoryItem {
  const { history_id, closed_at, state } = payment;
  invariant(history_id !== null && closed_at !== null, 'a payment of the history is final');
  return {
    type: 'Payment',
    data: {
      id: Number(history_id),
      date: closed_at.toISOString(),
      token_amount: payment.amount_micro_ath.toString(),
      amount_paid: Number(payment.total_usd_cents),
      tx_fee: Number(payment.processing_fee_usd_cents),
      athos_fee: Number(payment.product_fee_usd_cents),
      stripe_status: state === 'credited' ? 1 : 2,
    },
  };
}

const otherUserId = (
  { debitAccountId, creditAccountId }: JournalTransfer,
  userId: bigint,
): bigint | undefined =>
  [debitAccountId, creditAccountId]
    .map(userIdOfAccount)
    .find((id) => id !== undefined && id !== userId);

/** What the entries' rows do not hold themselves, read at once for all of them. */
async function presentEntries(
  db: Db,
  userId: bigint,
  entries: readonly HistoryEntry[],
): Promise<HistoryItem[]> {
  const transfers = entries.flatMap((entry) => ('transfer' in entry ? [entry.transfer] : []));
  const paymentIds = transfers
    .filter((transfer) => typeOfTransfer(transfer, userId) === 'Payment')
    .map(({ transferId }) => transferId);
  const otherIds = transfers.flatMap((transfer) => otherUserId(transfer, userId) ?? []);
  const [payments, uuids] = await Promise.all([
    paymentIds.length === 0 ? [] : selectPayments(db, userId, paymentIds),
    selectUuids(db, [...new Set(otherIds)]),
  ]);
  const paymentOf = new Map(payments.map((payment) => [payment.history_id, payment]));

  const presentTransfer = (transfer: JournalTransfer): HistoryItem => {
    const type = typeOfTransfer(transfer, userId);
    if (type === 'Payment') {
      const payment = paymentOf.get(transfer.transferId);
      invariant(payment !== undefined, 'a card credit has its order');
      return presentPayment(payment);
    }
    invariant(
      type === 'Send' || type === 'Receive' || type === 'Reward',
      'the walk filters by kind',
    );
    const asset = assetOfAccount(transfer.debitAccountId);
    invariant(asset !== 'USD', 'users hold tokens');
    return {
      type,
      data: {
        id: Number(transfer.transferId),
        date: transfer.at.toISOString(),
        amount: transfer.amountUnits.toString(),
        asset,
        counterparty: uuids.get(otherUserId(transfer, userId) ?? 0n) ?? null,
      },
    };
  };
  return entries.map((entry) =>
    'transfer' in entry ? presentTransfer(entry.transfer) : presentPayment(entry.canceled),
  );
}

async function findEntry(
  { db, ledger }: HistoryDeps,
  userId: bigint,
  id: bigint,
): Promise<HistoryEntry | undefined> {
  const transfer = await ledger.transferById(id);
  if (transfer !== undefined) {
    const ownAccounts: bigint[] = TOKEN_ASSETS.map((asset) => userAccountId(userId, asset));
    const isOwn =
      ownAccounts.includes(transfer.debitAccountId) ||
      ownAccounts.includes(transfer.creditAccountId);
    return isOwn && typeOfTransfer(transfer, userId) !== undefined ? { id, transfer } : undefined;
  }
  const [canceled] = await selectPayments(db, userId, [id]);
  return canceled === undefined ? undefined : { id, canceled };
}

export function registerHistoryRoutes(app: FastifyInstance, deps: HistoryDeps): void {
  const { db } = deps;

  endpoint(app, deps, api.allHistory, async ({ user, query, reply }) => {
    const { limit, type, from, to, cursor } = query;
    const filter = {
      userId: user.userId,
      limit,
      type,
      from: from === undefined ? undefined : new Date(from),
      to: to === undefined ? undefined : new Date(to),
    };
    const position = cursor === undefined ? NEWEST : parseCursor(cursor);
    const page = await readHistoryPage(deps, filter, position).catch((error: unknown) => {
      if (error instanceof BadCursorError) throw new AppError('invalid_request', { cause: error });
      throw error;
    });
    reply.header('cache-control', 'no-store');
    return {
      history: await presentEntries(db, user.userId, page.entries),
      next_cursor: page.next === undefined ? null : cursorText(page.next),
    };
  });

  endpoint(app, deps, api.historyItem, async ({ user, params, reply }) => {
    const entry = await findEntry(deps, user.userId, BigInt(params.id));
    const [item] = entry === undefined ? [] : await presentEntries(db, user.userId, [entry]);
    if (item === undefined) throw new AppError('not_found');
    reply.header('cache-control', 'no-store');
    return item;
  });
}
