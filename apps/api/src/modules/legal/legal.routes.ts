import type { FastifyInstance } from 'fastify';
import { api } from '@athos/contract/api';
import type { Clock } from '../../platform/clock.ts';
import type { Db } from '../../platform/database/database.ts';
import { endpoint, type EndpointDeps } from '../../platform/http/endpoint.ts';
import { callerOf } from '../../platform/limits/caller.ts';
import { createGate } from '../../platform/limits/gate.ts';
import { contentOf, readWhole, textInForce, type ReadLegalTexts } from './texts-in-force.ts';

export interface LegalDeps extends EndpointDeps {
  readonly db: Db;
  readonly clock: Clock;
  readonly legalTexts: ReadLegalTexts;
}

/** Shared caches may serve all clients, and delay a new text by at most a minute. A refusal does not depend on the cache. */
const CACHE = 'public, max-age=30, stale-while-revalidate=30';

/** The texts are public, so these reads may use only a few of the database's connections. */
const READS = { atOnceMax: 2, waitingMax: 2_000, waitMaxMs: 2_000 };

export function registerLegalRoutes(app: FastifyInstance, deps: LegalDeps): void {
  const { db, clock, legalTexts } = deps;
  const readGate = createGate(READS);

  endpoint(app, deps, api.legalText, async ({ params: { kind }, request, reply }) => {
    const text = await readGate(callerOf(request), async () =>
      readWhole(db, kind, textInForce(await legalTexts(), kind, clock.nowMs())),
    );
    const { intro, sections } = contentOf(text);
    reply.header('cache-control', CACHE);
    return {
      version: text.label,
      in_force_since: text.inForceFrom.toISOString(),
      intro,
      sections: sections.map(({ heading, paragraphs }) => ({
        heading,
        paragraphs: [...paragraphs],
      })),
    };
  });
}
