/**
 * Determines the device that makes a call of the scanner. Each session is recorded with its device at its first call, and then once a
 * minute; in between it is remembered in memory, so that a scan needs no further statement.
 */
import { randomFillSync } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import { uuidv7 } from '@athos/domain/uuid';
import type { Clock } from '../../../platform/clock.ts';
import type { Db } from '../../../platform/database/database.ts';
import { AppError, invariant } from '../../../platform/errors.ts';
import type { SignedInUser } from '../../../platform/http/endpoint.ts';
import { hashOf } from '../../../platform/keys/hashing-keys.ts';
import { deviceOf, type Sessions } from '../../identity/index.ts';
import { noteSession, touchDevice } from './scanners.sql.ts';

export interface DeviceDeps {
  readonly db: Db;
  readonly clock: Clock;
  readonly sessions: Sessions;
  readonly config: { readonly hashingKeys: readonly string[] };
}

interface Noted {
  readonly deviceId: string;
  seenAtMs: number;
  scanAtMs: number;
}

const NOTE_EVERY_MS = 60_000;
/** The number of scanner sessions remembered in one process. Above it, all are recorded again. */
const NOTED_COUNT_MAX = 10_000;
/** The name of the app's main script, such as `index-DkPbY2xQ`. */
const APP_VERSION_PATTERN = /^[\w.-]{1,40}$/;

/**
 * The hash of the device that makes a call. A device without an id of its own is identified by its kind of browser together with the
 * user, since other users may use the same kind.
 */
function hashedDevice(request: FastifyRequest, userId: bigint, hashingKeys: readonly string[]) {
  const [hash, ...earlierHashes] = hashingKeys.map((key) => {
    const device = deviceOf(request, [key]);
    const own = Buffer.concat([Buffer.from(`scanner ${userId} `), device.hash]);
    return device.hasId ? device.hash : hashOf([key], own);
  });
  invariant(hash !== undefined, 'at least one hashing key is needed');
  return { hash, earlierHashes, label: deviceOf(request, hashingKeys).label };
}

const appVersionOf = ({ headers }: FastifyRequest): string | null => {
  const given = headers['x-app-version'];
  return typeof given === 'string' && APP_VERSION_PATTERN.test(given) ? given : null;
};

interface NoteOptions {
  readonly isScan?: boolean;
  /** Handles the data of a blocked device before the call is refused. */
  readonly ifBlocked?: (deviceId: string) => Promise<void>;
}

/** Returns the device's id. Throws `device_blocked`, and ends the session. */
export type NoteDevice = (
  request: FastifyRequest,
  user: SignedInUser,
  options?: NoteOptions,
) => Promise<string>;

export function createNoteDevice(deps: DeviceDeps): NoteDevice {
  const { db, clock, sessions, config } = deps;
  const notedOf = new Map<string, Noted>();

  async function noteFirst(
    request: FastifyRequest,
    user: SignedInUser,
    { isScan = false, ifBlocked }: NoteOptions,
  ): Promise<string> {
    const { userId, sessionId } = user;
    const nowMs = clock.nowMs();
    const seen = {
      id: uuidv7(nowMs, (bytes) => randomFillSync(bytes)),
      ...hashedDevice(request, userId, config.hashingKeys),
      appVersion: appVersionOf(request),
      userId,
      sessionId,
      at: new Date(nowMs),
      isScan,
    };
    const { id, isBlocked } = await db.transaction().execute((tx) => noteSession(tx, seen));
    if (isBlocked) {
      await ifBlocked?.(id);
      await sessions.revoke(db, { userId, sessionId });
      throw new AppError('device_blocked');
    }
    if (notedOf.size >= NOTED_COUNT_MAX) notedOf.clear();
    notedOf.set(sessionId, { deviceId: id, seenAtMs: nowMs, scanAtMs: isScan ? nowMs : 0 });
    return id;
  }

  return async (request, user, options = {}) => {
    const { isScan = false } = options;
    const noted = notedOf.get(user.sessionId);
    if (noted === undefined) return noteFirst(request, user, options);
    const nowMs = clock.nowMs();
    const isDue = (sinceMs: number): boolean => nowMs - sinceMs >= NOTE_EVERY_MS;
    if (!isDue(noted.seenAtMs) && !(isScan && isDue(noted.scanAtMs))) return noted.deviceId;
    // Set before the statement, so that concurrent scans do not repeat it.
    noted.seenAtMs = nowMs;
    if (isScan) noted.scanAtMs = nowMs;
    await touchDevice(db, { id: noted.deviceId, at: new Date(nowMs), isScan });
    return noted.deviceId;
  };
}
