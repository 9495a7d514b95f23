import { join, resolve } from 'node:path';

/** The folder of the checkout. */
export const root = resolve(import.meta.dirname, '../..');
const app = (name: string) => ({
  dir: join(root, 'apps', name),
  distDir: join(root, 'apps', name, 'dist'),
});
export const apps = {
  wallet: app('wallet'),
  scanner: app('scanner'),
  console: app('console'),
  api: app('api'),
} as const;
export type AppName = keyof typeof apps;

/** Flags for source lines in stack traces and for a small young generation (decision 0015). */
const BUNDLE_FLAGS = ['--enable-source-maps', '--max-semi-space-size=4'];

/**
 * Settings of the bundled programs' environment. With one memory arena for all threads, glibc returns more memory to the system
 * (decision 0015).
 */
export const BUNDLE_ENVIRONMENT = { MALLOC_ARENA_MAX: '1' } as const;

/** Node's arguments for a program of the API: its bundle in production, its source in development (decision 0015). */
export function apiProgram(
  name: 'wallet-api' | 'console-api' | 'worker' | 'migrate',
  { isProduction }: { readonly isProduction: boolean },
): readonly string[] {
  return isProduction
    ? [...BUNDLE_FLAGS, join(apps.api.distDir, `${name}.js`)]
    : [join(apps.api.dir, `src/programs/${name}.ts`)];
}

/** Programs that exist for development only. */
export const devPrograms = {
  seed: join(apps.api.dir, 'src/seed/main.ts'),
  mailbox: join(root, 'dev/mailbox/src/main.ts'),
  sandbox: join(root, 'dev/sandbox/src/main.ts'),
} as const;

/** Everything that a start stores in DATA_DIR. `--fresh` removes exactly these. */
export function dataPaths(dataDir: string) {
  return {
    postgres: join(dataDir, 'postgres'),
    seedNote: join(dataDir, 'postgres/seed'),
    firstSeedNote: join(dataDir, 'postgres/first-seed'),
    mailbox: join(dataDir, 'mailbox'),
    sandbox: join(dataDir, 'sandbox'),
    media: join(dataDir, 'media'),
    exports: join(dataDir, 'exports'),
    logs: join(dataDir, 'logs'),
    run: join(dataDir, 'run'),
    keys: join(dataDir, 'keys.json'),
    addresses: join(dataDir, 'addresses.json'),
    lock: join(dataDir, 'start.pid'),
  } as const;
}

export type DataPaths = ReturnType<typeof dataPaths>;
