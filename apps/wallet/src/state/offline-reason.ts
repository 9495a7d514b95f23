import { m } from '@athos/messages/messages';
import { useValue } from '@athos/app-core/value';
import { isReadingOffline } from './network.ts';

/** The reason shown next to a button that needs the server, while the user reads offline; `undefined` otherwise. */
export function useOfflineReason(): string | undefined {
  return useValue(isReadingOffline) ? m.common_reason_offline() : undefined;
}
