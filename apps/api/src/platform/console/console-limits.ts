import {
  CONSOLE_CALLS_PER_SECOND,
  CONSOLE_LIMITS,
  type ConsoleLimit,
} from '@athos/contract/console/console-call';
import { dateOf, type Clock } from '../clock.ts';
import type { Db } from '../database/database.ts';
import { AppError } from '../errors.ts';
import { createAllowance } from '../limits/attempt-limit.ts';
import {
  attemptSubject,
  countAttempts,
  HOUR_MS,
  takeAttempt,
} from '../limits/attempt-counters.sql.ts';
import type { Log } from '../log/log.ts';

/** Counts the calls of each person. */
export interface ConsoleLimits {
  /** Throws `too_many_requests`. */
  takeCall(staffId: string): void;
  /** Throws `too_many_requests`, unless the limit only raises an alarm. */
  takeLimited(limit: ConsoleLimit, staffId: string): Promise<void>;
}

interface LimitDeps {
  readonly db: Db;
  readonly clock: Clock;
  readonly log: Log;
  readonly config: { readonly hashingKeys: readonly string[] };
}

/** Limits per second are kept in memory. The console runs in one process; a second process would double them. */
export function createConsoleLimits({ db, clock, log, config }: LimitDeps): ConsoleLimits {
  const inOneSecond = (count: number): ((staffId: string) => void) => {
    const take = createAllowance<string>(clock, count, count);
    return (staffId) => {
      if (!take(staffId)) throw new AppError('too_many_requests', { retryAfterSeconds: 1 });
    };
  };
  const takeSearch = inOneSecond(CONSOLE_LIMITS.search.perSecond);

  async function takeHourly(limit: Exclude<ConsoleLimit, 'search'>, staffId: string) {
    const { perHour: countMax, ...rest } = CONSOLE_LIMITS[limit];
    const subject = attemptSubject(config.hashingKeys, `console ${limit} ${staffId}`);
    const counted = { subject, windowMs: HOUR_MS };
    if (!('isAlarmOnly' in rest)) {
      return takeAttempt(db, [{ ...counted, countMax }], dateOf(clock), 'too_many_requests');
    }
    const [row] = await countAttempts(db, [counted], dateOf(clock));
    // Raise the alarm once an hour, not on every further call.
    if (row?.attemptCount !== countMax + 1) return;
    log.error({ alarm: 'console_reads', staffId, limit, countMax }, 'unusually many reads');
  }

  return {
    takeCall: inOneSecond(CONSOLE_CALLS_PER_SECOND),
    async takeLimited(limit, staffId) {
      if (limit === 'search') takeSearch(staffId);
      else await takeHourly(limit, staffId);
    },
  };
}
