/** The moments of the demo's past. All events of a moment happen at once and have the same time. */
import { Random } from './random.ts';

export interface Moment {
  readonly at: number;
  /** Counted from 0, the first day of the history. */
  readonly day: number;
  /** The hour of the day in the programme's time zone, with a fraction. */
  readonly hour: number;
  /** 0 is Sunday. */
  readonly weekday: number;
}

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;
/**
 * The hours of a day's moments, denser in the evening, when most happens. Days alternate between two lists, so that after a fortnight
 * every hour of every weekday has some event, while a day has few moments: the events of a moment are processed together.
 */
const HOURS = [
  [8.2, 10.7, 12.3, 14.2, 16.4, 18.4, 19.6, 20.5, 22.1],
  [9.6, 11.7, 13.2, 15.3, 17.4, 18.9, 20.2, 21.2, 23.3],
] as const;
const SPREAD_MS = 9 * MINUTE_MS;

/** How far a time zone is ahead of UTC at a given time, in ms. */
function offsetMs(atMs: number, timeZone: string): number {
  const text = new Intl.DateTimeFormat('sv-SE', {
    timeZone,
    dateStyle: 'short',
    timeStyle: 'medium',
  }).format(atMs);
  return Date.parse(`${text.replace(' ', 'T')}Z`) - Math.floor(atMs / 1000) * 1000;
}

/** The moments of the last `dayCount` days in order, including the present day up to now. */
export function createCalendar(
  words: string,
  { endMs, dayCount, timeZone }: { endMs: number; dayCount: number; timeZone: string },
): readonly Moment[] {
  const random = new Random(`${words} calendar`);
  const today = Math.floor((endMs + offsetMs(endMs, timeZone)) / DAY_MS);
  return Array.from({ length: dayCount }, (_, day) => {
    const date = today - dayCount + 1 + day;
    const midnightMs = date * DAY_MS - offsetMs(date * DAY_MS, timeZone);
    const hours = HOURS[date % 2 === 0 ? 0 : 1];
    return hours.map((hour): Moment => {
      const at = midnightMs + hour * HOUR_MS + random.between(-SPREAD_MS, SPREAD_MS);
      return { at: Math.round(at), day, hour, weekday: new Date(date * DAY_MS).getUTCDay() };
    });
  })
    .flat()
    .filter(({ at }) => at < endMs - MINUTE_MS);
}
