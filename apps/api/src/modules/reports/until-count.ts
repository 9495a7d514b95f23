import type { Db } from '../../platform/database/database.ts';
import { selectCounted } from './dashboard.sql.ts';

/** The maximum number of remembered results, each of some 40 kB. */
const REMEMBERED_MAX = 100;

/**
 * Remembers results computed from the counted figures until the next count, a minute later: a quarter by venue and hour takes some 10 ms,
 * and everybody who opens it in the meantime sees the same result. `compute` gets the time until which everything was counted.
 */
export function rememberUntilCount<T>(
  db: Db,
): (key: string, compute: (countedUntil: Date | undefined) => Promise<T>) => Promise<T> {
  let remembered = { version: '', values: new Map<string, Promise<T>>() };

  return async (key, compute) => {
    const { until, version } = await selectCounted(db);
    if (version !== remembered.version || remembered.values.size >= REMEMBERED_MAX) {
      remembered = { version, values: new Map() };
    }
    const { values } = remembered;
    const known = values.get(key);
    if (known !== undefined) return known;
    const computed = compute(until);
    values.set(key, computed);
    computed.catch(() => values.delete(key));
    return computed;
  };
}
