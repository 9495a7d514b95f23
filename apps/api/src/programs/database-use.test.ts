/** A database serves the real programme or rehearsals, and never both. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { recordLog } from '../../test/recorded-log.ts';
import { copyTemplate } from '../../test/test-database.ts';
import { ConfigError } from '../config/config.ts';
import { openDatabase, type Database } from '../platform/database/database.ts';
import { claimDatabase, requireOwnUse } from './database-use.sql.ts';

const LIVE = { isProduction: true, isRehearsal: false };
const REHEARSAL = { isProduction: true, isRehearsal: true };
const DEVELOPMENT = { isProduction: false, isRehearsal: false };

const { log, lines } = recordLog();

async function openCopy() {
  const copy = await copyTemplate();
  // `migrate` marks the database.
  const database = openDatabase(copy.adminUrl, log);
  return {
    ...database,
    close: async () => {
      await database.close();
      await copy.drop();
    },
  };
}

describe.each([
  ['a rehearsal', REHEARSAL, LIVE, 'Begin the real programme with a new, empty database'],
  ['the real programme', LIVE, REHEARSAL, 'Rehearse with a database of its own'],
])('a database of %s', (_name, own, other, advice) => {
  let database: Database;
  beforeAll(async () => {
    database = await openCopy();
  });
  afterAll(() => database.close());

  it('is marked by the first production start alone, however many start at once', async () => {
    const { db } = database;
    await claimDatabase({ db, config: DEVELOPMENT });
    await requireOwnUse({ db, log, config: other });
    await Promise.all(Array.from({ length: 5 }, () => claimDatabase({ db, config: own })));
    await claimDatabase({ db, config: own });
    await requireOwnUse({ db, log, config: own });
  });

  it('refuses a start for the other, in words that say what to do', async () => {
    const { db } = database;
    for (const start of [claimDatabase, requireOwnUse]) {
      const error: unknown = await start({ db, log, config: other }).catch(
        (reason: unknown) => reason,
      );
      expect(error).toBeInstanceOf(ConfigError);
      expect(String(error)).toContain(advice);
    }
    await claimDatabase({ db, config: own });
  });
});

it('a program starts although the database does not answer, and says so', async () => {
  const database = await openCopy();
  await database.close();
  await requireOwnUse({ db: database.db, log, config: LIVE });
  expect(lines.join()).toContain('what the database is used for could not be looked up');
});
