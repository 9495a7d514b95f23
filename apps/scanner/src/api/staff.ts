/** What happens when the server says that this account is not, or no longer, one of staff. */
import { ApiError } from '@athos/client/errors';
import { log } from '../state/log.ts';
import { session } from '../state/session.ts';
import { client } from './http.ts';

const NOT_STAFF_CODES = ['forbidden', 'staff_revoked'];

export const isNotStaff = (error: unknown): boolean =>
  error instanceof ApiError && error.code !== undefined && NOT_STAFF_CODES.includes(error.code);

/** Takes the token back on the server, without waiting: it may be out of reach. */
export function revokeToken(): void {
  client.call('logout').catch((error: unknown) => {
    log('logout_failed', { error: error instanceof Error ? error.name : typeof error });
  });
}

/** Signs out whoever lost the role while signed in. Answers whether that was the case. */
export function endIfNotStaff(error: unknown): boolean {
  if (!isNotStaff(error)) return false;
  revokeToken();
  session.end('revoked');
  return true;
}
