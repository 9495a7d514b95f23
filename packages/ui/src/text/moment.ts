/** A time in the user's local time: `Nov 22, 2026, 7:05 PM`. */
export const moment = (isoTime: string): string =>
  new Date(isoTime).toLocaleString('en-US', { dateStyle: 'medium', timeStyle: 'short' });
