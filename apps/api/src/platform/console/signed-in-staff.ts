import { mayAct, type Grants, type Permission } from '@athos/contract/console/permissions';
import type { Db, Tx } from '../database/database.ts';
import { AppError } from '../errors.ts';
import type { Caller } from '../limits/caller.ts';

/**
 * The member of staff who makes a call, as read from the database for this call. Roles are left out on purpose: permissions follow
 * from grants alone.
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
  /** Whether the session was opened with a second factor. */
  readonly isEnrolled: boolean;
}

/** Sessions as the console needs them. The capability `staff` implements this. */
export interface StaffSessions {
  /** Reads the session from the database. Throws `session_ended` if it has ended or the person may no longer sign in. */
  authenticate(
    token: string,
    from: { readonly caller: Caller; readonly address: string },
    /** `false` for a call that does not count as activity, so that the session can still end idle. */
    options?: { readonly isActivity?: boolean },
  ): Promise<SignedInStaff>;
  /** Reads the session again for a write, whose body may have arrived much later than its headers. Throws `session_ended`. */
  readAgain(tx: Tx | Db, staff: Pick<SignedInStaff, 'sessionId'>): Promise<SignedInStaff>;
  /**
   * Throws `confirmation_required` unless the person gave a proof of presence within the last minutes and has since moved no more value
   * than one proof covers. Locks the session, so that concurrent acts cannot use the same remainder.
   */
  requireProof(tx: Tx, staff: SignedInStaff): Promise<void>;
  /** The person's current permissions; none unless they are active. */
  grantsOf(tx: Tx, staffId: string): Promise<Grants>;
  /** All active staff with their permissions. */
  activeStaff(): Promise<readonly Omit<SignedInStaff, 'sessionId' | 'name' | 'isEnrolled'>[]>;
  /** Counts the value that an act moved against the last proof. */
  noteMoved(tx: Tx, staff: SignedInStaff, usdCents: bigint): Promise<void>;
}

/** Whether the person may do this, at least within the action's policy. Used to decide what an answer shows. */
export const may = ({ grants }: SignedInStaff, permission: Permission): boolean =>
  mayAct(grants[permission]);

/** Throws `enrolment_required`, or `permission_missing` with the permission's name. */
export function requirePermission(
  permission: Permission | 'own' | 'enrol',
  { isEnrolled, grants }: SignedInStaff,
): void {
  if (permission === 'enrol') return;
  if (!isEnrolled) throw new AppError('enrolment_required');
  if (permission === 'own' || mayAct(grants[permission])) return;
  throw new AppError('permission_missing', { extra: { permission } });
}

/** Throws `own_account` if the customer is the member of staff: nobody acts on, or votes about, their own wallet. */
export function requireOthersAccount(
  { walletUuid, email }: Pick<SignedInStaff, 'walletUuid' | 'email'>,
  customer: { readonly uuid: string; readonly email: string | null },
): void {
  if (customer.uuid === walletUuid || customer.email?.toLowerCase() === email) {
    throw new AppError('own_account');
  }
}
