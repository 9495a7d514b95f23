import { dateOf, type Clock } from '../../platform/clock.ts';
import type { Db } from '../../platform/database/database.ts';
import type { Log } from '../../platform/log/log.ts';
import { addRefusedScans } from './scans.sql.ts';

interface CountDeps {
  readonly db: Db;
  readonly clock: Clock;
  readonly log: Log;
}

/** All refusals of one member of staff within this time are written with one statement. */
const GATHER_MS = 1_000;

/** Counts attempts above the limit in the database. A process that dies loses the counts of its last second. */
export function createRefusedCount({ db, clock, log }: CountDeps): (userId: bigint) => void {
  const countOf = new Map<bigint, number>();

  async function store(userId: bigint): Promise<void> {
    const count = countOf.get(userId) ?? 0;
    countOf.delete(userId);
    try {
      await addRefusedScans(db, { userId, at: dateOf(clock), count });
    } catch (error) {
      log.warn({ err: error, count }, 'refused scans could not be counted');
    }
  }

  return (userId) => {
    const count = countOf.get(userId) ?? 0;
    countOf.set(userId, count + 1);
    if (count === 0) setTimeout(() => void store(userId), GATHER_MS).unref();
  };
}
