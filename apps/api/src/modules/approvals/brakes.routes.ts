import type { FastifyInstance } from 'fastify';
import { api } from '@athos/contract/api';
import { BRAKE_SETTINGS, brakeKey, BRAKES } from '@athos/contract/brakes';
import { readProgrammeSettings } from '@athos/contract/programme';
import { consoleApi } from '@athos/contract/console/calls';
import { consoleEndpoint, type ConsoleDeps } from '../../platform/console/console-endpoint.ts';
import { endpoint, type EndpointDeps } from '../../platform/http/endpoint.ts';
import { selectStoredSettings } from '../../platform/settings/programme-settings.sql.ts';
import type { ReadProgramme } from '../../platform/settings/programme-settings.ts';
import { selectPendingOf } from './approvals.sql.ts';
import { nameChangers } from './changers.sql.ts';
import { pullBrake, releaseAction } from './brakes.ts';
import { perform, type PerformDeps } from './perform.ts';

export interface ProgrammeDeps extends EndpointDeps {
  readonly programme: ReadProgramme;
}

/**
 * Every wallet polls this. A shared cache may serve most of the requests, which delays a notice by at most 10 s; a refusal is never
 * delayed.
 */
const CACHE = 'public, max-age=5, stale-while-revalidate=5';

export function registerProgrammeRoutes(app: FastifyInstance, deps: ProgrammeDeps): void {
  endpoint(app, deps, api.programme, async ({ reply }) => {
    const settings = await deps.programme();
    reply.header('cache-control', CACHE);
    return {
      stopped: BRAKES.flatMap((what) => {
        const pulled = settings[BRAKE_SETTINGS[what]];
        return pulled === null ? [] : [{ what, notice: pulled.notice }];
      }),
    };
  });
}

export function registerBrakeRoutes(app: FastifyInstance, deps: ConsoleDeps & PerformDeps): void {
  const { db } = deps;

  consoleEndpoint(app, deps, consoleApi.brakes, async () => {
    const stored = await selectStoredSettings(db, BRAKES.map(brakeKey));
    // Read from the database instead of memory: a person who has just pulled a brake must see it.
    const { settings } = readProgrammeSettings(
      new Map(stored.map(({ key, value }) => [key, value])),
    );
    const requests = await selectPendingOf(db, releaseAction.name);
    const nameOf = await nameChangers(
      db,
      stored.map(({ by }) => by),
    );
    const items = BRAKES.map((name) => {
      const pulled = settings[BRAKE_SETTINGS[name]];
      const row = stored.find(({ key }) => key === brakeKey(name));
      return {
        name,
        pulled:
          pulled === null || row === undefined
            ? null
            : { ...pulled, at: row.at.toISOString(), by: nameOf(row.by) },
        approval_id: requests.get(name) ?? null,
      };
    });
    return { items };
  });

  consoleEndpoint(app, deps, consoleApi.pullBrake, async ({ params, body, ...act }) => {
    await pullBrake(deps, act, params.id, body);
    return { success: true };
  });

  consoleEndpoint(app, deps, consoleApi.releaseBrake, ({ params, body, ...act }) =>
    perform(deps, act, releaseAction, { payload: { name: params.id }, reason: body.reason }),
  );
}
