import type { Session } from './session.ts';
import { useValue, type ReadonlyValue } from './value.ts';

/**
 * The uuid of the user whom the signed-in screens show. A screen stays under the modal that says that the session is over,
 * so the last user's uuid serves until the next navigation.
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
