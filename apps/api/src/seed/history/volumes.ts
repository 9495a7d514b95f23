/** How much of everything happens in the demo's past, and when. */
import type { Moment } from './calendar.ts';

export interface Volumes {
  readonly people: number;
  readonly orders: number;
  readonly items: number;
  readonly redemptions: number;
  readonly claims: number;
  readonly sends: number;
  readonly tips: number;
  readonly cardRefunds: number;
  readonly purchaseRefunds: number;
}

/** The totals for 90 days; fewer days get a proportional share. */
export const VOLUMES: Volumes = {
  people: 360,
  orders: 850,
  items: 3_200,
  redemptions: 1_700,
  claims: 700,
  sends: 700,
  tips: 280,
  cardRefunds: 20,
  purchaseRefunds: 12,
};

export const shareOf = (volumes: Volumes, share: number): Volumes => ({
  people: Math.round(volumes.people * share),
  orders: Math.round(volumes.orders * share),
  items: Math.round(volumes.items * share),
  redemptions: Math.round(volumes.redemptions * share),
  claims: Math.round(volumes.claims * share),
  sends: Math.round(volumes.sends * share),
  tips: Math.round(volumes.tips * share),
  cardRefunds: Math.round(volumes.cardRefunds * share),
  purchaseRefunds: Math.round(volumes.purchaseRefunds * share),
});

type Curve = (moment: Moment) => number;

/** A bell curve around an hour of the day. */
const around = (hour: number, peak: number, width: number): number =>
  Math.exp(-(((hour - peak) / width) ** 2));

const WEEKDAYS = [1.1, 0.65, 0.7, 0.85, 1.05, 1.5, 1.6] as const;
const weekdayOf = ({ weekday }: Moment): number => WEEKDAYS[weekday] ?? 1;

/** The growth of the programme, fast at first. */
const grown =
  (dayCount: number): Curve =>
  ({ day }) =>
    0.35 + 0.65 * Math.min(1, (day + 1) / (dayCount * 0.55));

export function curves(dayCount: number) {
  const growth = grown(dayCount);
  const busy = (shape: (hour: number) => number): Curve => {
    return (moment) => growth(moment) * weekdayOf(moment) * shape(moment.hour);
  };
  return {
    /** Many people sign up in the first weeks, then a steady few. */
    people: (moment: Moment) =>
      (1 + 4 * Math.exp(-moment.day / (dayCount * 0.14))) *
      (0.3 + around(moment.hour, 19, 4)) *
      weekdayOf(moment),
    orders: busy((hour) => 0.25 + 0.6 * around(hour, 12.5, 1.6) + around(hour, 18.6, 2.2)),
    items: busy((hour) => 0.12 + 0.5 * around(hour, 12.6, 1.4) + around(hour, 19.6, 2)),
    redemptions: busy(
      (hour) => 0.06 + 0.35 * around(hour, 13, 1.2) + 1.4 * around(hour, 20.6, 1.7),
    ),
    claims: busy((hour) => 0.2 + around(hour, 18, 2.6)),
    sends: busy((hour) => 0.35 + 0.8 * around(hour, 21, 3)),
    tips: busy((hour) => 0.05 + around(hour, 21.6, 1.6)),
    cardRefunds: busy(() => 1),
    purchaseRefunds: busy(() => 1),
  } satisfies Partial<Record<keyof Volumes, Curve>>;
}

/**
 * Spreads a total over the moments in proportion to their weights. Each share is whole, and the remainder carries over to later moments.
 */
export function spread(
  total: number,
  moments: readonly Moment[],
  weightOf: Curve,
): readonly number[] {
  const weights = moments.map(weightOf);
  const sum = weights.reduce((left, right) => left + right, 0);
  let due = 0;
  let given = 0;
  return weights.map((weight) => {
    due += (total * weight) / sum;
    const share = Math.round(due) - given;
    given += share;
    return share;
  });
}
