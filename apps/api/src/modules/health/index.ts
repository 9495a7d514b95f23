/** The door of health: whether this process responds, and whether it reaches the database. */
import type { FastifyInstance } from 'fastify';
import { sql } from 'kysely';
import type { Capability } from '../../capability.ts';
import type { Db } from '../../platform/database/database.ts';
import { AppError } from '../../platform/errors.ts';

const OPTIONS = { schema: { hide: true }, config: { answersData: true } } as const;

/**
 * `/healthz` responds if the process runs; the wallet polls it while the network seems to be lost. `/readyz` also checks the
 * database, so that a load balancer knows whether to send requests.
 */
function registerRoutes(app: FastifyInstance, { db }: { readonly db: Db }): void {
  app.get('/healthz', OPTIONS, (_request, reply) =>
    reply.header('cache-control', 'no-store').send({ status: 'ok' }),
  );

  // Concurrent requests share one query, so a crowd cannot occupy the database's connections.
  let check: Promise<unknown> | undefined;
  app.get('/readyz', OPTIONS, async (_request, reply) => {
    try {
      await (check ??= sql`select 1`.execute(db).finally(() => {
        check = undefined;
      }));
    } catch (error) {
      throw new AppError('try_again', { detail: 'The database does not answer.', cause: error });
    }
    return reply.header('cache-control', 'no-store').send({ status: 'ready' });
  });
}

export const health = { registerRoutes } satisfies Capability;
