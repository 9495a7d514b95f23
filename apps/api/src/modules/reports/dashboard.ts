/** The part of the dashboard that all staff see: counts, and the sales value for staff who may see money. */
import { FUNNEL_STEPS, TODAY_FIGURES, type Comparison } from '@athos/contract/console/dashboard';
import { may, type SignedInStaff } from '../../platform/console/signed-in-staff.ts';
import { dateOf, type Clock } from '../../platform/clock.ts';
import type { Db } from '../../platform/database/database.ts';
import { selectOfferNames } from '../shop/index.ts';
import { selectVenueIds } from '../staff/index.ts';
import { selectVenuesById } from '../tickets/index.ts';
import {
  selectByDimension,
  selectDays,
  selectHoursOfDay,
  selectVenueHours,
  type DayFigure,
  type Days,
  type DimensionFigure,
  type HourFigure,
  type SeenVenues,
} from './dashboard.sql.ts';
import { addDays, comparedDays, eachDay, localTime } from './days.ts';
import { rememberUntilCount } from './until-count.ts';

export interface DashboardDeps {
  readonly db: Db;
  readonly clock: Clock;
  readonly config: { readonly console: { readonly timeZone: string } };
}

export interface RangeQuery extends Days {
  readonly compare: Comparison;
}

const HOURS = 24;
const CARD_METRICS = ['card_paid', 'card_failed'];
type LocalTime = ReturnType<typeof localTime>;
const COUNTED_METRICS = [...FUNNEL_STEPS, ...CARD_METRICS];

/** Counts are far below the largest whole number that JSON holds exactly. */
export const countNumber = (count: bigint | undefined): number =>
  parseInt((count ?? 0n).toString(), 10);

const sumOf = (figures: readonly DayFigure[], metric: string): number =>
  figures.reduce((sum, row) => (row.metric === metric ? sum + countNumber(row.count) : sum), 0);

/** The count of a metric on a day. */
export const countOn = (figures: readonly DayFigure[]) => {
  const counts = new Map(figures.map((row) => [`${row.metric} ${row.day}`, row.count]));
  return (metric: string, day: string): number => countNumber(counts.get(`${metric} ${day}`));
};

/** Each row with its earlier count. Rows that were counted only before are left out. */
const withBefore = (
  rows: readonly DimensionFigure[],
  before: readonly DimensionFigure[] | undefined,
) => {
  const counts = new Map(before?.map(({ dimension, count }) => [dimension, count]));
  return rows.map(({ dimension, count, units }) => ({
    dimension,
    units,
    count: countNumber(count),
    before: before === undefined ? null : countNumber(counts.get(dimension)),
  }));
};

/** A count for each hour of the day: items for sales, otherwise events. */
function hoursOf(figures: readonly HourFigure[]): number[] {
  const hours = Array.from({ length: HOURS }, () => 0);
  for (const { hour, count } of figures) hours[hour] = (hours[hour] ?? 0) + countNumber(count);
  return hours;
}

async function readToday({ db, config }: DashboardDeps, now: LocalTime, seen: SeenVenues) {
  const { timeZone } = config.console;
  const { day, hour } = now;
  const comparedDay = addDays(day, -7);
  const read = async (of: string) =>
    Map.groupBy(
      await selectHoursOfDay(db, TODAY_FIGURES, { from: of, to: of, timeZone, seen }),
      ({ metric }) => metric,
    );
  const [figures, before] = await Promise.all([read(day), read(comparedDay)]);
  return {
    day,
    compared_day: comparedDay,
    hour,
    figures: TODAY_FIGURES.map((name) => ({
      name,
      hours: hoursOf(figures.get(name) ?? []),
      hours_before: hoursOf(before.get(name) ?? []),
    })),
  };
}

async function readVenues({ db, config }: DashboardDeps, range: Days, seen: SeenVenues) {
  const { timeZone } = config.console;
  const figures = await selectVenueHours(db, { ...range, timeZone, seen });
  const byVenue = Map.groupBy(figures, ({ venueId }) => venueId);
  const venues = await selectVenuesById(db, [...byVenue.keys()]);
  return venues.map(({ id, name }) => ({ id, name, hours: hoursOf(byVenue.get(id) ?? []) }));
}

async function readSales(
  { db }: DashboardDeps,
  seesMoney: boolean,
  range: Days,
  compared: Days | undefined,
) {
  const [rows, before] = await Promise.all([
    selectByDimension(db, 'sold', range),
    compared && selectByDimension(db, 'sold', compared),
  ]);
  const names = await selectOfferNames(
    db,
    rows.map(({ dimension }) => parseInt(dimension, 10)),
  );
  return withBefore(rows, before).flatMap(({ dimension, units, ...counts }) => {
    const name = names.get(parseInt(dimension, 10));
    if (name === undefined) return [];
    const { id, title, categoryId, category } = name;
    const amount = seesMoney ? units.toString() : null;
    return [{ offer_id: id, title, category_id: categoryId, category, amount, ...counts }];
  });
}

function presentCards(figures: readonly DayFigure[], days: readonly string[]) {
  const count = countOn(figures);
  return days.map((day) => ({
    day,
    paid: count('card_paid', day),
    failed: count('card_failed', day),
  }));
}

/** The values on which the answer depends, besides the figures. */
interface Request extends RangeQuery {
  readonly seesMoney: boolean;
  readonly seen: SeenVenues;
  readonly now: LocalTime;
  readonly countedUntil: Date | undefined;
}

async function computeDashboard(
  deps: DashboardDeps,
  { from, to, compare, seesMoney, seen, now, countedUntil }: Request,
) {
  const { db } = deps;
  const range = { from, to };
  const compared = comparedDays(range, compare);
  const [figures, before, declines, declinesBefore, today, sales, venues] = await Promise.all([
    selectDays(db, COUNTED_METRICS, range),
    compared && selectDays(db, COUNTED_METRICS, compared),
    selectByDimension(db, 'declined', range),
    compared && selectByDimension(db, 'declined', compared),
    readToday(deps, now, seen),
    readSales(deps, seesMoney, range, compared),
    readVenues(deps, range, seen),
  ]);
  return {
    range,
    compared: compared ?? null,
    counted_until: countedUntil?.toISOString() ?? null,
    today,
    funnel: FUNNEL_STEPS.map((step) => ({
      step,
      count: sumOf(figures, step),
      before: before === undefined ? null : sumOf(before, step),
    })),
    cards: {
      days: presentCards(figures, eachDay(range)),
      days_before: compared === undefined ? [] : presentCards(before ?? [], eachDay(compared)),
    },
    declines: withBefore(declines, declinesBefore).map(({ dimension: reason, count, before }) => ({
      reason,
      count,
      before,
    })),
    sales,
    venues,
  };
}

type Dashboard = Awaited<ReturnType<typeof computeDashboard>>;

export function createDashboards(
  deps: DashboardDeps,
): (staff: SignedInStaff, query: RangeQuery) => Promise<Dashboard> {
  const remember = rememberUntilCount<Dashboard>(deps.db);

  return async (staff, { from, to, compare }) => {
    const venueIds = await selectVenueIds(deps.db, staff.staffId);
    const asked = {
      from,
      to,
      compare,
      seesMoney: may(staff, 'reports.money'),
      seen: venueIds.length === 0 ? undefined : venueIds,
      now: localTime(dateOf(deps.clock), deps.config.console.timeZone),
    };
    return remember(JSON.stringify(asked), (countedUntil) =>
      computeDashboard(deps, { ...asked, countedUntil }),
    );
  };
}
