/** A small ledger on its own archiving server, for a drill where no backup exists. */
import { randomUUID } from 'node:crypto';
import { chmodSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type pg from 'pg';
import { archiveInto, takeBackup } from '@athos/postgres/backup';
import { deletePostgres, startPostgres, type PostgresOptions } from '@athos/postgres/launch';
import { units } from '@athos/domain/money';
import {
  createLedger,
  systemAccountId,
  TransferKind,
  userAccountId,
} from '../../apps/api/src/ledger/index.ts';
import { migrate } from '../../apps/api/src/migrate.ts';
import {
  anchorHead,
  type Anchor,
  type AnchorBucket,
} from '../../apps/api/src/modules/bookkeeping/index.ts';
import { openDatabase } from '../../apps/api/src/platform/database/database.ts';
import { createLog } from '../../apps/api/src/platform/log/log.ts';
import { folderSource, type BackupSource } from './backup-source.ts';

/** Keeps every anchor in memory. */
export function createAnchors(): AnchorBucket & { readonly all: Anchor[] } {
  const all: Anchor[] = [];
  return {
    all,
    put: (anchor) => Promise.resolve(void all.push(anchor)),
    findLast: ({ from, to }) =>
      Promise.resolve(
        all.findLast(({ at }) => new Date(at) <= to && new Date(at).getTime() >= from.getTime()),
      ),
  };
}

const ARCHIVED_WITHIN_MS = 20_000;
const LOOK_EVERY_MS = 20;

/** The newest archived segment. Their names sort by their order in one timeline. */
async function lastArchived(pool: pg.Pool): Promise<string> {
  const { rows } = await pool.query<{ name: string | null }>(
    `select max(last_archived_wal) as name from pg_stat_archiver
      where last_archived_wal ~ '^[0-9A-F]{24}$'`,
  );
  return rows[0]?.name ?? '';
}

/** How the small system archives and is backed up. */
export interface Keeper {
  readonly server: Pick<PostgresOptions, 'settings' | 'binDir' | 'env' | 'port'>;
  readonly source: BackupSource;
  backUp(url: string): Promise<unknown>;
}

/** Keeps backups in a folder, without any tools. */
function folderKeeper(repository: string, dataDir: string): Keeper {
  return {
    server: { settings: archiveInto(repository, dataDir) },
    source: folderSource(repository),
    backUp: (url) => takeBackup({ url, dataDir }, repository),
  };
}

export type SmallSystem = Awaited<ReturnType<typeof startSmallSystem>>;

export async function startSmallSystem(
  dir: string,
  makeKeeper: (dataDir: string) => Keeper = (dataDir) =>
    folderKeeper(join(dir, 'repository'), dataDir),
) {
  const log = createLog('error');
  // PostgreSQL does not run as root, and its own user must be able to access the repository.
  chmodSync(dir, 0o755);
  const dataDir = join(dir, 'source');
  const keeper = makeKeeper(dataDir);
  const server = await startPostgres({ ...keeper.server, dataDir, durable: false });
  const { url } = server;
  await migrate(url, log);
  const database = openDatabase(url, log);
  const ledger = createLedger({ databaseUrl: url, log });
  const anchors = createAnchors();
  const closeSegment = async (): Promise<string> => {
    const { rows } = await database.pool.query<{ segment: string }>(
      'select pg_walfile_name(pg_switch_wal()) as segment',
    );
    return rows[0]?.segment ?? '';
  };
  await database.db.transaction().execute((tx) => ledger.openAccounts(tx, 1n));
  return {
    source: keeper.source,
    databaseUrl: url,
    anchors,
    db: database.db,
    backUp: () => keeper.backUp(url),
    /** Writes the anchor as if it were this old. */
    anchor: (ageMs: number) =>
      anchorHead(database.db, {
        ...anchors,
        put: (anchor) =>
          anchors.put({ ...anchor, at: new Date(Date.parse(anchor.at) - ageMs).toISOString() }),
      }),
    async post(count: number): Promise<void> {
      const entries = Array.from({ length: count }, () => ({
        debitAccountId: systemAccountId('issuance', 'ATH'),
        creditAccountId: userAccountId(1n, 'ATH'),
        amountUnits: units(1n),
        kind: TransferKind.Seed,
        key: randomUUID(),
      }));
      await Promise.all(entries.map((entry) => ledger.transfer(entry)));
    },
    /** Returns a time that lies between everything done so far and what follows. */
    async now(): Promise<Date> {
      const { rows } = await database.pool.query<{ at: Date }>(
        `select clock_timestamp() + interval '5 ms' as at, pg_sleep(0.02)`,
      );
      return rows[0]?.at ?? new Date();
    },
    /** Closes the current WAL segment, as `archive_timeout` does, and returns its name. */
    closeSegment,
    /** Closes the current WAL segment and waits until it is archived. */
    async archive(): Promise<void> {
      const segment = await closeSegment();
      const deadlineMs = performance.now() + ARCHIVED_WITHIN_MS;
      while ((await lastArchived(database.pool)) < segment) {
        if (performance.now() > deadlineMs) throw new Error(`${segment} was not archived in time`);
        await pause(LOOK_EVERY_MS);
      }
    },
    async remove(): Promise<void> {
      await ledger.close();
      await database.close();
      await server.stop();
      await deletePostgres(dataDir);
    },
  };
}
