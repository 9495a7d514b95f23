/**
 * Sessions. A token is an EdDSA JWT tied to a row that can be revoked. Verifying one takes a signature check and a read, about
 * 200 µs, so verified tokens are remembered. A revocation reaches every process by notification (decision 0003).
 */
import { dateOf, type Clock } from '../../../platform/clock.ts';
import { isRetryableDatabaseError, type Db, type Tx } from '../../../platform/database/database.ts';
import { AppError } from '../../../platform/errors.ts';
import type { Authenticator, SignedInUser } from '../../../platform/http/endpoint.ts';
import { createGate } from '../../../platform/limits/gate.ts';
import type { Notifications } from '../../../platform/database/notifications.ts';
import { hasAccepted, textInForce, type ReadLegalTexts } from '../../legal/index.ts';
import { selectTerms } from '../users.sql.ts';
import { createSharedLookup } from './shared-lookup.ts';
import { createSessionMemory, type SessionMemory } from './session-memory.ts';
import { signToken, TOKEN_LIFETIME_SECONDS, verifyToken } from './session-token.ts';
import { endedSessions, type EndedSessions, type Ending } from './ended-sessions.ts';
import {
  endSessions,
  insertSession,
  notifyUserChanged,
  selectSessionUser,
  updateLastSeen,
  updateSessionExpiry,
  type SessionOrigin,
} from './sessions.sql.ts';
import type { SigningKeys } from '../../../platform/keys/signing-keys.ts';

export interface Sessions extends Authenticator {
  /** Opens a session and returns its token. Ends the oldest session of an account that has too many. */
  open(
    tx: Tx | Db,
    user: { userId: bigint; userUuid: string },
    origin?: SessionOrigin,
  ): Promise<string>;
  /**
   * Returns a new token for the session of a valid one. Throws as `authenticate` does, and `session_ended` for a session that
   * has reached its maximum age: a stolen token must not be renewable forever.
   */
  refresh(token: string): Promise<{ token: string; userUuid: string }>;
  /** Returns the public address of a token's owner, even if the session was revoked. Throws as `authenticate` does. */
  ownerUuid(token: string): Promise<string>;
  /** Ends a session, and the user's tickets that may belong to it. */
  revoke(tx: Tx | Db, session: { userId: bigint; sessionId: string }): Promise<void>;
  /** Ends all sessions of a user except `exceptSessionId`, and the user's tickets. */
  revokeAll(tx: Tx | Db, userId: bigint, exceptSessionId?: string): Promise<void>;
  /** Ends a session for its user, and the tickets that may belong to it unless the reason is `away`. */
  signOut(
    tx: Tx | Db,
    session: { userId: bigint; sessionId: string },
    reason: 'away' | undefined,
  ): Promise<void>;
  /** Makes every process read the user's sessions again, when the transaction commits. */
  forgetUser(tx: Tx | Db, userId: bigint): Promise<void>;
  /** Calls the listener with the sessions that end, in any process. */
  onRevoked(listener: (ended: EndedSessions) => void): void;
}

const DAY_MS = 24 * 60 * 60 * 1000;
/** How precisely a session's last use is stored, for the owner to see. A finer step would write a row for each device every minute. */
const SEEN_STEP_MS = 10 * 60 * 1000;

/** The owner of the tickets to end: the user or, with `sessionId`, those that may belong to that session. */
interface Offline {
  readonly userId: bigint;
  readonly sessionId?: string;
}

interface SessionDeps {
  readonly db: Db;
  readonly config: {
    readonly limits: { readonly sessionDaysMax: number; readonly sessionsPerAccount: number };
  };
  readonly clock: Clock;
  readonly keys: SigningKeys;
  readonly notifications: Notifications;
  readonly legalTexts: ReadLegalTexts;
  /** Ends the user's tickets, which are shown and redeemed without a session. With a session, ends only those that may belong to it. */
  readonly endOffline: (tx: Tx | Db, whose: Offline, at: Date) => Promise<void>;
}

/**
 * A token that is not remembered costs a query, even if its session has ended. Only a few queries run at once, so that nobody can occupy
 * the database's connections with such tokens. At 1 ms a query, the last in the queue waits for half a second. The signature is verified
 * first, so that the owners of tokens take turns.
 */
const LOOKUPS = { atOnceMax: 4, waitingMax: 2_000, waitMaxMs: 4_000, ofCallerMax: 2 };
const REFRESHES = { atOnceMax: 3, waitingMax: 2_000, waitMaxMs: 3_000 };

/** A server that cannot write, for example because its disk is full or it is read-only, still answers the reads of signed-in users. */
async function noteSeen(db: Db, sessionId: string, now: Date): Promise<void> {
  try {
    await updateLastSeen(db, sessionId, now);
  } catch (error) {
    if (!isRetryableDatabaseError(error)) throw error;
  }
}

async function forgetUser(tx: Tx | Db, memory: SessionMemory, userId: bigint): Promise<void> {
  await notifyUserChanged(tx, userId);
  memory.forgetUser(userId);
}

export function createSessions(deps: SessionDeps): Sessions {
  const { db, clock, config, notifications } = deps;
  const memory = createSessionMemory(clock, notifications);
  const refreshGate = createGate(REFRESHES);
  const expiryFromNow = (): Date => new Date(clock.nowMs() + TOKEN_LIFETIME_SECONDS * 1000);

  async function findUser(sessionId: string): Promise<SignedInUser | undefined> {
    const now = dateOf(clock);
    const found = await selectSessionUser(db, sessionId, now);
    if (found === undefined) return undefined;
    const isSeenLately = now.getTime() - found.seenAt.getTime() < SEEN_STEP_MS;
    if (!isSeenLately) await noteSeen(db, sessionId, now);
    return found.user;
  }

  const lookUp = createSharedLookup(LOOKUPS, findUser);

  async function authenticate(token: string): Promise<SignedInUser> {
    const { sessionId, userUuid, expiresAtMs } = await verifyToken(deps, token);
    const generation = memory.generation();
    const user = await lookUp(userUuid, sessionId);
    if (user === undefined) throw new AppError('session_ended');
    memory.remember(token, user, { expiresAtMs, generation });
    return user;
  }

  async function end(tx: Tx | Db, ending: Ending, offline?: Offline): Promise<void> {
    await endSessions(tx, ending, dateOf(clock));
    // This process forgets the sessions now; the other processes do when the transaction commits.
    memory.forget(endedSessions(ending));
    // Tickets end after the sessions: a ticket phone that one of the sessions registers at this moment is found here, and a later
    // registration finds its session ended.
    if (offline !== undefined) await deps.endOffline(tx, offline, dateOf(clock));
  }

  async function requireTerms({ userId, terms }: SignedInUser): Promise<void> {
    const inForce = textInForce(await deps.legalTexts(), 'terms', clock.nowMs());
    if (inForce === undefined || hasAccepted(terms, inForce)) return;
    // The session may have been remembered before the user accepted the terms.
    if (hasAccepted(await selectTerms(db, userId), inForce)) return;
    throw new AppError('terms_not_accepted', {
      detail: `Version ${inForce.label} is in force. Nothing was done.`,
    });
  }

  return {
    authenticate,
    requireTerms,
    remembered: (token) => memory.recall(token),
    onRevoked: (listener) => memory.onEnded(listener),
    async open(tx, { userId, userUuid }, origin) {
      const { sessionId, tooManyIds } = await insertSession(tx, userId, {
        now: dateOf(clock),
        expiresAt: expiryFromNow(),
        origin,
        keptCount: config.limits.sessionsPerAccount,
      });
      if (tooManyIds.length > 0) await end(tx, { userId, sessionIds: tooManyIds });
      return signToken(deps, userUuid, sessionId);
    },
    async refresh(token) {
      const { sessionId, userUuid } = await verifyToken(deps, token);
      const isRefreshed = await refreshGate([userUuid], () => {
        const begunAfter = new Date(clock.nowMs() - config.limits.sessionDaysMax * DAY_MS);
        const expiry = { now: dateOf(clock), expiresAt: expiryFromNow(), begunAfter };
        return updateSessionExpiry(db, sessionId, expiry);
      });
      if (!isRefreshed) throw new AppError('session_ended');
      return { token: await signToken(deps, userUuid, sessionId), userUuid };
    },
    ownerUuid: async (token) => (await verifyToken(deps, token)).userUuid,
    revoke: (tx, { userId, sessionId }) =>
      end(tx, { userId, sessionIds: [sessionId] }, { userId, sessionId }),
    signOut: (tx, { userId, sessionId }, reason) =>
      end(tx, { userId, sessionIds: [sessionId] }, reason === 'away' ? undefined : { userId }),
    forgetUser: (tx, userId) => forgetUser(tx, memory, userId),
    revokeAll: (tx, userId, exceptSessionId) => end(tx, { userId, exceptSessionId }, { userId }),
  };
}
