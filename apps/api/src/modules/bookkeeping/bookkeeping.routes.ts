import type { FastifyInstance } from 'fastify';
import type { z } from 'zod';
import { consoleApi } from '@athos/contract/console/calls';
import { TRANSFER_KIND_NAMES } from '@athos/contract/console/ledger';
import { LIST_COUNT_MAX, type ListCount } from '@athos/contract/console/lists';
import type { Contributions } from '../../capability.ts';
import {
  countJournal,
  readJournal,
  selectAccountsById,
  selectChainHead,
  selectDebts,
  selectProgrammeAccounts,
  selectTransfersByKeys,
  type JournalTransfer,
  type Ledger,
  type LedgerAccountId,
} from '../../ledger/index.ts';
import { consoleEndpoint, type ConsoleDeps } from '../../platform/console/console-endpoint.ts';
import type { ListCursors } from '../../platform/console/list-cursor.ts';
import type { Db, Tx } from '../../platform/database/database.ts';
import { AppError } from '../../platform/errors.ts';
import { presentAccounts, presentTransfers, trialBalance } from './journal.ts';
import { presentSeal } from './seal.ts';
import { countSeals, selectSeals } from './seal.sql.ts';
import { presentVerification, requestVerification } from './verification.ts';
import { selectVerification, selectVerifications } from './verification.sql.ts';

export interface BookkeepingDeps extends ConsoleDeps, Pick<Contributions, 'transferObjects'> {
  readonly ledger: Ledger;
  readonly listCursors: ListCursors;
}

type TransfersQuery = z.output<(typeof consoleApi)['ledgerTransfers']['query']>;
export type TransferFilters = Omit<TransfersQuery, 'limit' | 'cursor'>;

type JournalDeps = Pick<BookkeepingDeps, 'db' | 'ledger' | 'transferObjects'>;

/** A page of the journal, from one of its three sources. */
interface FoundTransfers {
  readonly transfers: readonly JournalTransfer[];
  /** The position of the next page. */
  readonly next: string | undefined;
  readonly lookedUntil?: Date | undefined;
  /** The count that the first page shows. */
  readonly count: () => Promise<ListCount> | ListCount;
}

const dateOfText = (text: string | undefined): Date | undefined =>
  text === undefined ? undefined : new Date(text);
const bigintOfText = (text: string | undefined): bigint | undefined =>
  text === undefined ? undefined : BigInt(text);

const atLeast = (transfers: readonly unknown[], next: string | undefined): ListCount => ({
  value: transfers.length,
  is_at_least: next !== undefined,
});

async function countOf(db: Db | Tx, range: Parameters<typeof countJournal>[1]): Promise<ListCount> {
  const counted = await countJournal(db, range, LIST_COUNT_MAX + 1);
  return { value: Math.min(counted, LIST_COUNT_MAX), is_at_least: counted > LIST_COUNT_MAX };
}

const kindsOf = ({ kind }: TransfersQuery) =>
  kind === undefined ? undefined : [TRANSFER_KIND_NAMES[kind]];

/** An account's own list in the ledger, which is fast even for the busiest account. Amounts are filtered afterwards. */
async function findByAccount(
  { ledger }: JournalDeps,
  query: TransfersQuery,
  position: string | undefined,
): Promise<FoundTransfers> {
  const kinds = kindsOf(query);
  const [from, to] = [dateOfText(query.from), dateOfText(query.to)];
  const { transfers: walked, next } = await ledger.walkHistory({
    accountIds: [BigInt(query.account_id ?? '0') as LedgerAccountId],
    limit: query.limit,
    ...(position !== undefined && { cursor: position }),
    ...(kinds !== undefined && { kinds: { paid: kinds, received: kinds } }),
    ...(from !== undefined && { from }),
    ...(to !== undefined && { to }),
  });
  const [min, max] = [bigintOfText(query.amount_min), bigintOfText(query.amount_max)];
  const transfers = walked.filter(
    ({ amountUnits }) =>
      (min === undefined || amountUnits >= min) && (max === undefined || amountUnits <= max),
  );
  const isShort = transfers.length < query.limit && next !== undefined;
  return {
    transfers,
    next,
    lookedUntil: isShort ? walked.at(-1)?.at : undefined,
    count: () => atLeast(transfers, next),
  };
}

async function findInJournal(
  { db }: JournalDeps,
  query: TransfersQuery,
  position: string | undefined,
): Promise<FoundTransfers> {
  const range = { from: dateOfText(query.from), to: dateOfText(query.to) };
  const amounts = {
    amountMin: bigintOfText(query.amount_min),
    amountMax: bigintOfText(query.amount_max),
  };
  const kinds = kindsOf(query);
  const isFiltered =
    kinds !== undefined || query.amount_min !== undefined || query.amount_max !== undefined;
  const filter = { ...range, ...amounts, kinds, beforeId: bigintOfText(position) };
  const { transfers, nextBeforeId, lookedUntil } = await readJournal(db, filter, query.limit);
  const next = nextBeforeId?.toString();
  return {
    transfers,
    next,
    lookedUntil,
    count: () => (isFiltered ? atLeast(transfers, next) : countOf(db, range)),
  };
}

async function findByKeys({ db }: JournalDeps, keys: readonly string[]): Promise<FoundTransfers> {
  const transfers = await selectTransfersByKeys(db, keys);
  return { transfers, next: undefined, count: () => atLeast(transfers, undefined) };
}

function findTransfers(
  deps: JournalDeps,
  query: TransfersQuery,
  position: string | undefined,
): Promise<FoundTransfers> {
  if (query.key !== undefined) return findByKeys(deps, query.key.split(','));
  return query.account_id === undefined
    ? findInJournal(deps, query, position)
    : findByAccount(deps, query, position);
}

/** The rows of one step of `readTransfers`. An account's list is read in pages of 100 at most. */
const CHUNK_ROWS = { journal: 1_000, account: 100 } as const;

/** Reads every transfer that matches the filters, newest first, in chunks. Transfers posted in the meantime are left out. */
export async function* readTransfers(
  deps: JournalDeps,
  filters: TransferFilters,
): AsyncGenerator<Awaited<ReturnType<typeof presentTransfers>>> {
  const limit = CHUNK_ROWS[filters.account_id === undefined ? 'journal' : 'account'];
  const query = { ...filters, limit };
  let position: string | undefined;
  do {
    const { transfers, next }: FoundTransfers = await findTransfers(deps, query, position);
    yield await presentTransfers(deps, transfers);
    position = next;
  } while (position !== undefined);
}

/** The number of transfers that match the filters, if it is cheap to count them. */
export const countTransfers = async (
  db: Db | Tx,
  { from, to, ...more }: TransferFilters,
): Promise<ListCount> =>
  Object.values(more).every((value) => value === undefined)
    ? countOf(db, { from: dateOfText(from), to: dateOfText(to) })
    : { value: 0, is_at_least: true };

const DAY_MS = 24 * 60 * 60_000;
const VERIFICATIONS_SHOWN = 10;

function registerJournalRoutes(app: FastifyInstance, deps: BookkeepingDeps): void {
  const { ledger, listCursors } = deps;

  consoleEndpoint(app, deps, consoleApi.ledgerTransfers, async ({ query }) => {
    const page = listCursors.readPage('journal', query);
    const found = await findTransfers(deps, query, page.after?.[0]);
    const { transfers, next, lookedUntil } = found;
    const rows = await presentTransfers(deps, transfers);
    const answer = listCursors.answer('journal', query, {
      rows,
      count: page.count ?? (await found.count()),
      next: next === undefined ? undefined : [next],
      present: (row) => row,
    });
    return { ...answer, items: rows, looked_until: lookedUntil?.toISOString() ?? null };
  });

  consoleEndpoint(app, deps, consoleApi.ledgerTransfer, async ({ params: { id } }) => {
    const transfer = await ledger.transferById(BigInt(id));
    const [shown] = transfer === undefined ? [] : await presentTransfers(deps, [transfer]);
    if (shown === undefined) throw new AppError('not_found');
    return shown;
  });

  consoleEndpoint(app, deps, consoleApi.trialBalance, async ({ query: { day } }) => {
    const until = new Date(Date.parse(`${day}T00:00:00Z`) + DAY_MS);
    const assets = await trialBalance(deps, until);
    if (assets === undefined) {
      throw new AppError('overloaded', {
        detail: 'Totals of this day are still being added up. Ask again in some minutes.',
        retryAfterSeconds: 60,
      });
    }
    return { until: until.toISOString(), assets };
  });
}

export function registerBookkeepingRoutes(app: FastifyInstance, deps: BookkeepingDeps): void {
  const { db, listCursors } = deps;
  registerJournalRoutes(app, deps);

  consoleEndpoint(app, deps, consoleApi.ledgerAccounts, async () => {
    const [accounts, debts] = await Promise.all([selectProgrammeAccounts(db), selectDebts(db)]);
    return {
      items: await presentAccounts(db, accounts),
      debts: debts.map(({ asset, count, units }) => ({ asset, count, balance: units.toString() })),
    };
  });

  consoleEndpoint(app, deps, consoleApi.ledgerAccount, async ({ params }) => {
    const id = BigInt(params.id) as LedgerAccountId;
    const account = (await selectAccountsById(db, [id])).get(id);
    const [shown] = account === undefined ? [] : await presentAccounts(db, [account]);
    if (shown === undefined) throw new AppError('not_found');
    return shown;
  });

  consoleEndpoint(app, deps, consoleApi.ledgerChain, async () => {
    const [head, verifications] = await Promise.all([
      selectChainHead(db),
      selectVerifications(db, VERIFICATIONS_SHOWN),
    ]);
    return {
      head: head.hash,
      posted_at: head.postedAt?.toISOString() ?? null,
      verifications: verifications.map(presentVerification),
    };
  });

  consoleEndpoint(app, deps, consoleApi.ledgerSeals, async ({ query }) => {
    const { limit, after, count } = listCursors.readPage('seals', query);
    const [rows, total] = await Promise.all([
      selectSeals(db, { limit, beforeDay: after?.[0] }),
      count ?? countSeals(db),
    ]);
    return listCursors.answer('seals', query, {
      rows,
      count: total,
      positionOf: ({ day }) => [day],
      present: presentSeal,
    });
  });

  consoleEndpoint(app, deps, consoleApi.verifyLedger, async ({ tx, staff, record }) => {
    const id = await requestVerification(deps, tx, { staffId: staff.staffId, from: 'start' });
    await record({ subjectId: id });
    return requireVerification(tx, id);
  });

  consoleEndpoint(app, deps, consoleApi.ledgerVerification, ({ params }) =>
    requireVerification(db, params.id),
  );
}

async function requireVerification(db: Db | Tx, id: string) {
  const row = await selectVerification(db, id);
  if (row === undefined) throw new AppError('not_found');
  return presentVerification(row);
}
