/** Dates in the history, in the user's local time. */

const LOCALE = 'en-US';

/**
 * Spec 2: abbreviated month and two-digit day, with the year unless it is the current one: `Nov 07`, `Nov 07, 2025`.
 */
export function listDate(isoTime: string, now: Date): string {
  const date = new Date(isoTime);
  const isThisYear = date.getFullYear() === now.getFullYear();
  return date.toLocaleDateString(LOCALE, {
    month: 'short',
    day: '2-digit',
    ...(!isThisYear && { year: 'numeric' }),
  });
}

const twoDigits = (value: number): string => String(value).padStart(2, '0');

/** Spec 2: `DD/MM/YYYY` with a time. */
export function detailDate(isoTime: string): string {
  const date = new Date(isoTime);
  const day = `${twoDigits(date.getDate())}/${twoDigits(date.getMonth() + 1)}/${date.getFullYear()}`;
  const time = date.toLocaleTimeString(LOCALE, { hour: '2-digit', minute: '2-digit' });
  return `${day} ${time}`;
}
