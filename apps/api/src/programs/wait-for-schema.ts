import { setTimeout as pause } from 'node:timers/promises';
import { isMigrationApplied } from '../modules/health/index.ts';
import type { Clock } from '../platform/clock.ts';
import type { Db } from '../platform/database/database.ts';
import { OutageAlarm } from '../platform/jobs/outage-alarm.ts';
import type { Log } from '../platform/log/log.ts';

/** A migration takes seconds or hours. Each look is one row by its name, which the pool ends after 4 s. */
const LOOK_EVERY_MS = 500;

interface SchemaDeps {
  readonly db: Db;
  readonly clock: Clock;
  readonly log: Log;
  readonly newestMigration: string;
}

/**
 * Resolves with `true` once the schema is as new as the program, which may be started while `migrate` still runs, or before. Jobs on the
 * older schema would fail, and use up their attempts. Resolves with `false` if the program was asked to end meanwhile.
 */
export async function waitForSchema(
  { db, clock, log, newestMigration }: SchemaDeps,
  signal: AbortSignal,
): Promise<boolean> {
  // While this waits, no job runs that could tell of an outage.
  const outage = new OutageAlarm(log, clock);
  let isTold = false;
  const isNew = async (): Promise<boolean> => {
    let facts: { readonly err?: unknown } = {};
    try {
      if (await isMigrationApplied(db, newestMigration)) return true;
      outage.answered();
    } catch (error) {
      if (signal.aborted) return false;
      facts = { err: error };
      outage.failed(error);
    }
    if (!isTold)
      log.warn({ ...facts, migration: newestMigration }, 'waiting for the schema to be migrated');
    isTold = true;
    return false;
  };
  while (!signal.aborted) {
    if (await isNew()) return !signal.aborted;
    await pause(LOOK_EVERY_MS, undefined, { signal }).catch(() => undefined);
  }
  return false;
}
