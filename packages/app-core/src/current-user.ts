import type { Session } from './session.ts';
import { useValue, type ReadonlyValue } from './value.ts';

/**
 * Returns the uuid of the user whom the signed-in screens show. A screen stays visible below the "session is over"
 * modal, so the last user's uuid is kept until the next navigation.
 */
export function useUuidOf(session: ReadonlyValue<Session<string>>): string {
  const current = useValue(session);
  switch (current.status) {
    case 'signed_in':
      return current.uuid;
    case 'signed_out':
      return current.lastUuid ?? '';
    case 'starting':
      return '';
  }
}
