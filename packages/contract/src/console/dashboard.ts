/** The dashboard: figures of a range of days, and open tasks. Amounts are raw units, money is in cents. */
import { z } from 'zod';
import { centsNumber, timeText, unitsText } from '../values.ts';
import type { ConsoleCalls } from './console-call.ts';

/** A quarter. Longer ranges need an export. */
export const DASHBOARD_DAYS_MAX = 92;
const DAY_MS = 24 * 60 * 60_000;

/** `previous`: the days just before the range; `weekdays`: the same number of days on the same weekdays before it. */
export const COMPARISONS = ['previous', 'weekdays', 'none'] as const;
export type Comparison = (typeof COMPARISONS)[number];

export const daysBetween = (from: string, to: string): number =>
  Math.round((Date.parse(to) - Date.parse(from)) / DAY_MS) + 1;

const rangeQuery = z
  .object({
    /** In the programme's time zone. */
    from: z.iso.date(),
    /** Inclusive. */
    to: z.iso.date(),
    compare: z.enum(COMPARISONS).default('previous'),
  })
  .refine(
    ({ from, to }) => {
      const count = daysBetween(from, to);
      return count >= 1 && count <= DASHBOARD_DAYS_MAX;
    },
    { message: `must be 1 to ${DASHBOARD_DAYS_MAX} days`, path: ['to'] },
  );

/** Kinds of open tasks, in display order. */
export const WAITING_KINDS = [
  'approvals',
  'payments_in_review',
  'disputes',
  'unmatched_money',
  'failed_jobs',
  'stale_rate',
  'low_stock',
] as const;
export type WaitingKind = (typeof WAITING_KINDS)[number];

/** The steps of the customer funnel: each is counted when it happens. */
export const FUNNEL_STEPS = [
  'signed_up',
  'verified',
  'first_top_up',
  'first_purchase',
  'first_redemption',
] as const;
export type FunnelStep = (typeof FUNNEL_STEPS)[number];

export const TODAY_FIGURES = ['verified', 'sold', 'redeemed', 'card_paid'] as const;
export type TodayFigure = (typeof TODAY_FIGURES)[number];

const range = z.object({ from: z.iso.date(), to: z.iso.date() });
/** Counts per hour of a day, from 0 to 23. */
const hours = z.array(z.int()).length(24);
const cardDay = z.object({ day: z.iso.date(), paid: z.int(), failed: z.int() });
const counted = { count: z.int(), before: z.int().nullable() };

const dashboard = z
  .object({
    range,
    /** `null` without a comparison; then every `before` is `null` too. */
    compared: range.nullable(),
    /** Later events are not counted yet; `null` before the first count. */
    counted_until: timeText.nullable(),
    today: z.object({
      day: z.iso.date(),
      /** The same weekday of last week. */
      compared_day: z.iso.date(),
      /** The current hour. */
      hour: z.int(),
      figures: z.array(z.object({ name: z.enum(TODAY_FIGURES), hours, hours_before: hours })),
    }),
    funnel: z.array(z.object({ step: z.enum(FUNNEL_STEPS), ...counted })),
    cards: z.object({ days: z.array(cardDay), days_before: z.array(cardDay) }),
    /** Reasons for declined cards, most frequent first, by the bank's code or the provider's. */
    declines: z.array(z.object({ reason: z.string(), ...counted })),
    /** Items sold, most frequent first. `amount` is `null` without the permission reports.money. */
    sales: z.array(
      z.object({
        offer_id: z.int(),
        title: z.string(),
        category_id: z.int(),
        category: z.string(),
        amount: unitsText.nullable(),
        ...counted,
      }),
    ),
    /** Redemptions, limited to their venues for staff who are bound to some. */
    venues: z.array(z.object({ id: z.int(), name: z.string(), hours })),
  })
  .meta({ id: 'Dashboard' });

const flowDay = z.object({
  day: z.iso.date(),
  issued: unitsText,
  bought: unitsText,
  rewarded: unitsText,
  spent: unitsText,
  forfeited: unitsText,
});

const moneyDay = z.object({
  day: z.iso.date(),
  refunds: z.int(),
  refunded_cents: centsNumber,
  disputes: z.int(),
  payments: z.int(),
});

const dashboardMoney = z
  .object({
    range,
    compared: range.nullable(),
    counted_until: timeText.nullable(),
    outstanding: z.object({
      /** Exact: the negated sum of the programme's own accounts in ATH. */
      units: unitsText,
      /** At the current rate; `null` before the first rate. */
      cents: centsNumber.nullable(),
      /** Customers' value held for requests and disputes, which `units` does not include. */
      held: unitsText,
      /** The balances of deleted accounts, since the beginning. */
      breakage: unitsText,
      /** Balances without a movement for `days`, as of last night; `null` before the first count. */
      dormant: z
        .object({ days: z.int(), day: z.iso.date(), accounts: z.int(), units: unitsText })
        .nullable(),
      /** At the end of each day, at the day's rate; `cents` is `null` if there was none. */
      by_day: z.array(
        z.object({ day: z.iso.date(), units: unitsText, cents: centsNumber.nullable() }),
      ),
    }),
    flows: z.object({ days: z.array(flowDay), days_before: z.array(flowDay) }),
    card_losses: z.object({ days: z.array(moneyDay), days_before: z.array(moneyDay) }),
    /** Campaigns with a balance or a payment in the range, the costliest first. */
    campaigns: z.array(
      z.object({
        id: z.int(),
        title: z.string(),
        budget: unitsText,
        cost: unitsText,
        cost_in_range: unitsText,
      }),
    ),
  })
  .meta({ id: 'DashboardMoney' });

export const dashboardCalls = {
  dashboard: {
    method: 'GET',
    path: '/admin/dashboard',
    auth: 'console',
    permission: 'dashboard.read',
    summary: 'How the programme does: figures of a range of days',
    query: rangeQuery,
    answer: dashboard,
  },
  dashboardMoney: {
    method: 'GET',
    path: '/admin/dashboard/money',
    auth: 'console',
    permission: 'reports.money',
    summary: 'What the programme owes, and how its money moved in a range of days',
    query: rangeQuery,
    answer: dashboardMoney,
  },
  waiting: {
    method: 'GET',
    path: '/admin/waiting',
    auth: 'console',
    permission: 'dashboard.read',
    summary: 'What waits for a person, of what the caller may see',
    answer: z.object({
      items: z.array(
        z.object({
          kind: z.enum(WAITING_KINDS),
          count: z.int(),
          is_at_least: z.boolean(),
          /** The earliest due time of them. */
          due_at: timeText.nullable(),
        }),
      ),
    }),
  },
  rebuildReports: {
    method: 'POST',
    path: '/admin/dashboard/rebuild',
    auth: 'console',
    permission: 'jobs.manage',
    audit: { action: 'reports.rebuild', subject: 'reports' },
    summary: 'Count all figures again, in the background',
    answer: z.object({ success: z.literal(true) }),
  },
} as const satisfies ConsoleCalls;
