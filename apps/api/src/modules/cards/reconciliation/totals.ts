/** The three totals of a day, which must agree: the provider's balance, the sum of its transactions, and our bookings. */
import { usdCents, type UsdCents } from '@athos/domain/money';
import { systemAccountId } from '../../../ledger/index.ts';
import { dateOf } from '../../../platform/clock.ts';
import { invariant } from '../../../platform/errors.ts';
import type { DisputeDeps } from '../disputes/debts.ts';
import {
  selectLateBookings,
  selectLateTransactions,
  selectTotals,
  upsertDay,
} from './reconciliation.sql.ts';
import { listTransactions } from './transactions.ts';

const HOUR_MS = 60 * 60_000;
/** After this time, a transaction without a booking, or a booking without a transaction, must be handled by a person. */
export const MATCH_WITHIN_MS = HOUR_MS;
/** The maximum number of readings. A payment between them makes the totals differ, so they are read again. */
const ATTEMPT_COUNT_MAX = 3;

interface Compared {
  readonly providerUsdCents: UsdCents;
  readonly netsUsdCents: UsdCents;
  readonly clearingUsdCents: UsdCents;
  readonly inFlightUsdCents: UsdCents;
}

async function readTotals(deps: DisputeDeps): Promise<Compared> {
  const providerUsdCents = await deps.cardProvider.retrieveBalance();
  await listTransactions(deps);
  const account = systemAccountId('card_provider', 'USD');
  const balance = (await deps.ledger.balances([account])).get(account);
  invariant(balance !== undefined, 'the account of the provider exists');
  const clearingUsdCents = usdCents(0n - balance);
  return { providerUsdCents, clearingUsdCents, ...(await selectTotals(deps.db)) };
}

/** Whether the totals differ by more than the bookings and transactions that still wait for each other. */
const differs = ({
  providerUsdCents,
  netsUsdCents,
  clearingUsdCents,
  inFlightUsdCents,
}: Compared) =>
  providerUsdCents !== netsUsdCents || clearingUsdCents !== netsUsdCents - inFlightUsdCents;

/** The daily job. A difference, or money that has been unmatched for too long, raises an alarm but stops nothing. */
export async function reconcileDay(deps: DisputeDeps): Promise<void> {
  const { db, clock, log } = deps;
  let totals = await readTotals(deps);
  for (let attempt = 1; attempt < ATTEMPT_COUNT_MAX && differs(totals); attempt += 1) {
    totals = await readTotals(deps);
  }
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
