import { useValue } from '@athos/app-core/value';
import { session } from './session.ts';

/**
 * The uuid of whom the signed-in screens are about. A screen stays as it is under the modal that says that the session
 * is over, so the last user's uuid serves until the next navigation.
 */
export function useUserUuid(): string {
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
