import { existsSync } from 'node:fs';
import { checkDatabase } from '@athos/postgres/check-database';
import { isPortFree } from '@athos/postgres/free-port';
import { startPostgres } from '@athos/postgres/launch';
import { connectTo } from '../../apps/api/src/platform/database/address.ts';
import { givenAddress } from './attach-database.ts';
import { ALL_APPS, BROWSER_APPS, buildApps } from './build-apps.ts';
import type { DataDir } from './data-dir.ts';
import { ensureKeys, type Keys } from './keys.ts';
import { apiProgram, BUNDLE_ENVIRONMENT, devPrograms } from './paths.ts';
import {
  migrateDatabase,
  prepareRoles,
  seedDatabase,
  seedNewDatabase,
  type ProgramRole,
} from './prepare-database.ts';
import { launchProgram, type ProgramOptions } from './program.ts';
import {
  apiEnvironment,
  mailboxEnvironment,
  sandboxEnvironment,
  type Settings,
} from './settings.ts';
import { StartError } from './start-error.ts';
import { supervise, type Part, type Supervised, type SuperviseEvents } from './supervise.ts';

/** The API drains first, while everything it needs is still running. The database stops last. */
const STOP_ORDER = ['api', 'console', 'worker', 'sandbox', 'mailbox', 'postgres'] as const;
type PartName = (typeof STOP_ORDER)[number];

export interface System {
  /** Resolves with the secrets in use when all parts are up. */
  start(): Promise<Keys>;
  /** May be called at any time, even during the start. */
  stop(): Promise<void>;
}

/** Starts and stops all programs in order. */
export function createSystem(settings: Settings, data: DataDir, events: SuperviseEvents): System {
  const parts = new Map<PartName, Supervised>();
  let isStopping = false;

  const add = (name: PartName, part: Part): Promise<void> => {
    if (isStopping) throw new StartError('Stopped.');
    const supervised = supervise(part, events);
    parts.set(name, supervised);
    return supervised.started;
  };

  const start = async (): Promise<Keys> => {
    if (!(await isPortFree(settings.port, settings.host))) {
      throw new StartError(
        `Port ${settings.port} is taken by another program: end that one, or choose another port with PORT.`,
      );
    }
    const isForReal = settings.isProduction && !settings.isRehearsal;
    const keys = isForReal ? noKeys : ensureKeys(data.keys);
    const database = createDatabasePart(settings, data);
    const { embedded, given } = settings;
    const isNew = embedded.postgres && !existsSync(data.postgres);
    await Promise.all([
      buildApps(settings.isProduction ? ALL_APPS : BROWSER_APPS),
      embedded.postgres
        ? add('postgres', database.part)
        : checkDatabase(given['DATABASE_URL'] ?? '', connectTo(givenAddress(given) ?? '')),
      embedded.mailbox && add('mailbox', mailboxPart(settings, data)),
      embedded.sandbox && add('sandbox', sandboxPart(settings, data, keys)),
    ]);
    const addressOf = embedded.postgres ? await prepareRoles(database.url()) : () => '';
    const envAs = (role: ProgramRole) => apiEnvironment(settings, keys, addressOf(role));
    // Seeding the demo's history sets the ledger's clock, which only the owners may do.
    const ownerEnv = envAs('athos_migrate');
    await migrateDatabase(ownerEnv);
    // The note is valid only for the embedded database; an external one may have been emptied since.
    if (settings.isDemo && isNew) {
      await seedNewDatabase(ownerEnv, { done: data.seedNote, underWay: data.firstSeedNote });
    } else if (settings.isDemo) {
      await seedDatabase(ownerEnv, embedded.postgres ? data.seedNote : undefined);
    }
    const env = envAs('athos_api');
    await Promise.all([
      add('api', apiPart('api', settings, data, env)),
      add('worker', apiPart('worker', settings, data, envAs('athos_worker'))),
      env['CONSOLE'] === 'own' && add('console', apiPart('console', settings, data, env)),
    ]);
    return keys;
  };

  const stop = async (): Promise<void> => {
    isStopping = true;
    for (const name of STOP_ORDER) await parts.get(name)?.stop();
  };
  return { start, stop };
}

/** In production every secret comes from the settings. */
const noKeys: Keys = {
  SIGNING_KEYS: '',
  HASHING_KEY: '',
  DATA_KEYS: '',
  RECEIPT_KEY: '',
  STRIPE_SECRET_KEY: '',
  STRIPE_PUBLISHABLE_KEY: '',
  STRIPE_WEBHOOK_SECRET: '',
};

function createDatabasePart(settings: Settings, data: DataDir) {
  let url = '';
  let port = 0;
  const part: Part = {
    label: 'PostgreSQL',
    launch: async () => {
      const postgres = await startPostgres({ dataDir: data.postgres, durable: true, port });
      // A restart uses the same port, so that the API's connections find it again.
      ({ url, port } = postgres);
      return { exited: postgres.exited.then(() => 'ended'), stop: () => postgres.stop() };
    },
  };
  return { part, url: () => (settings.embedded.postgres ? url : '') };
}

function mailboxPart(settings: Settings, data: DataDir): Part {
  const env = mailboxEnvironment(settings, data.mailbox);
  return programPart(
    'The mailbox',
    programOptions({ name: 'mailbox', words: [devPrograms.mailbox], env }, data),
  );
}

function sandboxPart(settings: Settings, data: DataDir, keys: Keys): Part {
  const env = sandboxEnvironment(settings, keys, data.sandbox);
  return programPart(
    'The card sandbox',
    programOptions({ name: 'sandbox', words: [devPrograms.sandbox], env }, data),
  );
}

const API_PROGRAMS = {
  api: { label: 'The API', program: 'wallet-api' },
  console: { label: 'The console', program: 'console-api' },
  worker: { label: 'The worker', program: 'worker' },
} as const;

function apiPart(
  name: keyof typeof API_PROGRAMS,
  settings: Settings,
  data: DataDir,
  env: NodeJS.ProcessEnv,
): Part {
  const { label, program } = API_PROGRAMS[name];
  const words = apiProgram(program, settings);
  const bundleEnvironment = settings.isProduction ? BUNDLE_ENVIRONMENT : {};
  return programPart(label, {
    ...programOptions({ name, words, env: { ...bundleEnvironment, ...env } }, data),
    isLogShown: settings.isProduction,
  });
}

function programPart(label: string, options: ProgramOptions): Part {
  return { label, launch: (signal) => launchProgram(options, signal) };
}

function programOptions(
  program: Pick<ProgramOptions, 'name' | 'words' | 'env'>,
  data: DataDir,
): ProgramOptions {
  return {
    ...program,
    logsDir: data.logs,
    runDir: data.run,
    isLogShown: false,
  };
}
