import { mayAct, type Grants, type Permission } from '@athos/contract/console/permissions';
import type { Tx } from '../database/database.ts';
import { AppError } from '../errors.ts';
import type { Caller } from '../limits/caller.ts';

/**
 * The member of staff who makes a call, as the database says at this moment. Roles are left out on purpose: what somebody may do
 * follows from grants alone.
 */
export interface SignedInStaff {
  readonly staffId: string;
  readonly sessionId: string;
  readonly email: string;
  readonly name: string;
  readonly organisation: 'provider' | 'brand';
  /** The person's own wallet. */
  readonly walletUuid: string | null;
  readonly grants: Grants;
  /** The session was opened with a second factor. */
  readonly isEnrolled: boolean;
}

/** What the console asks about sessions. The capability `staff` implements it. */
export interface StaffSessions {
  /** Reads the session from the database. Throws `session_ended` if it is over, or the person may not sign in any more. */
  authenticate(
    token: string,
    from: { readonly caller: Caller; readonly address: string },
  ): Promise<SignedInStaff>;
  /** Reads it again for a write, whose body may have taken its time. Throws `session_ended`. */
  readAgain(tx: Tx, staff: SignedInStaff): Promise<SignedInStaff>;
  /**
   * Throws `confirmation_required` unless the person has proved within the last minutes that it is them, and has not moved more
   * since than one proof covers. Locks the session, so that acts at the same time cannot share what is left.
   */
  requireProof(tx: Tx, staff: SignedInStaff): Promise<void>;
  /** Everybody who may work, and what they may do. */
  activeStaff(): Promise<readonly Omit<SignedInStaff, 'sessionId' | 'name' | 'isEnrolled'>[]>;
  /** Counts value that an act moved against the last proof. */
  noteMoved(tx: Tx, staff: SignedInStaff, usdCents: bigint): Promise<void>;
}

/** Whether the person may do this, within the policy of the action at least. For what an answer shows, not for whole calls. */
export const may = ({ grants }: SignedInStaff, permission: Permission): boolean =>
  mayAct(grants[permission]);

/** Throws `enrolment_required`, or `permission_missing` with its name, unless the person may make such calls. */
export function requirePermission(
  permission: Permission | 'own' | 'enrol',
  { isEnrolled, grants }: SignedInStaff,
): void {
  if (permission === 'enrol') return;
  if (!isEnrolled) throw new AppError('enrolment_required');
  if (permission === 'own' || mayAct(grants[permission])) return;
  throw new AppError('permission_missing', { extra: { permission } });
}

/** Throws `own_account` if this customer is the person: nobody acts on, or decides about, their own wallet. */
export function requireOthersAccount(
  { walletUuid, email }: SignedInStaff,
  customer: { readonly uuid: string; readonly email: string | null },
): void {
  if (customer.uuid === walletUuid || customer.email?.toLowerCase() === email) {
    throw new AppError('own_account');
  }
}
