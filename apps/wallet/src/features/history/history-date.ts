/** Dates in the history, in the user's local time. */
import { m } from '@athos/messages/messages';

const LOCALE = 'en-US';

/**
 * Spec 2: abbreviated month and two-digit day, with the year unless it is the current one: `Nov 07`, `Nov 07, 2025`.
 */
export const listDate = (isoTime: string, now: Date): string =>
  dateText(new Date(isoTime), now, { month: 'short', day: '2-digit' });

function dateText(date: Date, now: Date, options: Intl.DateTimeFormatOptions): string {
  const isThisYear = date.getFullYear() === now.getFullYear();
  return date.toLocaleDateString(LOCALE, { ...options, ...(!isThisYear && { year: 'numeric' }) });
}

/** Identifies the local day. */
export const dayOf = (isoTime: string): string => new Date(isoTime).toDateString();

/** The heading over a day's movements: `Today, Nov 22`, `Yesterday, Nov 21`, `Fri, Nov 20`. */
export function dayHeading(isoTime: string, now: Date): string {
  const date = new Date(isoTime);
  const day = date.toDateString();
  // Not 24 hours earlier: on the day after a clock change that could be two days ago or the same day.
  const yesterday = new Date(now.getFullYear(), now.getMonth(), now.getDate() - 1);
  if (day === now.toDateString()) return m.history_today({ date: listDate(isoTime, now) });
  if (day === yesterday.toDateString()) {
    return m.history_yesterday({ date: listDate(isoTime, now) });
  }
  return dateText(date, now, { weekday: 'short', month: 'short', day: '2-digit' });
}

const twoDigits = (value: number): string => String(value).padStart(2, '0');

/** `19:05`. */
export function timeOfDay(isoTime: string): string {
  const date = new Date(isoTime);
  return `${twoDigits(date.getHours())}:${twoDigits(date.getMinutes())}`;
}

/** Spec 2: `DD/MM/YYYY` with a time. */
export function detailDate(isoTime: string): string {
  const date = new Date(isoTime);
  const day = `${twoDigits(date.getDate())}/${twoDigits(date.getMonth() + 1)}/${date.getFullYear()}`;
  return `${day} ${timeOfDay(isoTime)}`;
}
