import { join, resolve } from 'node:path';

/** The checkout. */
export const root = resolve(import.meta.dirname, '../..');
const appDir = (name: string) => join(root, 'apps', name);
export const apps = {
  wallet: { dir: appDir('wallet'), distDir: join(appDir('wallet'), 'dist') },
  scanner: { dir: appDir('scanner'), distDir: join(appDir('scanner'), 'dist') },
} as const;
export type AppName = keyof typeof apps;

export const programs = {
  api: join(root, 'apps/api/src/programs/wallet-api.ts'),
  seed: join(root, 'apps/api/src/seed/main.ts'),
  worker: join(root, 'apps/api/src/programs/worker.ts'),
  mailbox: join(root, 'dev/mailbox/src/main.ts'),
  sandbox: join(root, 'dev/sandbox/src/main.ts'),
} as const;

/** Everything that a start keeps below DATA_DIR. `--fresh` removes these and nothing else. */
export function dataPaths(dataDir: string) {
  return {
    postgres: join(dataDir, 'postgres'),
    seedNote: join(dataDir, 'postgres/seed'),
    mailbox: join(dataDir, 'mailbox'),
    sandbox: join(dataDir, 'sandbox'),
    media: join(dataDir, 'media'),
    logs: join(dataDir, 'logs'),
    run: join(dataDir, 'run'),
    keys: join(dataDir, 'keys.json'),
    addresses: join(dataDir, 'addresses.json'),
    lock: join(dataDir, 'start.pid'),
  } as const;
}

export type DataPaths = ReturnType<typeof dataPaths>;
