/**
 * Compares the provider's payments with our credits, in both directions, for as long as a payment can be disputed: every payment
 * must be credited, and every credit must be paid and neither refunded nor disputed. A round goes back in time, a few requests per
 * run, and the next run continues it, so that no number of payments exceeds the limits of the provider.
 */
import { setTimeout as pause } from 'node:timers/promises';
import { usdCents, type UsdCents } from '@athos/domain/money';
import { dateOf } from '../../../platform/clock.ts';
import type { CardIntent } from '../provider/card-provider.ts';
import { PAGE_SIZE } from '../provider/connection.ts';
import {
  selectComparison,
  selectCreditedBesides,
  selectCreditedByIntents,
  updateDifference,
  upsertComparison,
  type Reach,
} from './compare-books.sql.ts';
import type { OrderRow } from '../orders/orders.sql.ts';
import type { DisputeDeps } from '../disputes/debts.ts';
import { hasDispute } from '../disputes/disputes.sql.ts';
import { refreshDisputesOf } from '../disputes/refresh-disputes.ts';
import { refreshRefundsOf } from '../refunds/refresh-refunds.ts';
import { selectRefundedCents } from '../refunds/refunds.sql.ts';
import type { SettleDeps } from '../orders/settle-deps.ts';
import { settle } from '../orders/settle.ts';

const DAY_MS = 24 * 60 * 60_000;
/** The age of the payments that each round covers. Recent payments have a round of their own, which never waits for the long one. */
const REACHES: Readonly<Record<Reach, { newestMs: number; oldestMs: number }>> = {
  recent: { newestMs: 0, oldestMs: 2 * DAY_MS },
  /** Cardholders have 120 days to dispute a payment, and networks allow some reasons up to 180 days later. */
  disputable: { newestMs: 2 * DAY_MS, oldestMs: 180 * DAY_MS },
};
/** One round a day, with an hour to spare so that the next one does not begin later every day. */
const ROUND_EVERY_MS = DAY_MS - 60 * 60_000;
/** A failure raises an alarm if no round has begun for this long: an outage of the provider delays a round by hours. */
const ROUND_LATE_MS = 2 * DAY_MS;
/** Requests to the provider per run and round: 4,000 payments. Six runs an hour reach half a million a day. */
const REQUESTS_MAX = 40;
/** At most 7 requests a second: the provider allows 25 for the whole account, and status polls may take 15. */
const REQUEST_PAUSE_MS = 150;
/** The maximum duration of a run. The job is due again after ten minutes. */
const RUN_MS_MAX = 4 * 60_000;

/** The number of requests that a run may still make to the provider. */
interface Budget {
  take(): Promise<boolean>;
}

function createBudget(): Budget {
  const endsAt = performance.now() + RUN_MS_MAX;
  let requestCount = 0;
  return {
    async take() {
      if (requestCount === REQUESTS_MAX || performance.now() > endsAt) return false;
      if (requestCount > 0) await pause(REQUEST_PAUSE_MS);
      requestCount += 1;
      return true;
    },
  };
}

/** The difference between a credited order and the provider's current data. */
function differenceOf(
  order: OrderRow,
  intent: CardIntent,
  known: { readonly refundedUsdCents: UsdCents; readonly isDisputeKnown: boolean },
): string | null {
  if (intent.status !== 'succeeded') return `credited, but the intent is ${intent.status}`;
  if (intent.amountReceivedUsdCents !== order.total_usd_cents) {
    return `credited for ${order.total_usd_cents} cents, received ${intent.amountReceivedUsdCents}`;
  }
  if (!known.isDisputeKnown) return 'credited, but disputed at the provider';
  const theirs = intent.charge?.refundedUsdCents ?? 0n;
  return theirs === known.refundedUsdCents
    ? null
    : `refunded ${known.refundedUsdCents} cents, and ${theirs} at the provider`;
}

/** The refunded amount that we know of. Refunds without an event are looked up first. */
async function refundedOf(
  deps: SettleDeps,
  order: OrderRow,
  { intentId, charge }: CardIntent,
): Promise<UsdCents> {
  const theirs = charge?.refundedUsdCents ?? usdCents(0n);
  if (theirs === 0n && order.returned_micro_ath === 0n) return theirs;
  const ours = await selectRefundedCents(deps.db, order.id);
  if (ours === theirs) return ours;
  await refreshRefundsOf(deps, intentId);
  return selectRefundedCents(deps.db, order.id);
}

/** Looks up disputes without an event. Returns whether we know about the existing dispute. */
async function findDisputes(
  deps: DisputeDeps,
  order: OrderRow,
  { intentId, charge }: CardIntent,
): Promise<boolean> {
  if (charge?.isDisputed !== true || (await hasDispute(deps.db, order.id))) return true;
  await refreshDisputesOf(deps, intentId);
  return hasDispute(deps.db, order.id);
}

/** Raises an alarm for a difference once, until the difference changes. */
async function compareCredit(
  deps: DisputeDeps,
  order: OrderRow,
  intent: CardIntent,
): Promise<void> {
  const { db, log } = deps;
  const isDisputeKnown = await findDisputes(deps, order, intent);
  const refundedUsdCents = await refundedOf(deps, order, intent);
  const difference = differenceOf(order, intent, { refundedUsdCents, isDisputeKnown });
  if (difference === order.difference) return;
  if (difference !== null) {
    log.error(
      { alarm: 'payment_difference', orderId: order.id, reason: difference },
      'the books differ',
    );
  }
  await updateDifference(db, order.id, difference);
}

/** If a payment cannot be compared, an alarm is raised and the others are still compared. The next round tries it again. */
async function withAlarm(
  { log }: SettleDeps,
  what: { readonly intentId: string | null; readonly orderId?: string },
  work: () => Promise<void>,
): Promise<void> {
  try {
    await work();
  } catch (error) {
    log.error(
      { alarm: 'payment_not_compared', ...what, err: error },
      'a payment could not be compared',
    );
  }
}

async function comparePage(deps: DisputeDeps, page: readonly CardIntent[]): Promise<void> {
  if (page.length === 0) return;
  const lookedAt = dateOf(deps.clock);
  const credited = await selectCreditedByIntents(
    deps.db,
    page.map(({ intentId }) => intentId),
  );
  const orders = new Map(credited.map((order) => [order.intent_id, order]));
  for (const intent of page) {
    await withAlarm(deps, { intentId: intent.intentId }, async () => {
      const order = orders.get(intent.intentId);
      await settle(deps, intent, lookedAt);
      if (order !== undefined) await compareCredit(deps, order, intent);
    });
  }
}

interface Slice {
  readonly from: Date;
  readonly to: Date;
  /** The intents that the provider listed within the slice and next to it. */
  readonly intentIds: readonly string[];
}

/**
 * Compares credits whose payment was not listed next to them. Returns the time at which the budget ended; `undefined` if it was
 * sufficient.
 */
async function compareUnlisted(
  deps: DisputeDeps,
  budget: Budget,
  { from, to, intentIds }: Slice,
): Promise<Date | undefined> {
  const orders = await selectCreditedBesides(deps.db, {
    from,
    to,
    intentIds,
    limit: REQUESTS_MAX + 1,
  });
  for (const order of orders) {
    const { id: orderId, intent_id: intentId } = order;
    if (!(await budget.take())) return new Date(order.created_at.getTime() + 1);
    await withAlarm(deps, { orderId, intentId }, async () => {
      await compareCredit(deps, order, await deps.cardProvider.retrieveIntent(intentId ?? ''));
    });
  }
  return undefined;
}

interface Round {
  readonly beganAt: Date;
  readonly from: Date;
  /** Everything created since then has been compared. */
  readonly to: Date;
}

/** The round to continue, or a new one if it is time. */
async function findRound({ db, clock }: SettleDeps, reach: Reach): Promise<Round | undefined> {
  const now = dateOf(clock);
  const ago = (ms: number): Date => new Date(now.getTime() - ms);
  const { newestMs, oldestMs } = REACHES[reach];
  const last = await selectComparison(db, reach);
  if (last !== undefined && last.position !== null) {
    return { beganAt: last.began_at, from: ago(oldestMs), to: last.position };
  }
  if (last !== undefined && last.began_at > ago(ROUND_EVERY_MS)) return undefined;
  return { beganAt: now, from: ago(oldestMs), to: ago(newestMs) };
}

async function nextPage(intents: AsyncIterator<CardIntent>): Promise<CardIntent[]> {
  const page: CardIntent[] = [];
  while (page.length < PAGE_SIZE) {
    const { done, value } = await intents.next();
    if (done === true) break;
    page.push(value);
  }
  return page;
}

/** Continues the round of `reach` until it is finished or the budget is used up. */
async function continueRound(deps: DisputeDeps, reach: Reach): Promise<void> {
  const round = await findRound(deps, reach);
  if (round === undefined) return;
  const { beganAt, from } = round;
  const save = (position: Date | null) =>
    upsertComparison(deps.db, { reach, began_at: beganAt, position });
  const budget = createBudget();
  const intents = deps.cardProvider.listIntents(round)[Symbol.asyncIterator]();
  let { to } = round;
  let listed: string[] = [];
  while (to > from) {
    if (!(await budget.take())) return;
    const page = await nextPage(intents);
    await comparePage(deps, page);
    // An order is a moment older than its intent, which may have been on the previous page.
    const intentIds = [...listed, ...page.map(({ intentId }) => intentId)];
    const oldest = page.length < PAGE_SIZE ? from : (page.at(-1)?.createdAt ?? from);
    const stoppedAt = await compareUnlisted(deps, budget, { from: oldest, to, intentIds });
    to = stoppedAt ?? oldest;
    await save(to);
    if (stoppedAt !== undefined) return;
    listed = page.map(({ intentId }) => intentId);
  }
  await save(null);
}

/** The next run continues a failed round. If failures continue, no differences are found any more, so an alarm is raised. */
async function continueOrReport(deps: DisputeDeps, reach: Reach): Promise<void> {
  try {
    await continueRound(deps, reach);
  } catch (error) {
    const last = await selectComparison(deps.db, reach);
    const isLate = deps.clock.nowMs() - (last?.began_at.getTime() ?? 0) > ROUND_LATE_MS;
    if (isLate) {
      deps.log.error(
        { alarm: 'payment_comparison_late', reach, err: error },
        'payments are no longer compared',
      );
    } else deps.log.warn({ reach, err: error }, 'the comparison was interrupted');
  }
}

export async function compareBooks(deps: DisputeDeps): Promise<void> {
  await continueOrReport(deps, 'recent');
  await continueOrReport(deps, 'disputable');
}
