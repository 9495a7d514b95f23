import { join } from 'node:path';
import type { Config } from './config/config.ts';
import { SHEET_FONT } from './fonts.ts';
import { createLedger, WARM_UP, type Ledger } from './ledger/index.ts';
import { newestMigration, newestStep } from './migrations.ts';
import { systemClock, type Clock } from './platform/clock.ts';
import {
  CONSOLE_POOL,
  openDatabase,
  type Database,
  type Db,
} from './platform/database/database.ts';
import type { Log } from './platform/log/log.ts';
import { createMetrics, type Metrics } from './platform/metrics/metrics.ts';
import { AppError } from './platform/errors.ts';
import { createDrain, type Drain } from './platform/health/drain.ts';
import { createReach, noting, type Reach } from './platform/health/reach.ts';
import { createMailer, MailRefusedError, type Mailer } from './platform/mail/mailer.ts';
import { watchPool } from './platform/database/pool-metrics.ts';
import { listenForNotifications, type Notifications } from './platform/database/notifications.ts';
import { createConsoleLimits, type ConsoleLimits } from './platform/console/console-limits.ts';
import { createListCursors, type ListCursors } from './platform/console/list-cursor.ts';
import type { StaffSessions } from './platform/console/signed-in-staff.ts';
import { createKeptAssets, type KeptAssets } from './platform/storage/kept-assets.ts';
import { createPictureStorage, type PictureStorage } from './platform/storage/picture-storage.ts';
import { createPrivateFiles, type PrivateFiles } from './platform/files/private-files.ts';
import { createPasswords, type Passwords } from './platform/keys/passwords.ts';
import { createSealedColumns, type SealedColumns } from './platform/sealed.ts';
import { createSessions, type Sessions } from './modules/identity/index.ts';
import { createReadLegalTexts, type ReadLegalTexts } from './modules/legal/index.ts';
import { createReadProgramme, type ReadProgramme } from './platform/settings/programme-settings.ts';
import { createSigningKeys, type SigningKeys } from './platform/keys/signing-keys.ts';
import { createCardProvider, type CardProvider } from './modules/cards/index.ts';
import { createStaffSessions } from './modules/staff/index.ts';
import { endTicketPhone } from './modules/tickets/index.ts';

/** All dependencies of the API's programs. Capabilities name the ones that they need. */
export interface Deps {
  readonly config: Config;
  readonly log: Log;
  readonly metrics: Metrics;
  readonly clock: Clock;
  readonly db: Db;
  /** The same database for the console's calls, including their sessions and limits: anybody can send cookies. */
  readonly consoleDb: Db;
  readonly ledger: Ledger;
  /** The keys that sign tokens. */
  readonly keys: SigningKeys;
  /** The keys that sign QR codes. They also verify with the keys of tokens, which signed codes before these keys were set. */
  readonly qrKeys: SigningKeys;
  readonly sealed: SealedColumns;
  readonly programme: ReadProgramme;
  readonly legalTexts: ReadLegalTexts;
  readonly notifications: Notifications;
  readonly sessions: Sessions;
  readonly staffSessions: StaffSessions;
  readonly consoleLimits: ConsoleLimits;
  readonly listCursors: ListCursors;
  readonly passwords: Passwords;
  readonly mailer: Mailer;
  readonly reach: Reach;
  readonly drain: Drain;
  readonly cardProvider: CardProvider;
  readonly pictureStorage: PictureStorage;
  /** The built assets of all processes. */
  readonly keptAssets: KeptAssets;
  readonly exportFiles: PrivateFiles;
  /** Files of reward codes, each sealed with a key of its own. */
  readonly batchFiles: PrivateFiles;
  /** The font file for printed sheets of codes. */
  readonly sheetFont: string;
  /** The newest migration for which this build waits. */
  readonly newestMigration: string;
  /** The newest migration of any kind that this build knows. */
  readonly newestStep: string;
}

/** Dependencies that a program passes in or a test replaces. */
export type StandIns = Partial<
  Pick<Deps, 'metrics' | 'clock' | 'mailer' | 'cardProvider' | 'pictureStorage'> & {
    /** The program's role, which names its connections. */
    readonly role: 'api' | 'console' | 'worker';
  }
>;

/** Returns at once: connections are opened in the background or on first use. */
export function createDeps(
  config: Config,
  log: Log,
  standIns: StandIns = {},
): Deps & { close(): Promise<void> } {
  const clock = standIns.clock ?? systemClock;
  const metrics = standIns.metrics ?? createMetrics();
  const { database, consoleDatabase } = openDatabases(config, log, standIns.role ?? 'api');
  const ledger = openLedger(config, log, metrics);
  const keys = createSigningKeys(config.signingSeeds);
  const notifications = listenForNotifications(config.databaseUrl, log);
  // The listener notices a failover even while there are no queries. Earlier connections may be dead without an error.
  notifications.onGap((lostAtMs) => {
    database.pool.dropConnections(lostAtMs);
    consoleDatabase.pool.dropConnections(lostAtMs);
  });
  watchNotifications(metrics, notifications);
  watchPool(metrics, 'api', database.pool);
  watchPool(metrics, 'console', consoleDatabase.pool);
  const reach = createReach(clock, metrics);
  const mailer =
    standIns.mailer ??
    noting(reach, 'mail', {
      calls: createMailer(config),
      isFailure: (error) => !(error instanceof MailRefusedError),
    });
  const legalTexts = createReadLegalTexts({ db: database.db, notifications });
  const programme = createReadProgramme({ db: database.db, notifications, log });
  const sessionDeps = { db: database.db, notifications, legalTexts, endOffline: endTicketPhone };
  return {
    config,
    log,
    metrics,
    clock,
    db: database.db,
    consoleDb: consoleDatabase.db,
    ledger,
    keys,
    qrKeys: createSigningKeys([...config.qrSigningSeeds, ...config.signingSeeds]),
    sealed: createSealedColumns(config.dataKeys),
    programme,
    notifications,
    legalTexts,
    sessions: createSessions({ ...sessionDeps, config, clock, keys }),
    staffSessions: createStaffSessions({ db: consoleDatabase.db, clock, config, programme }),
    consoleLimits: createConsoleLimits({ db: consoleDatabase.db, clock, log, config }),
    listCursors: createListCursors(config.hashingKeys),
    passwords: createPasswords(config.limits.passwordHashesAtOnce),
    mailer,
    reach,
    drain: createDrain(config.drainMs),
    cardProvider:
      standIns.cardProvider ??
      noting(reach, 'provider', {
        calls: createCardProvider(config.stripe),
        isFailure: (error) => error instanceof AppError && error.code === 'provider_unavailable',
      }),
    ...createStores(config, log, standIns),
    sheetFont: SHEET_FONT,
    newestMigration: newestMigration(),
    newestStep: newestStep(),
    async close() {
      mailer.close();
      await ledger.close();
      await notifications.close();
      await consoleDatabase.close();
      await database.close();
    },
  };
}

const CONNECTIONS_OF = {
  api: { applicationName: 'athos-api' },
  console: { applicationName: 'athos-console' },
  worker: { applicationName: 'athos-worker' },
} as const;

function openDatabases(
  { databaseUrl, pools }: Config,
  log: Log,
  role: NonNullable<StandIns['role']>,
): Record<'database' | 'consoleDatabase', Database> {
  const ofConsole = { ...CONSOLE_POOL, size: pools.console };
  return {
    database: openDatabase(databaseUrl, log, {
      size: pools.main,
      warmUp: WARM_UP,
      ...CONNECTIONS_OF[role],
    }),
    consoleDatabase: openDatabase(databaseUrl, log, ofConsole),
  };
}

const openLedger = (config: Config, log: Log, metrics: Metrics): Ledger =>
  createLedger({
    databaseUrl: config.databaseUrl,
    replicaUrl: config.databaseReplicaUrl,
    historyConnectionsMax: config.pools.history,
    log,
    metrics: metrics.ledger,
  });

/** Stores outside the database. */
function createStores(config: Config, log: Log, standIns: StandIns) {
  const pictureStorage = standIns.pictureStorage ?? createPictureStorage(config.pictureStorage);
  return {
    pictureStorage,
    keptAssets: createKeptAssets({ pictureStorage, config, log }),
    exportFiles: createPrivateFiles(config.exportDir),
    batchFiles: createPrivateFiles(join(config.exportDir, 'batches')),
  };
}

function watchNotifications(metrics: Metrics, notifications: Notifications): void {
  metrics.listening.add({}, () => (notifications.isListening() ? 1 : 0));
  notifications.onGap(() => metrics.notificationGaps.inc());
}
