/** Codes that give a device its name and venue: created in the console, typed into the scanner, used once. */
import { randomInt } from 'node:crypto';
import { ENROLMENT_ALPHABET } from '@athos/contract/scanner/calls';
import { dateOf, type Clock } from '../../../platform/clock.ts';
import type { ActInput } from '../../../platform/console/act.ts';
import type { Db } from '../../../platform/database/database.ts';
import { AppError } from '../../../platform/errors.ts';
import type { SignedInUser } from '../../../platform/http/endpoint.ts';
import { hashesOf, hashOf } from '../../../platform/keys/hashing-keys.ts';
import {
  attemptSubject,
  HOUR_MS,
  takeAttempt,
} from '../../../platform/limits/attempt-counters.sql.ts';
import { lockSeenVenue } from '../venues/manage-venues.ts';
import { enrolKey, provenKey, type GivenKey } from '../gates/enrol-key.ts';
import { enrolDevice, insertEnrolment, takeEnrolment } from './scanners.sql.ts';

interface EnrolmentDeps {
  readonly db: Db;
  readonly clock: Clock;
  readonly config: { readonly hashingKeys: readonly string[] };
}

/** 30^8, or 39 bits: at the limit below, one person would guess for some 8 million years. */
const CODE_LENGTH = 8;
const LIFETIME_MS = 15 * 60_000;
const GUESSES_PER_HOUR = 10;

const drawCode = (): string =>
  Array.from(
    { length: CODE_LENGTH },
    () => ENROLMENT_ALPHABET[randomInt(ENROLMENT_ALPHABET.length)],
  ).join('');

const hashedText = (code: string): string => `scanner enrolment ${code}`;

export async function createEnrolment(
  deps: EnrolmentDeps,
  act: Pick<ActInput, 'tx' | 'staff' | 'record'>,
  { venueId, name }: { readonly venueId: number; readonly name: string },
) {
  const { tx, staff, record } = act;
  const { archivedAt } = await lockSeenVenue(act, venueId);
  if (archivedAt !== null) {
    throw new AppError('state_changed', { detail: 'This venue is archived.' });
  }
  const at = dateOf(deps.clock);
  const code = drawCode();
  const expiresAt = new Date(at.getTime() + LIFETIME_MS);
  const codeHash = hashOf(deps.config.hashingKeys, hashedText(code));
  await insertEnrolment(tx, { codeHash, venueId, name, staffId: staff.staffId, at, expiresAt });
  await record({
    subjectId: String(venueId),
    after: { name, expires_at: expiresAt.toISOString() },
  });
  return { code, expires_at: expiresAt.toISOString() };
}

interface Enrolment {
  readonly deviceId: string;
  readonly code: string;
  /** The key of a device that can redeem without a network. */
  readonly key: GivenKey | undefined;
}

/**
 * Gives the device of a session the name and the venue of a code, and creates a log for its key. Throws `invalid_code`, the same for
 * every code that cannot be used here and now, `too_many_attempts`, `invalid_proof` and `device_blocked`. None of these errors uses up
 * the code.
 */
export async function enrol(
  deps: EnrolmentDeps,
  { userId, sessionId }: SignedInUser,
  { deviceId, code, key }: Enrolment,
) {
  const { db, clock, config } = deps;
  const now = dateOf(clock);
  // Counted before it is judged, even if it is right: no person enrols ten devices in an hour.
  const limit = {
    subject: attemptSubject(config.hashingKeys, `scanner enrolment ${userId}`),
    windowMs: HOUR_MS,
    countMax: GUESSES_PER_HOUR,
  };
  await takeAttempt(db, [limit], now, 'too_many_attempts');
  const publicKey = key && provenKey(key, sessionId);
  return db.transaction().execute(async (tx) => {
    const codeHashes = hashesOf(config.hashingKeys, hashedText(code));
    const taken = await takeEnrolment(tx, { codeHashes, userId, now });
    if (taken === undefined) throw new AppError('invalid_code');
    await enrolDevice(tx, deviceId, { ...taken, at: now });
    const { name, venueId, venue } = taken;
    const id =
      publicKey === undefined ? deviceId : await enrolKey(tx, { deviceId, publicKey, at: now });
    return { device_id: id, name, venue: { id: venueId, name: venue } };
  });
}
