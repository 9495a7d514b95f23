/** Handles the server's response that this account is not, or is no longer, staff, or may not use this device. */
import { revokeToken } from '@athos/app-core/refresh';
import { ApiError } from '@athos/client/errors';
import { session } from '../state/session.ts';
import { client } from './http.ts';

const NOT_STAFF_CODES = ['forbidden', 'staff_revoked', 'device_blocked'];

export const isNotStaff = (error: unknown): boolean =>
  error instanceof ApiError && error.code !== undefined && NOT_STAFF_CODES.includes(error.code);

/** Returns the call's result. Signs out a user who turns out to have lost the role. */
export async function asStaff<Answer>(call: Promise<Answer>): Promise<Answer> {
  try {
    return await call;
  } catch (error) {
    if (isNotStaff(error)) {
      revokeToken({ client });
      session.end('revoked');
    }
    throw error;
  }
}
