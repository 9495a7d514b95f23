import { m } from '@athos/messages/messages';
import { useValue } from '@athos/app-core/value';
import { isReadingOffline } from './network.ts';

/** Returns the time at which the displayed data was fetched, while the user reads offline. `atMs` is 0 if there is no data. */
export function useAsOf(atMs: number): string | undefined {
  const isOffline = useValue(isReadingOffline);
  if (!isOffline || atMs === 0) return undefined;
  const time = new Date(atMs).toLocaleString('en-US', { dateStyle: 'medium', timeStyle: 'short' });
  return m.common_as_of({ time });
}
