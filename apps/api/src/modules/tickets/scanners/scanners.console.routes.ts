import type { FastifyInstance } from 'fastify';
import { consoleApi } from '@athos/contract/console/calls';
import { dateOf } from '../../../platform/clock.ts';
import type { ActInput } from '../../../platform/console/act.ts';
import { consoleEndpoint, type ConsoleDeps } from '../../../platform/console/console-endpoint.ts';
import type { ListCursors } from '../../../platform/console/list-cursor.ts';
import type { Tx } from '../../../platform/database/database.ts';
import { AppError } from '../../../platform/errors.ts';
import type { Sessions } from '../../identity/index.ts';
import { clearLogs, type ClearDeps } from '../gates/clear-logs.ts';
import { readOfflineFacts } from '../gates/offline-facts.ts';
import { lockSeenVenue } from '../venues/manage-venues.ts';
import { shownVenues, venueListName, venuesSeenBy } from '../venues/seen-venues.ts';
import { createEnrolment } from './enrolment.ts';
import {
  countDevices,
  lockDevices,
  selectDevice,
  selectDevices,
  selectSessionsOf,
  updateBlocked,
  type DeviceRow,
} from './scanners.sql.ts';

export interface ScannerConsoleDeps extends ConsoleDeps, ClearDeps {
  readonly listCursors: ListCursors;
  readonly sessions: Sessions;
}

const presentDevice = (row: DeviceRow) => ({
  id: row.id,
  name: row.name,
  label: row.label,
  venue: row.venueId === null || row.venue === null ? null : { id: row.venueId, name: row.venue },
  user_uuid: row.userUuid,
  app_version: row.appVersion,
  first_seen_at: row.firstSeenAt.toISOString(),
  last_seen_at: row.lastSeenAt.toISOString(),
  last_scan_at: row.lastScanAt?.toISOString() ?? null,
  is_signed_in: row.isSignedIn,
  blocked_at: row.blockedAt?.toISOString() ?? null,
  offline_state: row.offlineState,
});

/** Ends the sessions of devices in every process, and blocks the devices or unblocks them. Returns how many sessions ended. */
async function signOut(
  { clock, sessions }: ScannerConsoleDeps,
  tx: Tx,
  { ids, isBlocked }: { readonly ids: readonly string[]; readonly isBlocked?: boolean },
): Promise<number> {
  if (ids.length === 0) return 0;
  const now = dateOf(clock);
  if (isBlocked !== undefined) await updateBlocked(tx, ids, isBlocked ? now : null);
  if (isBlocked === false) return 0;
  const open = await selectSessionsOf(tx, ids, now);
  for (const session of open) await sessions.revoke(tx, session);
  return open.length;
}

/** Locks a device that the person may see. Throws `not_found`. */
async function lockDevice(
  { clock }: ScannerConsoleDeps,
  { tx, staff }: Pick<ActInput, 'tx' | 'staff'>,
  id: string,
): Promise<readonly string[]> {
  const venueIds = await venuesSeenBy(tx, staff);
  const ids = await lockDevices(tx, { venueIds, now: dateOf(clock) }, { id });
  if (ids.length === 0) throw new AppError('not_found');
  return ids;
}

function registerActs(app: FastifyInstance, deps: ScannerConsoleDeps): void {
  consoleEndpoint(app, deps, consoleApi.signOutScanner, async (act) => {
    const ids = await lockDevice(deps, act, act.params.id);
    const sessionCount = await signOut(deps, act.tx, { ids });
    await act.record({ subjectId: act.params.id, after: { ended_sessions: sessionCount } });
    return { session_count: sessionCount };
  });

  consoleEndpoint(app, deps, consoleApi.blockScanner, async (act) => {
    const isBlocked = act.body.is_blocked;
    const ids = await lockDevice(deps, act, act.params.id);
    const sessionCount = await signOut(deps, act.tx, { ids, isBlocked });
    const after = { is_blocked: isBlocked, ended_sessions: sessionCount };
    await act.record({ subjectId: act.params.id, after });
    return { session_count: sessionCount };
  });

  consoleEndpoint(app, deps, consoleApi.clearScanner, async (act) => {
    await lockDevice(deps, act, act.params.id);
    const { is_booked: isBooked, reason } = act.body;
    const cleared = await clearLogs(deps, act.tx, { deviceId: act.params.id, isBooked });
    await act.record({
      subjectId: act.params.id,
      after: { is_booked: isBooked, reason, ...cleared },
    });
    return cleared;
  });

  consoleEndpoint(app, deps, consoleApi.signOutVenue, async (act) => {
    const { tx, params, body, record } = act;
    await lockSeenVenue(act, params.id);
    const now = dateOf(deps.clock);
    const ids = await lockDevices(tx, { venueIds: [params.id], now }, 'all');
    const sessionCount = await signOut(deps, tx, {
      ids,
      ...(body.is_blocked && { isBlocked: true }),
    });
    await record({
      subjectId: String(params.id),
      after: { is_blocked: body.is_blocked, devices: ids.length, ended_sessions: sessionCount },
    });
    return { device_count: ids.length, session_count: sessionCount };
  });

  consoleEndpoint(app, deps, consoleApi.createEnrolment, (act) =>
    createEnrolment(deps, act, { venueId: act.params.id, name: act.body.name }),
  );
}

export function registerScannerConsole(app: FastifyInstance, deps: ScannerConsoleDeps): void {
  const { db, clock, listCursors } = deps;

  consoleEndpoint(app, deps, consoleApi.scanners, async ({ query, staff }) => {
    const seen = await venuesSeenBy(db, staff);
    const name = venueListName('scanners', seen);
    const { limit, after, count } = listCursors.readPage(name, query);
    const venueIds = shownVenues(seen, query.venue_id);
    const filters = { venueIds, state: query.state, now: dateOf(clock) };
    const [rows, total] = await Promise.all([
      selectDevices(db, filters, { limit, beforeId: after?.[0] }),
      count ?? countDevices(db, filters),
    ]);
    return listCursors.answer(name, query, {
      rows,
      count: total,
      positionOf: ({ id }) => [id],
      present: presentDevice,
    });
  });

  consoleEndpoint(app, deps, consoleApi.scanner, async ({ params, staff }) => {
    const venueIds = await venuesSeenBy(db, staff);
    const row = await selectDevice(db, { venueIds, now: dateOf(clock) }, params.id);
    if (row === undefined) throw new AppError('not_found');
    return { ...presentDevice(row), offline: await readOfflineFacts(deps, row.id) };
  });

  registerActs(app, deps);
}
