import type { FastifyInstance } from 'fastify';
import { sql } from 'kysely';
import type { Db } from '../../platform/database/database.ts';
import { AppError } from '../../platform/errors.ts';

const OPTIONS = { schema: { hide: true }, config: { answersData: true } } as const;

/**
 * `/healthz`: this process answers; the browser asks it while its network is lost. `/readyz`: it can also reach the
 * database, so a load balancer may send it requests.
 */
export function registerHealthRoutes(app: FastifyInstance, { db }: { readonly db: Db }): void {
  let asking: Promise<unknown> | undefined;
  app.get('/healthz', OPTIONS, (_request, reply) =>
    reply.header('cache-control', 'no-store').send({ status: 'ok' }),
  );
  app.get('/readyz', OPTIONS, async (_request, reply) => {
    try {
      // One question for all who ask at once: a crowd must not take the database's connections.
      await (asking ??= sql`select 1`.execute(db).finally(() => {
        asking = undefined;
      }));
    } catch (error) {
      throw new AppError('try_again', { detail: 'The database does not answer.', cause: error });
    }
    return reply.header('cache-control', 'no-store').send({ status: 'ready' });
  });
}
