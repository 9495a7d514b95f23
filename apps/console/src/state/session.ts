/**
 * The signed-in person. Scripts cannot read the session cookie, so the app asks the server at the start and learns of the session's
 * end from the first refused call.
 */
import { createValue } from '@athos/app-core/value';
import type { Grants } from '@athos/contract/console/permissions';

export interface Staff {
  readonly id: string;
  readonly name: string;
  readonly email: string;
  readonly organisation: 'provider' | 'brand';
  /** The names of the roles. */
  readonly roles: readonly string[];
  readonly grants: Grants;
}

/** `left`: by the person. `ended`: the server refused the session. `unreachable`: there was no response at the start. */
export type SessionEnd = 'never_begun' | 'left' | 'ended' | 'unreachable';

/** The ends of a session that the server sets (O-017, O-018). */
export interface SessionLimits {
  readonly endsAtMs: number;
  /** Without a call for this long it ends too. */
  readonly idleMs: number;
}

export type Session =
  | { readonly status: 'starting' }
  | { readonly status: 'signed_out'; readonly end: SessionEnd }
  /** Signed in without a second factor: only enrolment is possible. */
  | { readonly status: 'enrolling'; readonly staff: Staff; readonly limits: SessionLimits }
  | { readonly status: 'signed_in'; readonly staff: Staff; readonly limits: SessionLimits };

export const session = createValue<Session>({ status: 'starting' });

/** Whether another person has signed in in another tab since this one was loaded. The server says so when it refuses a call. */
export const isOtherSignedIn = createValue(false);

/** Called when the server refuses the session. */
export function noteSessionEnd(): void {
  const { status } = session.get();
  if (status === 'signed_in' || status === 'enrolling') {
    session.set({ status: 'signed_out', end: 'ended' });
  }
}
