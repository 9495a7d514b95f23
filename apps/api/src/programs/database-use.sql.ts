/**
 * A database serves the real programme or rehearsals, and never both: the balances of a rehearsal were paid for by nobody, and a
 * rehearsal on the real books would move real balances with cards that are not real (decision 0038).
 */
import { ConfigError, type Config } from '../config/config.ts';
import type { Log } from '../platform/log/log.ts';
import type { Db } from '../platform/database/database.ts';

type DatabaseUse = 'live' | 'rehearsal';

interface StartDeps {
  readonly db: Db;
  readonly config: Pick<Config, 'isProduction' | 'isRehearsal'>;
}

const REFUSALS: Readonly<Record<DatabaseUse, string>> = {
  live: 'DATABASE_URL: the database belongs to the real programme. Rehearse with a database of its own, or start without REHEARSAL=1',
  rehearsal:
    'DATABASE_URL: the database was begun by a rehearsal, whose balances nobody has paid for. Begin the real programme with a new, empty database, or go on rehearsing with REHEARSAL=1',
};

/** `undefined` before the first production start. */
async function selectUse(db: Db): Promise<DatabaseUse | undefined> {
  const row = await db.selectFrom('database_use').select('use').executeTakeFirst();
  return row?.use;
}

/** If several programs start at once, the first insert decides. */
const insertUse = (db: Db, use: DatabaseUse) =>
  db
    .insertInto('database_use')
    .values({ use })
    .onConflict((conflict) => conflict.doNothing())
    .execute();

const useOf = ({ isRehearsal }: StartDeps['config']): DatabaseUse =>
  isRehearsal ? 'rehearsal' : 'live';

function refuseOther(config: StartDeps['config'], use: DatabaseUse | undefined): void {
  if (use !== undefined && use !== useOf(config)) throw new ConfigError([REFUSALS[use]]);
}

/**
 * Records that this production start uses the database for the real programme or for rehearsals. Throws `ConfigError` if it serves the
 * other.
 */
export async function claimDatabase({ db, config }: StartDeps): Promise<void> {
  if (!config.isProduction) return;
  await insertUse(db, useOf(config));
  refuseOther(config, await selectUse(db));
}

/**
 * For programs that must start even if the database does not answer. In that case only the migration that ran before them has checked.
 * Throws `ConfigError`.
 */
export async function requireOwnUse(deps: StartDeps & { readonly log: Log }): Promise<void> {
  if (!deps.config.isProduction) return;
  const use = await selectUse(deps.db).catch((error: unknown) => {
    deps.log.warn({ err: error }, 'what the database is used for could not be looked up');
    return undefined;
  });
  refuseOther(deps.config, use);
}
