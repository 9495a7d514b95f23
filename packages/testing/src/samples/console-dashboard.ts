/** Figures of a successful programme, as the API returns them to the console. */
import type { ConsoleAnswerOf } from '@athos/contract/console/calls';
import type { Handlers } from '../fake-api.ts';

type Dashboard = ConsoleAnswerOf<'dashboard'>;
type DashboardMoney = ConsoleAnswerOf<'dashboardMoney'>;

const DAY_MS = 24 * 60 * 60_000;
const DAYS = 30;
const MICRO = 1_000_000;

const dayAgo = (days: number): string =>
  new Date(Date.now() - days * DAY_MS).toISOString().slice(0, 10);
const range = (daysAgo: number) => ({ from: dayAgo(daysAgo + DAYS - 1), to: dayAgo(daysAgo) });
const daysOf = (daysAgo: number): string[] =>
  Array.from({ length: DAYS }, (_, index) => dayAgo(daysAgo + DAYS - 1 - index));

/** A deterministic wave with a weekly rhythm. */
const wave = (index: number, size: number): number =>
  Math.round(size * (1 + 0.35 * Math.sin((index / 7) * 2 * Math.PI) + 0.2 * Math.cos(index * 1.7)));
/** The previous period had less of everything, in another order. */
const grown = (size: number, daysAgo: number): number => (daysAgo > 0 ? size * 0.8 : size);
const units = (index: number, size: number): string => String(wave(index, size) * MICRO);

/** Evenings are busiest. */
const evening = (size: number): number[] =>
  Array.from({ length: 24 }, (_, hour) =>
    hour < 10 ? 0 : Math.round(size * Math.exp(-((hour - 20) ** 2) / 9)),
  );

const VENUES = ['Harbour Hall', 'Garden Terrace', 'Circuit Lounge', 'Old Observatory'];
const SALES = [
  ['**Balcony** for two, opening night', 'Concerts', 412],
  ['Signature Negroni', 'Drinks', 388],
  ['Hot lap in the GT', 'Supercars', 143],
  ['Backstage with the band', 'Concerts', 96],
  ['Tasting flight of six', 'Drinks', 84],
  ['Paddock day pass', 'Supercars', 51],
] as const;

const today = (): Dashboard['today'] => ({
  day: dayAgo(0),
  compared_day: dayAgo(7),
  hour: 15,
  figures: (
    [
      ['verified', 9],
      ['sold', 31],
      ['redeemed', 24],
      ['card_paid', 12],
    ] as const
  ).map(([name, size]) => ({
    name,
    hours: evening(size).map((count, hour) => (hour > 15 ? 0 : count + (hour > 8 ? 1 : 0))),
    hours_before: evening(size),
  })),
});

const cardDays = (daysAgo: number) =>
  daysOf(daysAgo).map((day, index) => ({
    day,
    paid: wave(index + daysAgo / 10, grown(28, daysAgo)),
    failed: Math.max(0, wave(index + 3, 3)),
  }));

export const dashboard = (): Dashboard => ({
  range: range(0),
  compared: range(DAYS),
  counted_until: new Date(Date.now() - 30_000).toISOString(),
  today: today(),
  funnel: [
    { step: 'signed_up', count: 412, before: 371 },
    { step: 'verified', count: 344, before: 318 },
    { step: 'first_top_up', count: 206, before: 214 },
    { step: 'first_purchase', count: 171, before: 150 },
    { step: 'first_redemption', count: 118, before: 96 },
  ],
  cards: { days: cardDays(0), days_before: cardDays(DAYS) },
  declines: [
    { reason: 'insufficient_funds', count: 38, before: 41 },
    { reason: 'generic_decline', count: 22, before: 17 },
    { reason: 'lost_card', count: 4, before: 0 },
    { reason: 'unknown', count: 3, before: 5 },
  ],
  sales: SALES.map(([title, category, count], index) => ({
    offer_id: index + 1,
    title,
    category_id: category.length,
    category,
    amount: String(count * 24 * MICRO),
    count,
    before: Math.round(count * 0.9),
  })),
  venues: VENUES.map((name, index) => ({
    id: index + 1,
    name,
    hours: evening(64 / (index + 1)),
  })),
});

const flowDays = (daysAgo: number) =>
  daysOf(daysAgo).map((day, index) => ({
    day,
    issued: units(index, grown(2_100, daysAgo)),
    bought: units(index, grown(1_450, daysAgo)),
    rewarded: units(index + 2, grown(380, daysAgo)),
    spent: units(index + 1, grown(1_220, daysAgo)),
    forfeited: units(index, grown(4, daysAgo)),
  }));

const lossDays = (daysAgo: number) =>
  daysOf(daysAgo).map((day, index) => ({
    day,
    refunds: (index + daysAgo / 10) % 5 === 2 ? 2 : 0,
    refunded_cents: (index + daysAgo / 10) % 5 === 2 ? 4_210 : 0,
    disputes: index % 11 === 6 && daysAgo === 0 ? 1 : 0,
    payments: wave(index, grown(28, daysAgo)),
  }));

export const dashboardMoney = (): DashboardMoney => ({
  range: range(0),
  compared: range(DAYS),
  counted_until: new Date(Date.now() - 30_000).toISOString(),
  outstanding: {
    units: '184203112500',
    cents: 3_100_138,
    held: '431500000',
    breakage: '1204000000',
    dormant: { days: 180, day: dayAgo(0), accounts: 61, units: '9120500000' },
    by_day: daysOf(0).map((day, index) => ({
      day,
      units: String((176_000 + index * 280 + wave(index, 220)) * MICRO),
      cents: 2_900_000 + index * 6_900,
    })),
  },
  flows: { days: flowDays(0), days_before: flowDays(DAYS) },
  card_losses: { days: lossDays(0), days_before: lossDays(DAYS) },
  campaigns: [
    {
      id: 3,
      title: 'Opening night',
      budget: '5000000000',
      cost: '3120000000',
      cost_in_range: '410000000',
    },
    {
      id: 5,
      title: 'Bring a friend',
      budget: '2000000000',
      cost: '480000000',
      cost_in_range: '240000000',
    },
    {
      id: 4,
      title: 'Summer circuit',
      budget: '1500000000',
      cost: '1500000000',
      cost_in_range: '90000000',
    },
  ],
});

export const waiting = (): ConsoleAnswerOf<'waiting'> => ({
  items: [
    { kind: 'approvals', count: 3, is_at_least: false, due_at: null },
    {
      kind: 'disputes',
      count: 2,
      is_at_least: false,
      due_at: new Date(Date.now() + 3 * DAY_MS).toISOString(),
    },
    { kind: 'unmatched_money', count: 2, is_at_least: false, due_at: null },
    { kind: 'low_stock', count: 4, is_at_least: false, due_at: null },
  ],
});

/** A programme before its first day. */
export const emptyDashboard = (): Dashboard => ({
  ...dashboard(),
  counted_until: null,
  funnel: dashboard().funnel.map(({ step }) => ({ step, count: 0, before: 0 })),
  cards: {
    days: daysOf(0).map((day) => ({ day, paid: 0, failed: 0 })),
    days_before: [],
  },
  declines: [],
  sales: [],
  venues: [],
});

export const dashboardAnswers = { dashboard, dashboardMoney, waiting } satisfies Handlers;
