/** The days shown by the dashboard, in the address: `?range=30` or `?from=…&to=…`, and `compare`. */
import type { Comparison } from '@athos/contract/console/dashboard';

export interface DashboardRange {
  readonly from: string;
  readonly to: string;
  readonly compare: Comparison;
  /** The choice in the list of ranges. */
  readonly preset: Preset;
}

export const PRESETS = ['1', '7', '30', '92', 'month', 'other'] as const;
export type Preset = (typeof PRESETS)[number];
const COMPARISONS: readonly Comparison[] = ['previous', 'weekdays', 'none'];

/** The same limit as the server's. */
export const DAYS_MAX = 92;
const DAY_MS = 24 * 60 * 60_000;
const DEFAULT_DAYS = 30;

/** The day in the programme's time zone: `2026-11-22`. */
export const todayIn = (zone: string): string =>
  new Intl.DateTimeFormat('en-CA', {
    timeZone: zone,
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
  }).format(new Date());

const addDays = (day: string, count: number): string =>
  new Date(Date.parse(`${day}T00:00:00Z`) + count * DAY_MS).toISOString().slice(0, 10);

const dayCount = (from: string, to: string): number =>
  Math.round((Date.parse(to) - Date.parse(from)) / DAY_MS) + 1;

export const isRangeRight = (from: string, to: string, today: string): boolean => {
  const count = dayCount(from, to);
  return count >= 1 && count <= DAYS_MAX && to <= today;
};

const isDay = (text: string | null): text is string =>
  text !== null && /^\d{4}-\d{2}-\d{2}$/.test(text) && !Number.isNaN(Date.parse(text));

function daysOf(preset: string | null, today: string): { from: string; preset: Preset } {
  if (preset === 'month') return { from: `${today.slice(0, 8)}01`, preset };
  const known = PRESETS.find((one) => one === preset);
  const count = Number.parseInt(known ?? '', 10) || DEFAULT_DAYS;
  return { from: addDays(today, 1 - count), preset: known ?? '30' };
}

/** Reads the address. Missing and invalid values get their defaults. */
export function readRange(params: URLSearchParams, today: string): DashboardRange {
  const compare = COMPARISONS.find((one) => one === params.get('compare')) ?? 'previous';
  const [from, to] = [params.get('from'), params.get('to')];
  if (isDay(from) && isDay(to) && isRangeRight(from, to, today)) {
    return { from, to, compare, preset: 'other' };
  }
  return { ...daysOf(params.get('range'), today), to: today, compare };
}

const WEEKDAY_FORMAT = new Intl.DateTimeFormat('en-GB', { timeZone: 'UTC', weekday: 'long' });

export const weekdayText = (day: string): string =>
  WEEKDAY_FORMAT.format(new Date(`${day}T00:00:00Z`));
