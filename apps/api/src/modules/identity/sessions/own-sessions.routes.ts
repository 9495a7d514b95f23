/** How owners see and end their sessions. */
import type { FastifyInstance } from 'fastify';
import { api } from '@athos/contract/api';
import { dateOf } from '../../../platform/clock.ts';
import { AppError } from '../../../platform/errors.ts';
import { endpoint } from '../../../platform/http/endpoint.ts';
import type { AuthDeps } from '../identity-deps.ts';
import { lockOpenSession, selectOpenSessions } from './sessions.sql.ts';

const ACCEPTED = { success: true } as const;

export function registerSessionRoutes(app: FastifyInstance, deps: AuthDeps): void {
  const { clock, db, sessions } = deps;

  endpoint(app, deps, api.sessions, async ({ user, reply }) => {
    reply.header('cache-control', 'no-store');
    const rows = await selectOpenSessions(db, user.userId, dateOf(clock));
    return {
      sessions: rows.map(({ id, label, method, createdAt, seenAt }) => ({
        id,
        device: label,
        method,
        begun_at: createdAt.toISOString(),
        last_seen_at: seenAt.toISOString(),
        is_current: id === user.sessionId,
      })),
    };
  });

  endpoint(app, deps, api.endSession, async ({ user: { userId }, params }) => {
    await db.transaction().execute(async (tx) => {
      const session = { userId, sessionId: params.id };
      const begunAt = await lockOpenSession(tx, session, dateOf(clock));
      if (begunAt === undefined) throw new AppError('not_found');
      await sessions.revoke(tx, session);
    });
    return ACCEPTED;
  });

  endpoint(app, deps, api.endOtherSessions, async ({ user: { userId, sessionId } }) => {
    await db.transaction().execute((tx) => sessions.revokeAll(tx, userId, sessionId));
    return ACCEPTED;
  });
}
