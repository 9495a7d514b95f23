/**
 * Console sessions. The cookie holds a random token; the database holds its hash. The row is read on every call, together with the
 * person's state and roles, so that a revoked session or a changed role takes effect at once in every process.
 */
import { createHash, randomBytes, randomUUID } from 'node:crypto';
import {
  BUILT_IN_GRANTS,
  BUILT_IN_ROLES,
  combineGrants,
  type BuiltInRole,
  type Grants,
} from '@athos/contract/console/permissions';
import { dateOf, type Clock } from '../../../platform/clock.ts';
import type { SignedInStaff, StaffSessions } from '../../../platform/console/signed-in-staff.ts';
import type { Db, Tx } from '../../../platform/database/database.ts';
import { AppError } from '../../../platform/errors.ts';
import { createGate } from '../../../platform/limits/gate.ts';
import { networkPlace } from '../../../platform/limits/network-address.ts';
import type { ReadProgramme } from '../../../platform/settings/programme-settings.ts';
import {
  addMoved,
  insertSession,
  selectActiveStaff,
  selectProofForUpdate,
  selectRoles,
  selectSession,
  touchSession,
  type ProofRow,
  type SessionRow,
} from './staff-sessions.sql.ts';

const TOKEN_BYTES = 32;
/** A base64url token of `TOKEN_BYTES`. Anything else is refused without a query. */
const TOKEN_PATTERN = /^[A-Za-z0-9_-]{43}$/;

/** How long a proof of presence covers risky acts. */
export const PROOF_MS = 5 * 60 * 1000;
/** The time of the last call is written at most this often, so an idle session may end this much early. */
const SEEN_EVERY_MS = 10_000;
const CENTS_PER_USD = 100;
const BROWSER_LENGTH_MAX = 200;

/** Anybody can send cookies, so those of one network place take turns and cannot occupy all database connections. */
const LOOKUPS = { atOnceMax: 3, waitingMax: 500, waitMaxMs: 3_000 };

interface SessionDeps {
  readonly db: Db;
  readonly clock: Clock;
  readonly config: {
    readonly isProduction: boolean;
    readonly console: { readonly idleMs: number; readonly sessionMs: number };
  };
  readonly programme: ReadProgramme;
}

export const hashSessionToken = (token: string): Buffer =>
  createHash('sha256').update(token).digest();

const isBuiltIn = (id: string): id is BuiltInRole => BUILT_IN_ROLES.some((role) => role === id);

function grantsOf({ roles }: Pick<SessionRow, 'roles'>): Grants {
  return combineGrants(
    roles.map(({ id, grants }) => grants ?? (isBuiltIn(id) ? BUILT_IN_GRANTS[id] : {})),
  );
}

/**
 * Finds the grants of people by the ids of their roles. People with the same roles share one result: there are many staff but few sets of
 * roles.
 */
function grantsFrom(roles: SessionRow['roles']): (roleIds: readonly string[]) => Grants {
  const known = new Map<string, Grants>();
  return (roleIds) => {
    const key = roleIds.join(' ');
    const grants =
      known.get(key) ?? grantsOf({ roles: roles.filter(({ id }) => roleIds.includes(id)) });
    known.set(key, grants);
    return grants;
  };
}

function signedIn(row: SessionRow): SignedInStaff {
  const { id, staffId, email, name, organisation, walletUuid, isEnrolled } = row;
  const person = { staffId, email, name, organisation, walletUuid };
  return { sessionId: id, ...person, isEnrolled, grants: grantsOf(row) };
}

type ProofDeps = Pick<SessionDeps, 'clock' | 'programme'>;

/** When the last proof expires; `undefined` if it has expired or is used up. */
async function proofEnd(
  { clock, programme }: ProofDeps,
  { provedAt, movedUsdCents }: ProofRow,
): Promise<Date | undefined> {
  const { stepUpRollingUsd } = await programme();
  const isUsedUp = movedUsdCents > BigInt(stepUpRollingUsd * CENTS_PER_USD);
  if (provedAt === null || isUsedUp) return undefined;
  const end = new Date(provedAt.getTime() + PROOF_MS);
  return clock.nowMs() < end.getTime() ? end : undefined;
}

/** The same time in the form of the wire. */
export const provedUntil = async (deps: ProofDeps, proof: ProofRow): Promise<string | null> =>
  (await proofEnd(deps, proof))?.toISOString() ?? null;

export function createStaffSessions(deps: SessionDeps): StaffSessions {
  const { db, clock, config } = deps;
  const gate = createGate(LOOKUPS);

  /** Throws `session_ended`. */
  async function readSession(from: Db | Tx, which: Parameters<typeof selectSession>[1]) {
    const now = dateOf(clock);
    const seenAfter = new Date(now.getTime() - config.console.idleMs);
    const row = await selectSession(from, which, { now, seenAfter });
    if (row === undefined || (config.isProduction && row.isDemo)) {
      throw new AppError('session_ended');
    }
    return row;
  }

  return {
    async authenticate(token, { caller, address }, { isActivity = true } = {}) {
      if (!TOKEN_PATTERN.test(token)) throw new AppError('session_ended');
      const row = await gate(caller, () => readSession(db, { tokenHash: hashSessionToken(token) }));
      const now = dateOf(clock);
      if (isActivity && now.getTime() - row.seenAt.getTime() >= SEEN_EVERY_MS) {
        await touchSession(db, row.id, { now, place: networkPlace(address) });
      }
      return signedIn(row);
    },

    readAgain: async (tx, { sessionId }) => signedIn(await readSession(tx, { id: sessionId })),

    async requireProof(tx, { sessionId }) {
      const proof = await selectProofForUpdate(tx, sessionId);
      if (proof === undefined) throw new AppError('session_ended');
      const end = await proofEnd(deps, proof);
      if (end === undefined) throw new AppError('confirmation_required');
    },

    async grantsOf(tx, staffId) {
      const [person] = await selectActiveStaff(tx, staffId);
      return person === undefined ? {} : grantsFrom(await selectRoles(tx))(person.roleIds);
    },

    async activeStaff() {
      const [people, roles] = await Promise.all([selectActiveStaff(db), selectRoles(db)]);
      const grantsOfRoles = grantsFrom(roles);
      return people.map(({ roleIds, ...person }) => ({
        ...person,
        grants: grantsOfRoles(roleIds),
      }));
    },

    noteMoved: (tx, { sessionId }, usdCents) => addMoved(tx, sessionId, usdCents),
  };
}

interface NewStaffSession {
  readonly staffId: string;
  /** Whether a second factor was checked. Without one, only enrolment is allowed. */
  readonly isEnrolled: boolean;
  readonly networkAddress: string;
  /** The User-Agent header. */
  readonly userAgent: string | undefined;
}

/** Opens a session and returns its token, which is not stored. */
export async function openStaffSession(
  tx: Tx | Db,
  { clock, config }: Pick<SessionDeps, 'clock' | 'config'>,
  { staffId, isEnrolled, networkAddress, userAgent = '' }: NewStaffSession,
): Promise<{ readonly token: string; readonly sessionId: SignedInStaff['sessionId'] }> {
  const token = randomBytes(TOKEN_BYTES).toString('base64url');
  const now = dateOf(clock);
  const id = randomUUID();
  await insertSession(tx, {
    id,
    tokenHash: hashSessionToken(token),
    staffId,
    isEnrolled,
    now,
    expiresAt: new Date(now.getTime() + config.console.sessionMs),
    browser: userAgent.slice(0, BROWSER_LENGTH_MAX),
    place: networkPlace(networkAddress),
  });
  return { token, sessionId: id };
}
