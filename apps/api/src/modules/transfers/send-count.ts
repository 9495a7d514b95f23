/**
 * Counts each user's sends of 24 hours. A send of 1 micro-unit costs its sender nothing and the journal a row forever, so a programme
 * limits the sends of a user. The count must not slow sends down: it is kept in memory, and added to the database, where all processes
 * share it, only in parts of a twentieth of the limit. So an honest user costs no statement, and at worst each further process, and each
 * restart, allows a user a twentieth more.
 */
import { dateOf, type Clock } from '../../platform/clock.ts';
import type { Db } from '../../platform/database/database.ts';
import { attemptSubject, countAttempts } from '../../platform/limits/attempt-counters.sql.ts';

const WINDOW_MS = 24 * 60 * 60 * 1000;
const PARTS = 20;
/** The maximum number of remembered users. The oldest are forgotten first, with counts that were not added yet. */
const KNOWN_COUNT_MAX = 50_000;

interface Tally {
  endsAtMs: number;
  /** The count in the database when this process last added to it. */
  sharedCount: number;
  /** The sends of this process since then. */
  ownCount: number;
  adding: Promise<void> | undefined;
}

export interface SendCount {
  /**
   * Counts one more send, before it is made. If `countMax` is reached, counts nothing and returns the seconds after which the user may
   * send again.
   */
  take(userId: bigint, countMax: number): Promise<number | undefined>;
  /** Takes back a send that was not made. */
  giveBack(userId: bigint): void;
}

interface SendCountDeps {
  readonly db: Db;
  readonly clock: Clock;
  readonly config: { readonly hashingKeys: readonly string[] };
}

export function createSendCount({ db, clock, config }: SendCountDeps): SendCount {
  const tallies = new Map<bigint, Tally>();

  function tallyOf(userId: bigint): Tally {
    const known = tallies.get(userId);
    const nowMs = clock.nowMs();
    if (known !== undefined && known.endsAtMs > nowMs) return known;
    tallies.delete(userId);
    const [oldest] = tallies.keys();
    if (tallies.size >= KNOWN_COUNT_MAX && oldest !== undefined) tallies.delete(oldest);
    const fresh = { endsAtMs: nowMs + WINDOW_MS, sharedCount: 0, ownCount: 0, adding: undefined };
    tallies.set(userId, fresh);
    return fresh;
  }

  async function add(userId: bigint, tally: Tally): Promise<void> {
    const count = tally.ownCount;
    const subject = attemptSubject(config.hashingKeys, `sends:${userId}`);
    const [counted] = await countAttempts(
      db,
      [{ subject, windowMs: WINDOW_MS, count }],
      dateOf(clock),
    );
    tally.ownCount -= count;
    tally.sharedCount = counted?.attemptCount ?? 0;
    tally.endsAtMs = counted?.windowEndsAt.getTime() ?? tally.endsAtMs;
  }

  return {
    async take(userId, countMax) {
      const tally = tallyOf(userId);
      const partCount = Math.max(1, Math.floor(countMax / PARTS));
      while (tally.sharedCount + tally.ownCount < countMax) {
        if (tally.ownCount < partCount) {
          tally.ownCount += 1;
          return undefined;
        }
        tally.adding ??= add(userId, tally).finally(() => (tally.adding = undefined));
        await tally.adding;
      }
      return Math.max(1, Math.ceil((tally.endsAtMs - clock.nowMs()) / 1000));
    },
    giveBack(userId) {
      tallyOf(userId).ownCount -= 1;
    },
  };
}
