/** Months of a time zone, as ranges of time. */

/** How far a zone is ahead of UTC at a given time, in milliseconds. */
function offsetMs(zone: string, atMs: number): number {
  const parts = new Intl.DateTimeFormat('en-US', {
    timeZone: zone,
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  }).formatToParts(atMs);
  const [year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0] = (
    ['year', 'month', 'day', 'hour', 'minute', 'second'] as const
  ).map((type) => parseInt(parts.find((part) => part.type === type)?.value ?? '', 10));
  return Date.UTC(year, month - 1, day, hour, minute, second) - Math.floor(atMs / 1000) * 1000;
}

/** The beginning of a month. If clocks are set forward at that midnight, the month begins an hour later. */
function beginOf(year: number, month: number, zone: string): Date {
  const local = Date.UTC(year, month - 1, 1);
  const guess = local - offsetMs(zone, local);
  return new Date(local - offsetMs(zone, guess));
}

/** The beginning and the end of a month such as `2026-10`. The end is the beginning of the next month. */
export function rangeOf(month: string, zone: string): { readonly from: Date; readonly to: Date } {
  const [year = 0, number = 1] = month.split('-').map((part) => parseInt(part, 10));
  const next = number === 12 ? [year + 1, 1] : [year, number + 1];
  return { from: beginOf(year, number, zone), to: beginOf(next[0] ?? 0, next[1] ?? 1, zone) };
}

/** The month of a time. */
export function monthOf(at: Date, zone: string): string {
  const shifted = new Date(at.getTime() + offsetMs(zone, at.getTime()));
  return shifted.toISOString().slice(0, 7);
}

/** The months from `first` to `last`, newest first, at most `countMax`. */
export function monthsBetween(first: string, last: string, countMax: number): string[] {
  const indexOf = (month: string): number => {
    const [year = 0, number = 1] = month.split('-').map((part) => parseInt(part, 10));
    return year * 12 + number - 1;
  };
  const newest = indexOf(last);
  const count = Math.min(countMax, newest - indexOf(first) + 1);
  return Array.from({ length: Math.max(0, count) }, (_, back) => {
    const index = newest - back;
    const number = String((index % 12) + 1).padStart(2, '0');
    return `${Math.floor(index / 12)}-${number}`;
  });
}
