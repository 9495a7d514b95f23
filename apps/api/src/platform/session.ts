/**
 * Sessions: a token is an EdDSA JWT tied to a row that can be revoked. Verifying one costs a signature check and a read,
 * some 200 us, so a verified token is remembered. A revocation reaches the memory of every process by notification, and
 * no token is believed for longer than `REMEMBER_MS` without another look at its row.
 */
import { SignJWT, decodeProtectedHeader, jwtVerify } from 'jose';
import { sql } from 'kysely';
import type { Clock } from './clock.ts';
import { dateOf } from './clock.ts';
import type { Db, Tx } from './database.ts';
import { AppError } from './errors.ts';
import type { Notifications } from './notifications.ts';
import type { SigningKeys } from './signing-keys.ts';

/** Decisions "Sessions": tokens live 24 h. */
export const TOKEN_LIFETIME_SECONDS = 24 * 60 * 60;
const TOKEN_ISSUER = 'athos-wallet';
const REMEMBER_MS = 60_000;
const REMEMBERED_COUNT_MAX = 50_000;

export interface SignedInUser {
  readonly userId: bigint;
  readonly userUuid: string;
  readonly role: 'user' | 'scanner' | 'operator';
  readonly sessionId: string;
}

interface Remembered {
  readonly user: SignedInUser;
  readonly forgetAtMs: number;
}

export interface Sessions {
  /** Opens a session and returns its token. */
  open(tx: Tx | Db, user: { userId: bigint; userUuid: string }): Promise<string>;
  /** A fresh token for the session of a valid one. Throws as `authenticate` does. */
  refresh(token: string): Promise<{ token: string; userUuid: string }>;
  /** The remembered user of a token, without waiting; `undefined` where `authenticate` has to look. */
  remembered(token: string): SignedInUser | undefined;
  /** Throws `unauthenticated` for what is no token of ours, `session_ended` for an expired or revoked one. */
  authenticate(token: string): Promise<SignedInUser>;
  revoke(tx: Tx | Db, sessionId: string): Promise<void>;
  /** Ends the sessions of a user, but for `exceptSessionId`. */
  revokeAll(tx: Tx | Db, userId: bigint, exceptSessionId?: string): Promise<void>;
  /** Called with the id of every session that ends, in any process. */
  onRevoked(listener: (sessionId: string) => void): void;
}

interface SessionDeps {
  readonly db: Db;
  readonly clock: Clock;
  readonly keys: SigningKeys;
  readonly notifications: Notifications;
}

async function selectSession(
  db: Db,
  sessionId: string,
  now: Date,
): Promise<SignedInUser | undefined> {
  const row = await db
    .selectFrom('sessions')
    .innerJoin('users', 'users.id', 'sessions.user_id')
    .select(['users.id as user_id', 'users.uuid', 'users.role'])
    .where('sessions.id', '=', sessionId)
    .where('sessions.revoked_at', 'is', null)
    .where('sessions.expires_at', '>', now)
    .where('users.closed_at', 'is', null)
    .executeTakeFirst();
  if (row === undefined) return undefined;
  return { userId: row.user_id, userUuid: row.uuid, role: row.role, sessionId };
}

export function createSessions({ db, clock, keys, notifications }: SessionDeps): Sessions {
  const rememberedByToken = new Map<string, Remembered>();
  const tokensBySession = new Map<string, Set<string>>();
  const revocationListeners: ((sessionId: string) => void)[] = [];
  // Counts revocations. A look at a row that one overtook is not remembered.
  let generation = 0;

  function forgetAll(): void {
    generation += 1;
    rememberedByToken.clear();
    tokensBySession.clear();
  }
  function forgetSession(sessionId: string): void {
    generation += 1;
    for (const token of tokensBySession.get(sessionId) ?? []) rememberedByToken.delete(token);
    tokensBySession.delete(sessionId);
    for (const listener of revocationListeners) listener(sessionId);
  }
  notifications.on('session_revoked', forgetSession);
  notifications.onGap(forgetAll);

  function remember(token: string, user: SignedInUser, expiresAtMs: number): void {
    if (rememberedByToken.size >= REMEMBERED_COUNT_MAX) forgetAll();
    rememberedByToken.set(token, {
      user,
      forgetAtMs: Math.min(expiresAtMs, clock.nowMs() + REMEMBER_MS),
    });
    const tokens = tokensBySession.get(user.sessionId) ?? new Set();
    tokensBySession.set(user.sessionId, tokens.add(token));
  }

  function signToken(userUuid: string, sessionId: string): Promise<string> {
    const issuedAt = Math.floor(clock.nowMs() / 1000);
    return new SignJWT({ sid: sessionId })
      .setProtectedHeader({ alg: 'EdDSA', kid: keys.current.kid, typ: 'JWT' })
      .setIssuer(TOKEN_ISSUER)
      .setSubject(userUuid)
      .setIssuedAt(issuedAt)
      .setExpirationTime(issuedAt + TOKEN_LIFETIME_SECONDS)
      .sign(keys.current.privateKey);
  }

  async function verifiedClaims(
    token: string,
  ): Promise<{ sessionId: string; expiresAtMs: number }> {
    try {
      const key = keys.publicKeys.get(decodeProtectedHeader(token).kid ?? '');
      if (key === undefined) throw new AppError('unauthenticated');
      const { payload } = await jwtVerify(token, key, {
        algorithms: ['EdDSA'],
        issuer: TOKEN_ISSUER,
        currentDate: dateOf(clock),
        requiredClaims: ['exp', 'sub', 'sid'],
      });
      return { sessionId: String(payload['sid']), expiresAtMs: (payload.exp ?? 0) * 1000 };
    } catch (error) {
      const hasExpired =
        error instanceof Error && 'code' in error && error.code === 'ERR_JWT_EXPIRED';
      throw new AppError(hasExpired ? 'session_ended' : 'unauthenticated', { cause: error });
    }
  }

  async function authenticate(token: string): Promise<SignedInUser> {
    const { sessionId, expiresAtMs } = await verifiedClaims(token);
    const generationBefore = generation;
    const user = await selectSession(db, sessionId, dateOf(clock));
    if (user === undefined) throw new AppError('session_ended');
    if (generation === generationBefore) remember(token, user, expiresAtMs);
    return user;
  }

  async function announceRevoked(tx: Tx | Db, sessionId: string): Promise<void> {
    // This process forgets at once, the others when the transaction commits.
    forgetSession(sessionId);
    await sql`select pg_notify('session_revoked', ${sessionId})`.execute(tx);
  }

  const expiryFromNow = (): Date => new Date(clock.nowMs() + TOKEN_LIFETIME_SECONDS * 1000);

  return {
    async open(tx, { userId, userUuid }) {
      const { id } = await tx
        .insertInto('sessions')
        .values({ user_id: userId, expires_at: expiryFromNow() })
        .returning('id')
        .executeTakeFirstOrThrow();
      return signToken(userUuid, id);
    },
    async refresh(token) {
      const { sessionId, userUuid } = await authenticate(token);
      const extended = await db
        .updateTable('sessions')
        .set({ refreshed_at: dateOf(clock), expires_at: expiryFromNow() })
        .where('id', '=', sessionId)
        .where('revoked_at', 'is', null)
        .executeTakeFirst();
      if (extended.numUpdatedRows === 0n) throw new AppError('session_ended');
      return { token: await signToken(userUuid, sessionId), userUuid };
    },
    remembered(token) {
      if (!notifications.isListening()) return undefined;
      const found = rememberedByToken.get(token);
      return found !== undefined && found.forgetAtMs > clock.nowMs() ? found.user : undefined;
    },
    authenticate,
    async revoke(tx, sessionId) {
      await tx
        .updateTable('sessions')
        .set({ revoked_at: dateOf(clock) })
        .where('id', '=', sessionId)
        .where('revoked_at', 'is', null)
        .execute();
      await announceRevoked(tx, sessionId);
    },
    async revokeAll(tx, userId, exceptSessionId) {
      const ended = await tx
        .updateTable('sessions')
        .set({ revoked_at: dateOf(clock) })
        .where('user_id', '=', userId)
        .where('revoked_at', 'is', null)
        .$if(exceptSessionId !== undefined, (query) =>
          query.where('id', '!=', exceptSessionId ?? ''),
        )
        .returning('id')
        .execute();
      for (const { id } of ended) await announceRevoked(tx, id);
    },
    onRevoked: (listener) => revocationListeners.push(listener),
  };
}
