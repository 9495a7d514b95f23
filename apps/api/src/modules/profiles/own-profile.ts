/** How customers choose their name and handle. */
import { brand } from '@athos/brand/brand';
import { cleanName, isReserved, nameFault, type NameFault } from '@athos/domain/display-name';
import { parseHandle, skeletonOf } from '@athos/domain/handle';
import { dateOf, type Clock } from '../../platform/clock.ts';
import type { Db } from '../../platform/database/database.ts';
import { AppError } from '../../platform/errors.ts';
import {
  attemptSubject,
  HOUR_MS,
  takeAttempt,
} from '../../platform/limits/attempt-counters.sql.ts';
import { lockOwner } from '../identity/index.ts';
import {
  claimHandle,
  endHandle,
  selectProfile,
  upsertFindable,
  upsertName,
  type Profile,
} from './profiles.sql.ts';

export interface ProfileDeps {
  readonly db: Db;
  readonly clock: Clock;
  readonly config: { readonly hashingKeys: readonly string[]; readonly publicUrl: string };
}

const DAY_MS = 24 * HOUR_MS;
/** Another handle can be chosen only after this time, so that nobody tries many handles to be mistaken for others. */
const HANDLE_KEPT_MS = 30 * DAY_MS;
/** How long a handle that was given up stays blocked: payments meant for its owner must not reach somebody else. */
export const HANDLE_BLOCKED_MS = 365 * DAY_MS;
/** Each refusal reveals that somebody has a handle. */
const CLAIMS_PER_DAY = 20;

/** Words that names and handles may not contain: nobody may be mistaken for the brand, the provider or their support. */
const RESERVED: readonly string[] = [
  ...new Set([
    brand.name,
    brand.productSlug,
    brand.provider.name,
    ...brand.tokens.map(({ word }) => word).filter((word) => word.length > 3),
    'support',
    'helpdesk',
    'official',
    'administrator',
  ]),
];

const NAME_FAULTS: Readonly<Record<NameFault, string>> = {
  length: 'A name has 2 to 40 characters.',
  signs: 'A name has letters or digits, and no signs that cannot be seen or that turn the text.',
  reserved: 'This name could be taken for the programme, its provider or their support.',
};

/** The time from which another handle can be chosen; `undefined` if one can be chosen now. */
export function changesAt({ claimedAt }: Profile, now: Date): Date | undefined {
  if (claimedAt === null) return undefined;
  const at = new Date(claimedAt.getTime() + HANDLE_KEPT_MS);
  return at > now ? at : undefined;
}

/** Throws `invalid_request` with the reason, and `session_ended`. */
export async function setDisplayName(
  { db }: ProfileDeps,
  userId: bigint,
  { text, showsName }: { readonly text: string | null; readonly showsName: boolean },
): Promise<Profile> {
  const displayName = text === null ? null : cleanName(text);
  const fault = displayName === null ? undefined : nameFault(displayName, RESERVED);
  if (fault !== undefined) throw new AppError('invalid_request', { detail: NAME_FAULTS[fault] });
  return db.transaction().execute(async (tx) => {
    await lockOwner(tx, userId);
    await upsertName(tx, userId, { displayName, showsName });
    return selectProfile(tx, userId);
  });
}

async function takeClaim({ db, clock, config }: ProfileDeps, userId: bigint): Promise<void> {
  const subject = attemptSubject(config.hashingKeys, `handle claims ${userId}`);
  const limit = { subject, windowMs: DAY_MS, countMax: CLAIMS_PER_DAY };
  await db
    .transaction()
    .execute((tx) => takeAttempt(tx, [limit], dateOf(clock), 'too_many_requests'));
}

function readHandle(text: string): string {
  const handle = parseHandle(text);
  if (handle === undefined) {
    const detail =
      'A handle has 3 to 20 letters from a to z, digits and _, and begins with a letter.';
    throw new AppError('invalid_request', { detail });
  }
  if (isReserved(handle, RESERVED)) {
    throw new AppError('invalid_request', { detail: NAME_FAULTS.reserved });
  }
  return handle;
}

/** Throws `invalid_request`, `handle_taken`, `handle_changed_lately`, `too_many_requests`, `session_ended`. */
export async function setHandle(
  deps: ProfileDeps,
  userId: bigint,
  { text, isFindable }: { readonly text: string | null; readonly isFindable: boolean },
): Promise<Profile> {
  const { db, clock } = deps;
  const handle = text === null ? null : readHandle(text);
  const now = dateOf(clock);
  const before = await selectProfile(db, userId);
  if (handle !== null && handle !== before.handle) await takeClaim(deps, userId);
  return db.transaction().execute(async (tx) => {
    await lockOwner(tx, userId);
    await upsertFindable(tx, userId, isFindable);
    const current = await selectProfile(tx, userId);
    if (handle === current.handle) return current;
    const from = changesAt(current, now);
    if (from !== undefined && handle !== null) {
      throw new AppError('handle_changed_lately', {
        detail: `Nothing was changed. Choose another one from ${from.toISOString()}.`,
      });
    }
    await endHandle(tx, userId, now);
    if (handle !== null) {
      const freeBefore = new Date(now.getTime() - HANDLE_BLOCKED_MS);
      const claim = { skeleton: skeletonOf(handle), handle, at: now, freeBefore };
      if (!(await claimHandle(tx, userId, claim))) throw new AppError('handle_taken');
    }
    return selectProfile(tx, userId);
  });
}
