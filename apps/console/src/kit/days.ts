/** Days of the programme's time zone as points in time. */

/** The offset of local time from UTC at this time. */
function offsetMs(atMs: number, zone: string): number {
  const format = new Intl.DateTimeFormat('en-US', {
    timeZone: zone,
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  });
  const part = Object.fromEntries(
    format.formatToParts(atMs).map(({ type, value }) => [type, Number.parseInt(value, 10)]),
  );
  const { year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0 } = part;
  return Date.UTC(year, month - 1, day, hour, minute, second) - Math.floor(atMs / 1000) * 1000;
}

/** The beginning of `day` (`2026-11-22`), or of the day `daysLater` after it, as ISO 8601; `undefined` for any other text. */
export function dayStart(day: string, zone: string, daysLater = 0): string | undefined {
  const match = /^(\d{4})-(\d{2})-(\d{2})$/.exec(day);
  if (match === null) return undefined;
  const [year = 0, month = 1, date = 1] = match.slice(1).map((text) => Number.parseInt(text, 10));
  return fromLocal(Date.UTC(year, month - 1, date + daysLater), zone);
}

/** Converts a local time, given as if it were UTC, to ISO 8601. */
function fromLocal(utcMs: number, zone: string): string {
  // Uses the offset near that local time, because summer time may begin between it and the same time in UTC.
  const guessMs = utcMs - offsetMs(utcMs, zone);
  return new Date(utcMs - offsetMs(guessMs, zone)).toISOString();
}

/**
 * Converts the value of a `datetime-local` field, `2026-11-22T18:00` with or without seconds, to ISO 8601; `undefined` for any other text.
 * The field is empty until it holds a complete time.
 */
export function momentOf(local: string, zone: string): string | undefined {
  if (!/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2})?$/.test(local)) return undefined;
  const utcMs = Date.parse(`${local}Z`);
  return Number.isNaN(utcMs) ? undefined : fromLocal(utcMs, zone);
}

/** The inverse: the value of a `datetime-local` field for a moment. */
export const localMoment = (at: number | string, zone: string): string => {
  const atMs = typeof at === 'number' ? at : Date.parse(at);
  return new Date(atMs + offsetMs(atMs, zone)).toISOString().slice(0, 16);
};
