/**
 * Limits on guessing passwords (decisions "Sessions"), and on having mails sent. An attempt is counted before the password is
 * looked at and taken back if it was right: so of a thousand attempts at once no more are let through than of a thousand in a
 * row, in however many processes. Subjects are e-mail addresses, with or without an account, and network places; only keyed
 * hashes are kept.
 */
import { createHmac } from 'node:crypto';
import { dateOf, type Clock } from '../../../platform/clock.ts';
import type { Db, Tx } from '../../../platform/database/database.ts';
import { AppError } from '../../../platform/errors.ts';
import { networkPlace } from '../../../platform/limits/network-address.ts';
import {
  deleteAttempts,
  selectAttemptsForUpdate,
  uncountAttempt,
  upsertAttempt,
} from './sign-in-limits.sql.ts';

const HOUR_MS = 60 * 60 * 1000;
/** An account's count begins anew after a day. */
const ACCOUNT_WINDOW_MS = 24 * HOUR_MS;
/** 2^30 s is above every setting of the longest delay. */
const DOUBLINGS_MAX = 30;

export interface LimitDeps {
  readonly clock: Clock;
  readonly config: {
    readonly hashingKey: string;
    readonly limits: {
      readonly signInFreeFailures: number;
      readonly signInDelayMaxSeconds: number;
      readonly signInFailuresPerAddressAndHour: number;
      readonly mailRequestsPerAddressAndHour: number;
    };
  };
}

/** One attempt to prove a password, counted. */
export interface Attempt {
  readonly account: Buffer;
  readonly network: Buffer;
}

/** The pause after that many failures: none up to `freeCount` - 1, then 1, 2, 4 ... up to `delayMaxSeconds`. */
export function delayAfterSeconds(
  failureCount: number,
  freeCount: number,
  delayMaxSeconds: number,
): number {
  if (failureCount < freeCount) return 0;
  return Math.min(delayMaxSeconds, 2 ** Math.min(failureCount - freeCount, DOUBLINGS_MAX));
}

function refuseUntil(
  atMs: number,
  nowMs: number,
  code: 'too_many_attempts' | 'too_many_requests' = 'too_many_attempts',
): void {
  if (atMs <= nowMs) return;
  throw new AppError(code, { retryAfterSeconds: Math.ceil((atMs - nowMs) / 1000) });
}

/** The keyed hash under which attempts on an e-mail address are counted. */
export const accountSubject = ({ config }: LimitDeps, email: string): Buffer =>
  createHmac('sha256', config.hashingKey).update(`account ${email}`).digest();

/** The keyed hash under which what comes from a network place is counted. */
const networkSubject = (
  { config }: LimitDeps,
  counted: 'network' | 'mails',
  address: string,
): Buffer =>
  createHmac('sha256', config.hashingKey)
    .update(`${counted} ${networkPlace(address)}`)
    .digest();

/**
 * Counts a request after which a mail may be sent, to whatever address: without a limit anybody could have us write to any
 * number of strangers. Throws `too_many_requests`.
 */
export async function takeMailRequest(
  db: Db,
  deps: LimitDeps,
  networkAddress: string,
): Promise<void> {
  const now = dateOf(deps.clock);
  const nowMs = now.getTime();
  await db.transaction().execute(async (tx) => {
    const subject = networkSubject(deps, 'mails', networkAddress);
    const counted = await upsertAttempt(tx, subject, now, new Date(nowMs - HOUR_MS));
    if (counted.failureCount <= deps.config.limits.mailRequestsPerAddressAndHour) return;
    refuseUntil(counted.countedSince.getTime() + HOUR_MS, nowMs, 'too_many_requests');
  });
}

/** Counts an attempt. Throws `too_many_attempts`, and counts nothing, where it comes too early. */
export async function beginAttempt(
  db: Db,
  deps: LimitDeps,
  { email, networkAddress }: { email: string; networkAddress: string },
): Promise<Attempt> {
  const { clock, config } = deps;
  const { signInFreeFailures, signInDelayMaxSeconds, signInFailuresPerAddressAndHour } =
    config.limits;
  const account = accountSubject(deps, email);
  const network = networkSubject(deps, 'network', networkAddress);
  const now = dateOf(clock);
  const nowMs = now.getTime();
  await db.transaction().execute(async (tx) => {
    const counted = await upsertAttempt(tx, network, now, new Date(nowMs - HOUR_MS));
    if (counted.failureCount > signInFailuresPerAddressAndHour) {
      refuseUntil(counted.countedSince.getTime() + HOUR_MS, nowMs);
    }
    const before = await selectAttemptsForUpdate(tx, account);
    if (before !== undefined) {
      const delaySeconds = delayAfterSeconds(
        before.failureCount,
        signInFreeFailures,
        signInDelayMaxSeconds,
      );
      refuseUntil(before.lastFailedAt.getTime() + delaySeconds * 1000, nowMs);
    }
    await upsertAttempt(tx, account, now, new Date(nowMs - ACCOUNT_WINDOW_MS));
  });
  return { account, network };
}

/** The password was right: the account's failures are forgotten, the network place's stay. */
export async function forgiveAttempt(tx: Tx, { account, network }: Attempt): Promise<void> {
  await uncountAttempt(tx, network);
  await deleteAttempts(tx, account);
}

/** The attempt ended without an answer to whether the password was right. */
export async function withdrawAttempt(db: Db, { account, network }: Attempt): Promise<void> {
  await db.transaction().execute(async (tx) => {
    await uncountAttempt(tx, network);
    await uncountAttempt(tx, account);
  });
}
