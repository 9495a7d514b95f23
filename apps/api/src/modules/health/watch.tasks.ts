/** Checks the database every minute and raises alarms for conditions that slow or falsify the ledger without an error. */
import type { Ledger } from '../../ledger/index.ts';
import { dateOf, type Clock } from '../../platform/clock.ts';
import type { Db } from '../../platform/database/database.ts';
import { deleteOldProcesses } from '../../platform/health/processes.sql.ts';
import type { TasksByLane } from '../../platform/jobs/lanes.ts';
import type { Log } from '../../platform/log/log.ts';
import { selectDatabaseTime, selectOldTransactions } from './watch.sql.ts';

interface WatchDeps {
  readonly db: Db;
  readonly clock: Clock;
  readonly ledger: Pick<Ledger, 'postedAt'>;
  readonly log: Log;
}

/** Our own transactions take seconds. After 40 s, a foreign snapshot reduced the rate of transfers to a sixth (measured). */
const TRANSACTION_AGE_MAX_SECONDS = 60;
/** Long enough to see that a program has ended without notice. */
const PROCESS_KEPT_MS = 24 * 60 * 60_000;
/** Machines with time synchronization differ by milliseconds; the rest is for a slow answer. */
const CLOCK_DIFFERENCE_MAX_MS = 5_000;

/** Every transfer reads the row versions that an old transaction keeps alive, since each transfer changes the busiest rows. */
async function watchTransactions({ db, log }: WatchDeps): Promise<void> {
  for (const old of await selectOldTransactions(db, TRANSACTION_AGE_MAX_SECONDS)) {
    log.error({ alarm: 'transaction_old', ...old }, 'a transaction is open for too long');
  }
}

/** The times of the journal never decrease. If the database's clock was ahead for a moment, they stand still until it catches up. */
async function watchClocks({ db, clock, ledger, log }: WatchDeps): Promise<void> {
  const [databaseTime, postedAt] = await Promise.all([selectDatabaseTime(db), ledger.postedAt()]);
  const differenceMs = databaseTime.getTime() - clock.nowMs();
  if (Math.abs(differenceMs) > CLOCK_DIFFERENCE_MAX_MS) {
    log.error(
      { alarm: 'clock_difference', differenceMs },
      'the clocks of database and worker differ',
    );
  }
  const aheadMs = (postedAt?.getTime() ?? 0) - databaseTime.getTime();
  if (aheadMs > CLOCK_DIFFERENCE_MAX_MS) {
    log.error({ alarm: 'journal_ahead', aheadMs }, "the journal's time stands still");
  }
}

export const healthCrontab = `
* * * * * health_watch ?jobKey=health_watch&max=3
`;

export const createHealthTasks = (deps: WatchDeps): TasksByLane => ({
  upkeep: {
    async health_watch() {
      await deleteOldProcesses(deps.db, new Date(dateOf(deps.clock).getTime() - PROCESS_KEPT_MS));
      await watchTransactions(deps);
      await watchClocks(deps);
    },
  },
});
