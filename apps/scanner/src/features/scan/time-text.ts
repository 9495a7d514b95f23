/** Times as staff read them: short, in the device's time zone. */

const LOCALE = 'en-US';

/** `9:14 PM` for today, `Nov 20, 9:14 PM` for this year, otherwise with the year. */
export function timeText(isoTime: string | number, now: Date = new Date()): string {
  const date = new Date(isoTime);
  const time = date.toLocaleTimeString(LOCALE, { hour: 'numeric', minute: '2-digit' });
  if (date.toDateString() === now.toDateString()) return time;
  const isThisYear = date.getFullYear() === now.getFullYear();
  const day = date.toLocaleDateString(LOCALE, {
    month: 'short',
    day: 'numeric',
    ...(!isThisYear && { year: 'numeric' }),
  });
  return `${day}, ${time}`;
}

/** `Mar 2026`. */
export const monthText = (isoTime: string): string =>
  new Date(isoTime).toLocaleDateString(LOCALE, { month: 'short', year: 'numeric' });

/** `1:05`. */
export function countdownText(seconds: number): string {
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
}
