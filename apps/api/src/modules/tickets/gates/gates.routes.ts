import type { FastifyInstance } from 'fastify';
import { api } from '@athos/contract/api';
import { AppError } from '../../../platform/errors.ts';
import { endpoint, type EndpointDeps } from '../../../platform/http/endpoint.ts';
import { createAllowance } from '../../../platform/limits/attempt-limit.ts';
import type { NoteDevice } from '../scanners/devices.ts';
import { selectLog, type OfflineLog } from './logs.sql.ts';
import { readPack, type PackDeps } from './pack.ts';
import { keepEntries, syncEntries, type SyncDeps } from './sync.ts';

export type GateDeps = EndpointDeps & PackDeps & SyncDeps;

/** A device fetches its pack once a minute, and makes five calls to sync after a day without a network. */
const CALLS_PER_SECOND = 1;
const CALLS_AT_ONCE = 20;
/** 200 entries with codes of 40 items take 250 kB. */
const SYNC_BYTES_MAX = 512 * 1024;

/** Registers the calls that scanners need to work without a network. */
export function registerGateRoutes(
  app: FastifyInstance,
  deps: GateDeps,
  noteDevice: NoteDevice,
): void {
  const { db, clock } = deps;
  const mayCall = createAllowance<string>(clock, CALLS_PER_SECOND, CALLS_AT_ONCE);

  function takeTurn(deviceId: string): void {
    if (!mayCall(deviceId)) throw new AppError('too_many_requests', { retryAfterSeconds: 1 });
  }

  /** A log accepts entries only from its own device: otherwise anybody could make it suspect. */
  async function requireOwn(logId: string, deviceId: string): Promise<OfflineLog> {
    const log = await selectLog(db, logId);
    if (log?.deviceId !== deviceId) throw new AppError('device_not_enrolled');
    return log;
  }

  endpoint(app, deps, api.offlinePack, async ({ user, query, request, reply }) => {
    const deviceId = await noteDevice(request, user);
    takeTurn(deviceId);
    reply.header('cache-control', 'no-store');
    return readPack(deps, {
      deviceId,
      staff: user,
      venueId: query.venue_id,
      since: query.since === undefined ? undefined : new Date(query.since),
    });
  });

  const sync = { ...api.offlineSync, bodyBytesMax: SYNC_BYTES_MAX };
  endpoint(app, deps, sync, async ({ user, body, request }) => {
    const deviceId = await noteDevice(request, user, {
      async ifBlocked(id) {
        takeTurn(id);
        await keepEntries(deps, await requireOwn(body.device_id, id), body.entries);
      },
    });
    takeTurn(deviceId);
    return syncEntries(deps, await requireOwn(body.device_id, deviceId), body.entries);
  });
}
