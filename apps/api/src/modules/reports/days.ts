/** Days of the programme's time zone, in the form `2026-11-22`. */
import type { Comparison } from '@athos/contract/console/dashboard';
import { daysBetween } from '@athos/contract/console/dashboard';
import type { Days } from './dashboard.sql.ts';

const DAY_MS = 24 * 60 * 60_000;
const DAYS_PER_WEEK = 7;

/** Computes with dates in UTC, which have no summer time. */
export const addDays = (day: string, count: number): string =>
  new Date(Date.parse(`${day}T00:00:00Z`) + count * DAY_MS).toISOString().slice(0, 10);

export const eachDay = ({ from, to }: Days): string[] =>
  Array.from({ length: daysBetween(from, to) }, (_, index) => addDays(from, index));

/** The days to which a range is compared. */
export function comparedDays({ from, to }: Days, compare: Comparison): Days | undefined {
  const count = daysBetween(from, to);
  switch (compare) {
    case 'none':
      return undefined;
    case 'previous':
      return { from: addDays(from, -count), to: addDays(from, -1) };
    case 'weekdays': {
      const shift = Math.ceil(count / DAYS_PER_WEEK) * DAYS_PER_WEEK;
      return { from: addDays(from, -shift), to: addDays(to, -shift) };
    }
  }
}

/** The day and the hour of a time in the time zone. */
export function localTime(at: Date, timeZone: string): { day: string; hour: number } {
  const parts = new Intl.DateTimeFormat('en-CA', {
    timeZone,
    hourCycle: 'h23',
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
  }).formatToParts(at);
  const part = (type: string): string => parts.find((one) => one.type === type)?.value ?? '';
  return {
    day: `${part('year')}-${part('month')}-${part('day')}`,
    hour: parseInt(part('hour'), 10),
  };
}
