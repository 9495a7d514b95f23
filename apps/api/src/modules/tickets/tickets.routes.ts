import type { FastifyInstance } from 'fastify';
import { api } from '@athos/contract/api';
import { SCAN_OUTCOMES } from '@athos/contract/scanner/calls';
import { createAttemptLimit, type TakeAttempt } from '../../platform/limits/attempt-limit.ts';
import { endpoint, type EndpointDeps } from '../../platform/http/endpoint.ts';
import { AppError, invariant } from '../../platform/errors.ts';
import type { Log } from '../../platform/log/log.ts';
import { requireStaff, type AttemptDeps } from './attempt.ts';
import { registerGateRoutes } from './gates/gates.routes.ts';
import { createReadFacts } from './read-facts.ts';
import { redeemItems } from './redeem.ts';
import { isRedemptionKept } from './redeem-items.sql.ts';
import { createRefusedCount } from './refused-scans.ts';
import { scanCode } from './scan.ts';
import { createNoteDevice, type DeviceDeps } from './scanners/devices.ts';
import { enrol } from './scanners/enrolment.ts';
import { selectScanCounts, selectScans, type ScanRow } from './scans.sql.ts';
import { signCode } from './sign-code.ts';
import { selectVenuesOfStaff } from './attempt-facts.sql.ts';

export interface TicketDeps
  extends Omit<AttemptDeps, 'readFacts'>, EndpointDeps, Omit<DeviceDeps, 'config'> {
  readonly sessions: DeviceDeps['sessions'];
  readonly log: Log;
  readonly config: DeviceDeps['config'] & { readonly limits: { readonly scansPerSecond: number } };
}

const DAY_MS = 24 * 60 * 60_000;

export function knownOutcome(logged: string): (typeof SCAN_OUTCOMES)[number] {
  const outcome = SCAN_OUTCOMES.find((known) => known === logged);
  invariant(outcome !== undefined, `a logged outcome is known: ${logged}`);
  return outcome;
}

const presentScan = (scan: ScanRow) => ({
  ...scan,
  id: Number(scan.id),
  at: scan.at.toISOString(),
  outcome: knownOutcome(scan.outcome),
});

export function registerTicketRoutes(app: FastifyInstance, deps: TicketDeps): void {
  const { db, clock, config } = deps;
  const attempts: AttemptDeps = { ...deps, readFacts: createReadFacts(db) };
  const takeAllowance = createAttemptLimit(clock, config.limits.scansPerSecond);
  const noteDevice = createNoteDevice(deps);
  const countRefused = createRefusedCount(deps);
  const takeAttempt: TakeAttempt = (userId, isReplay) =>
    takeAllowance(userId, isReplay).catch((error: unknown) => {
      if (error instanceof AppError) countRefused(userId);
      throw error;
    });

  endpoint(app, deps, api.sign, async ({ user, body }) => ({
    signature: await signCode(deps, user, body.data),
  }));

  endpoint(app, deps, api.scannerVenues, async ({ user, request, reply }) => {
    await noteDevice(request, user);
    const venues = await selectVenuesOfStaff(db, user.userId);
    requireStaff(venues);
    reply.header('cache-control', 'no-store');
    return { venues: [...venues] };
  });

  endpoint(app, deps, api.scannerScan, async ({ user, body, request }) => {
    await takeAttempt(user.userId);
    await noteDevice(request, user, { isScan: true });
    return scanCode(attempts, {
      userId: user.userId,
      payload: body.payload,
      venueId: body.venue_id,
    });
  });

  endpoint(app, deps, api.scannerRedeem, async ({ user, body, key, request }) => {
    await takeAttempt(user.userId, () => isRedemptionKept(db, user.userId, key));
    const deviceId = await noteDevice(request, user, { isScan: true });
    return redeemItems(attempts, {
      userId: user.userId,
      payload: body.payload,
      venueId: body.venue_id,
      itemIds: body.item_ids,
      key,
      deviceId,
    });
  });

  endpoint(app, deps, api.scannerEnrol, async ({ user, body, request }) => {
    requireStaff(await selectVenuesOfStaff(db, user.userId));
    const deviceId = await noteDevice(request, user);
    return enrol(deps, user, { deviceId, code: body.enrolment_code, key: body.key });
  });

  registerGateRoutes(app, deps, noteDevice);

  endpoint(app, deps, api.scannerScans, async ({ user, query, request, reply }) => {
    await noteDevice(request, user);
    const since = new Date(query.since ?? clock.nowMs() - DAY_MS);
    const { limit, venue_id: venueId } = query;
    const [venues, scans, counts] = await Promise.all([
      selectVenuesOfStaff(db, user.userId),
      selectScans(db, user.userId, { since, limit, venueId }),
      selectScanCounts(db, user.userId, { since, venueId }),
    ]);
    requireStaff(venues);
    reply.header('cache-control', 'no-store');
    return { scans: scans.map(presentScan), counts };
  });
}
