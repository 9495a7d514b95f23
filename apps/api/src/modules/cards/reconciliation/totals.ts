/** The three totals of a day, which must agree: the provider's balance, the sum of its transactions, and our bookings. */
import { usdCents, type UsdCents } from '@athos/domain/money';
import { selectAccountsById, systemAccountId } from '../../../ledger/index.ts';
import { dateOf } from '../../../platform/clock.ts';
import type { Tx } from '../../../platform/database/database.ts';
import { invariant } from '../../../platform/errors.ts';
import type { DisputeDeps } from '../disputes/debts.ts';
import type { CardTransaction } from '../provider/card-money.ts';
import { selectLateBookings, selectLateTransactions } from './reconciliation.sql.ts';
import {
  selectInFlight,
  selectListedSum,
  selectNextListing,
  selectStored,
  sumListed,
  upsertDay,
  type ListedSum,
} from './totals.sql.ts';
import { listTransactions } from './transactions.ts';

const HOUR_MS = 60 * 60_000;
const DAY_MS = 24 * HOUR_MS;
/** After this time, a transaction without a booking, or a booking without a transaction, must be handled by a person. */
export const MATCH_WITHIN_MS = HOUR_MS;
/** Far longer than the transaction that stores a listing may take, so what was listed before is complete. */
const SUM_AFTER_MS = HOUR_MS;
/** What one statement sums takes a fraction of a statement's deadline. */
const SUM_SLICE_MS = DAY_MS;
/** The difference that is allowed between the provider's clock and ours. */
const CLOCKS_APART_MS = 10_000;
/** The maximum number of readings: two processes may store transactions in another order than the provider's. */
const ATTEMPT_COUNT_MAX = 3;

interface Compared {
  readonly providerUsdCents: UsdCents;
  readonly netsUsdCents: UsdCents;
  readonly clearingUsdCents: UsdCents;
  readonly inFlightUsdCents: UsdCents;
}

/** Continues the sum up to an hour ago, slice by slice. */
async function continueSum(
  { db, clock }: DisputeDeps,
  known: ListedSum | undefined,
): Promise<ListedSum> {
  const end = new Date(clock.nowMs() - SUM_AFTER_MS);
  let sum = known?.usdCents ?? 0n;
  let until = known?.until;
  for (;;) {
    const from = await selectNextListing(db, until);
    if (from === undefined || from >= end) break;
    until = new Date(Math.min(from.getTime() + SUM_SLICE_MS, end.getTime()));
    sum += await sumListed(db, { from, to: until });
  }
  return { until: until ?? end, usdCents: sum };
}

/** The provider's newest transactions, newest first: those that its balance may lack. */
async function listNewest({ cardProvider }: DisputeDeps, askedAt: Date) {
  const from = new Date(askedAt.getTime() - CLOCKS_APART_MS);
  const to = new Date(askedAt.getTime() + HOUR_MS);
  const newest: CardTransaction[] = [];
  for await (const transaction of cardProvider.listTransactions({ from, to })) {
    if (transaction.currency === 'usd') newest.push(transaction);
  }
  return newest;
}

/** Our totals, from one snapshot, and which of the newest transactions they contain. */
const readOurs = (
  { db }: DisputeDeps,
  sum: ListedSum,
  newest: readonly CardTransaction[],
): Promise<Omit<Compared, 'providerUsdCents'> & { stored: ReadonlySet<string> }> =>
  db
    .transaction()
    .setIsolationLevel('repeatable read')
    .setAccessMode('read only')
    .execute(async (tx: Tx) => {
      const account = systemAccountId('card_provider', 'USD');
      const balance = (await selectAccountsById(tx, [account])).get(account)?.balanceUnits;
      invariant(balance !== undefined, 'the account of the provider exists');
      return {
        netsUsdCents: usdCents(sum.usdCents + (await sumListed(tx, { from: sum.until }))),
        clearingUsdCents: usdCents(0n - balance),
        inFlightUsdCents: await selectInFlight(tx),
        stored: await selectStored(
          tx,
          newest.map(({ transactionId }) => transactionId),
        ),
      };
    });

interface Told {
  readonly balanceUsdCents: UsdCents;
  readonly askedAt: Date;
  readonly answeredAt: Date;
}

async function askBalance({ cardProvider, clock }: DisputeDeps): Promise<Told> {
  const askedAt = dateOf(clock);
  const balanceUsdCents = await cardProvider.retrieveBalance();
  return { balanceUsdCents, askedAt, answeredAt: dateOf(clock) };
}

const sumOf = (transactions: readonly CardTransaction[]): bigint =>
  transactions.reduce((sum, { netUsdCents }) => sum + netUsdCents, 0n);

/**
 * The balance after the newest transactions. It was told while payments went on, so it lacks all those made after the answer. Of those made
 * meanwhile, or so shortly before or after that the clocks cannot tell, it lacks as many as make it agree with `nets`, or none if no number
 * of them does. No others are left to chance: with many payments of the same price, their number could hide a missing one.
 */
function balanceWithNewest(
  { balanceUsdCents: told, answeredAt }: Told,
  nets: UsdCents,
  newest: readonly CardTransaction[],
): UsdCents {
  const madeAfterMs = answeredAt.getTime() + CLOCKS_APART_MS;
  const isMadeAfter = ({ createdAt }: CardTransaction) => createdAt.getTime() > madeAfterMs;
  const least = usdCents(told + sumOf(newest.filter(isMadeAfter)));
  let balance = least;
  for (const transaction of newest) {
    if (balance === nets) break;
    if (!isMadeAfter(transaction)) balance = usdCents(balance + transaction.netUsdCents);
  }
  return balance === nets ? balance : least;
}

async function readTotals(deps: DisputeDeps, sum: ListedSum): Promise<Compared> {
  const told = await askBalance(deps);
  if (!(await listTransactions(deps))) {
    throw new Error('the list of transactions is long and was not read to its end yet');
  }
  const newest = await listNewest(deps, told.askedAt);
  const { stored, ...ours } = await readOurs(deps, sum, newest);
  const listed = newest.filter(({ transactionId }) => stored.has(transactionId));
  return { providerUsdCents: balanceWithNewest(told, ours.netsUsdCents, listed), ...ours };
}

/** Whether the totals differ by more than the bookings and transactions that still wait for each other. */
const differs = ({
  providerUsdCents,
  netsUsdCents,
  clearingUsdCents,
  inFlightUsdCents,
}: Compared) =>
  providerUsdCents !== netsUsdCents || clearingUsdCents !== netsUsdCents - inFlightUsdCents;

/**
 * Reads the totals until they agree. The sum of the days before is kept. Before an alarm it is made again from the beginning, so that no wrong
 * sum is kept, whether a clock or a hand has made it wrong.
 */
async function compareTotals(deps: DisputeDeps): Promise<{ totals: Compared; sum: ListedSum }> {
  let sum = await continueSum(deps, await selectListedSum(deps.db));
  let totals = await readTotals(deps, sum);
  for (let attempt = 1; attempt < ATTEMPT_COUNT_MAX && differs(totals); attempt += 1) {
    if (attempt === ATTEMPT_COUNT_MAX - 1) sum = await continueSum(deps, undefined);
    totals = await readTotals(deps, sum);
  }
  return { totals, sum };
}

/** The daily job. A difference, or money that has been unmatched for too long, raises an alarm but stops nothing. */
export async function reconcileDay(deps: DisputeDeps): Promise<void> {
  const { db, clock, log } = deps;
  const { totals, sum } = await compareTotals(deps);
  const now = dateOf(clock);
  const late = new Date(now.getTime() - MATCH_WITHIN_MS);
  const [transactions, bookings] = await Promise.all([
    selectLateTransactions(db, late, 1),
    selectLateBookings(db, late, 1),
  ]);
  const isDifferent = differs(totals);
  const hasUnmatched = transactions.length + bookings.length > 0;
  await upsertDay(db, {
    day: now.toISOString().slice(0, 10),
    provider_usd_cents: totals.providerUsdCents,
    nets_usd_cents: totals.netsUsdCents,
    clearing_usd_cents: totals.clearingUsdCents,
    in_flight_usd_cents: totals.inFlightUsdCents,
    is_agreed: !isDifferent && !hasUnmatched,
    checked_at: now,
    summed_until: sum.until,
    summed_usd_cents: sum.usdCents,
  });
  if (isDifferent) {
    const facts = Object.fromEntries(
      Object.entries(totals).map(([name, cents]) => [name, String(cents)]),
    );
    log.error({ alarm: 'card_money_differs', ...facts }, 'the totals of card money differ');
  }
  if (hasUnmatched) {
    log.error(
      {
        alarm: 'card_money_unmatched',
        transactionId: transactions[0]?.id,
        bookingId: bookings[0]?.id,
      },
      'card money waits for a person',
    );
  }
}
