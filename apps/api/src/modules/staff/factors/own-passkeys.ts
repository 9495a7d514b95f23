/** The passkeys of a person: adding one, and using one to prove presence. */
import type { z } from 'zod';
import type { madePasskey, usedPasskey } from '@athos/contract/passkeys';
import { dateOf } from '../../../platform/clock.ts';
import type { Tx } from '../../../platform/database/database.ts';
import { AppError } from '../../../platform/errors.ts';
import {
  judgeMadePasskey,
  judgeUsedPasskey,
  passkeyMakeOptions,
  passkeyUseOptions,
  type Passkey,
  type PasskeySite,
} from '../../../platform/factors/passkeys.ts';
import type { StaffDeps } from '../staff-deps.ts';
import { insertPasskey, selectPasskeys, updateSignCount, type PasskeyRow } from './factors.sql.ts';

export type MadePasskey = z.output<typeof madePasskey>;
export type UsedPasskey = z.output<typeof usedPasskey>;

/** More devices than any person has. */
const PASSKEYS_MAX = 10;

/** The console's relying party. Throws `not_found` if its address cannot have passkeys. */
function siteOf({ db, clock, relyingParty: party }: StaffDeps): PasskeySite {
  if (party === undefined) {
    throw new AppError('not_found', {
      detail: 'Passkeys need a host name: open the console by its name, not by an IP address.',
    });
  }
  return { db, clock, party };
}

/** The user handle that authenticators store: the 16 bytes of the person's id, which is never shown to others. */
const handleOf = (staffId: string): Buffer => Buffer.from(staffId.replaceAll('-', ''), 'hex');

interface Person {
  readonly staffId: string;
  readonly email: string;
  readonly name: string;
}

const SIGN_IN = 'console sign-in';
const enrolPurpose = (staffId: string): string => `console enrolment of ${staffId}`;
const proofPurpose = (sessionId: string): string => `console proof in ${sessionId}`;

export async function newPasskeyOptions(deps: StaffDeps, { staffId, email, name }: Person) {
  const owner = { handle: handleOf(staffId), address: email, name };
  const known = await selectPasskeys(deps.db, staffId);
  return passkeyMakeOptions(siteOf(deps), enrolPurpose(staffId), owner, known);
}

/** Verifies a new passkey of the person. Throws `invalid_passkey`. */
export async function judgeNewPasskey(
  deps: StaffDeps,
  staffId: string,
  response: MadePasskey,
): Promise<Passkey> {
  const made = await judgeMadePasskey(siteOf(deps), enrolPurpose(staffId), response);
  if (made.outcome === 'refused') throw new AppError('invalid_passkey', { cause: made.cause });
  return made;
}

/** Throws `invalid_passkey` if it is already registered, and `factor_limit_reached`. */
export async function storePasskey(
  tx: Tx,
  passkey: Passkey,
  row: { readonly staffId: string; readonly name: string; readonly now: Date },
): Promise<void> {
  const known = await selectPasskeys(tx, row.staffId);
  if (known.length >= PASSKEYS_MAX) throw new AppError('factor_limit_reached');
  if (!(await insertPasskey(tx, passkey, row))) throw new AppError('invalid_passkey');
}

interface Prover {
  readonly staffId: string;
  readonly sessionId: string;
}

export async function proofOptions(deps: StaffDeps, { staffId, sessionId }: Prover) {
  const known = await selectPasskeys(deps.db, staffId);
  return passkeyUseOptions(siteOf(deps), proofPurpose(sessionId), known);
}

/** Lists no passkeys, because the caller is not known yet. */
export const signInOptions = (deps: StaffDeps) => passkeyUseOptions(siteOf(deps), SIGN_IN);

/** Returns the new signature count; `undefined` if the signature is refused or is not from the passkey's owner. */
export async function judgeSignIn(
  deps: StaffDeps,
  response: UsedPasskey,
  passkey: PasskeyRow,
): Promise<number | undefined> {
  const { userHandle } = response.response;
  const handle = handleOf(passkey.staffId).toString('base64url');
  if (userHandle !== undefined && userHandle !== handle) return undefined;
  const used = await judgeUsedPasskey(siteOf(deps), SIGN_IN, response, passkey);
  return used.outcome === 'used' ? used.signCount : undefined;
}

/** Verifies a response by one of the person's passkeys and stores its count. Returns whether it was accepted. */
export async function usePasskeyAsProof(
  tx: Tx,
  deps: StaffDeps,
  { staffId, sessionId }: Prover,
  response: UsedPasskey,
): Promise<boolean> {
  const known = await selectPasskeys(tx, staffId);
  const passkey = known.find(({ credentialId }) => credentialId === response.id);
  if (passkey === undefined) return false;
  const used = await judgeUsedPasskey(siteOf(deps), proofPurpose(sessionId), response, passkey);
  if (used.outcome === 'refused') return false;
  const { signCount } = used;
  return updateSignCount(tx, passkey.id, { signCount, now: dateOf(deps.clock) });
}
