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

/** A moment as a `datetime-local` field has it: `2026-11-22T18:30`. */
export const localMoment = (at: string, zone: string): string =>
  new Date(Date.parse(at) + offsetMs(Date.parse(at), zone)).toISOString().slice(0, 16);

/** The moment that was typed into a `datetime-local` field, as ISO 8601; `undefined` for anything else. */
export function momentOf(text: string, zone: string): string | undefined {
  const localMs = Date.parse(`${text}Z`);
  if (Number.isNaN(localMs)) return undefined;
  // Summer time may begin between the guess and the moment, so the offset is looked up twice.
  const guessMs = localMs - offsetMs(localMs, zone);
  return new Date(localMs - offsetMs(guessMs, zone)).toISOString();
}

/** The first moment of `day` (`2026-11-22`), or of the day after it, as ISO 8601; `undefined` for anything else. */
export function dayStart(day: string, zone: string, daysLater = 0): string | undefined {
  const match = /^(\d{4})-(\d{2})-(\d{2})$/.exec(day);
  if (match === null) return undefined;
  const [year = 0, month = 1, date = 1] = match.slice(1).map((text) => Number.parseInt(text, 10));
  return fromLocal(Date.UTC(year, month - 1, date + daysLater), zone);
}

/** A local time, counted as if it were UTC, as ISO 8601. */
function fromLocal(utcMs: number, zone: string): string {
  // Uses the offset near that local time, because summer time may begin between it and the same time in UTC.
  const guessMs = utcMs - offsetMs(utcMs, zone);
  return new Date(utcMs - offsetMs(guessMs, zone)).toISOString();
}

/** `2026-11-22T18:00`, with seconds or without, as a field for local times says it, in ISO 8601; `undefined` for anything else. */
export function pointInTime(local: string, zone: string): string | undefined {
  if (!/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2})?$/.test(local)) return undefined;
  const utcMs = Date.parse(`${local}Z`);
  return Number.isNaN(utcMs) ? undefined : fromLocal(utcMs, zone);
}

/** The same the other way round: what a field for local times shows for a point in time. */
export const localTime = (atMs: number, zone: string): string =>
  new Date(atMs + offsetMs(atMs, zone)).toISOString().slice(0, 16);
