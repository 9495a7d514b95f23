/**
 * Counts attempts to prove a password (D-063; the protocol is platform/limits/guesses.ts). Subjects are e-mail addresses, with or without
 * an account, and network places. A device that has signed in to the account before has a limit of its own instead: otherwise a
 * stranger's guesses would keep the owner out.
 */
import { dateOf } from '../../../platform/clock.ts';
import type { Db, Tx } from '../../../platform/database/database.ts';
import {
  attemptSubject,
  countAttempts,
  forgetAttempts,
  HOUR_MS,
  type AttemptSubject,
} from '../../../platform/limits/attempt-counters.sql.ts';
import {
  networkLimits,
  requireAttemptNow,
  type Attempt,
  type GuessDeps,
} from '../../../platform/limits/guesses.ts';
import type { Device } from './device.ts';
import { findKnownDevice, selectKnownDevices } from './known-devices.sql.ts';

export interface LimitDeps extends GuessDeps {
  readonly config: GuessDeps['config'] & {
    readonly limits: GuessDeps['config']['limits'] & {
      readonly mailRequestsPerAddressAndHour: number;
      readonly deviceMailsPerAccountAndDay: number;
    };
  };
}

/** The network place and the device from which a password was sent. */
export interface Origin {
  readonly networkAddress: string;
  readonly device: Device;
}

const accountSubject = ({ config }: LimitDeps, email: string): AttemptSubject =>
  attemptSubject(config.hashingKeys, `account ${email}`);

const deviceSubject = ({ config }: LimitDeps, email: string, deviceHash: Buffer): AttemptSubject =>
  attemptSubject(config.hashingKeys, `device ${deviceHash.toString('hex')} of ${email}`);

/**
 * Counts a mail about a new device. Returns `false` if the owner has already been sent enough of them today: otherwise somebody who knows
 * the password could fill the mailbox, and the first mails already say everything.
 */
export async function takeDeviceMail(
  tx: Tx,
  { clock, config }: LimitDeps,
  userId: bigint,
): Promise<boolean> {
  const subject = attemptSubject(config.hashingKeys, `device mails ${userId}`);
  const counted = await countAttempts(tx, [{ subject, windowMs: 24 * HOUR_MS }], dateOf(clock));
  return counted.every(
    ({ attemptCount }) => attemptCount <= config.limits.deviceMailsPerAccountAndDay,
  );
}

/** An attempt at the password of a sign-up whose mailed code the caller holds. */
export const attemptOnSignUp = ({ config }: LimitDeps, signUpId: bigint): Attempt => ({
  delayed: attemptSubject(config.hashingKeys, `sign-up ${signUpId}`),
  networks: [],
});

/**
 * Decides which limits apply to an attempt, and counts nothing yet. Throws `too_many_attempts` if one of them has already been reached,
 * so that such an attempt does not queue for hashing.
 */
export async function planAttempt(
  db: Db,
  deps: LimitDeps,
  email: string,
  origin: Origin,
): Promise<Attempt> {
  const attempt = await attemptOf(db, deps, email, origin);
  await requireAttemptNow(db, deps, attempt);
  return attempt;
}

async function attemptOf(
  db: Db,
  deps: LimitDeps,
  email: string,
  { networkAddress, device }: Origin,
): Promise<Attempt> {
  const knownHash = await findKnownDevice(db, email, device);
  if (knownHash !== undefined) {
    return { delayed: deviceSubject(deps, email, knownHash), networks: [] };
  }
  return {
    delayed: accountSubject(deps, email),
    networks: networkLimits(deps, 'network', networkAddress),
  };
}

/** Called after a new password: failed guesses at the old one must not delay the owner. */
export async function forgetFailures(
  tx: Tx,
  deps: LimitDeps,
  { userId, email }: { userId: bigint; email: string },
): Promise<void> {
  const devices = await selectKnownDevices(tx, userId);
  await forgetAttempts(tx, [
    accountSubject(deps, email),
    ...devices.map((deviceHash) => deviceSubject(deps, email, deviceHash)),
  ]);
}
