import { availableParallelism } from 'node:os';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vitest/config';

/** `npm run release` leaves a copy of the sources in `release`. */
const foreign = ['**/node_modules/**', '**/dist/**', 'release/**'];
const exclude = [...foreign, '**/*.browser.test.ts', '**/*.compat.test.ts', '**/*.system.test.ts'];
const shared = {
  testTimeout: 20_000,
  hookTimeout: 30_000,
  restoreMocks: true,
  // Times are shown in that of the machine, and expected in this one.
  env: { TZ: 'UTC' },
  // Far above what any test needs: a tight limit would only fail on a busy machine.
  expect: { poll: { timeout: 10_000 } },
};
/** API tests that replace modules with `vi.doMock`, which takes Vite's module runner. */
const REPLACING = [
  'apps/api/src/contract-schemas.test.ts',
  'apps/api/src/platform/mail/mailer.test.ts',
];
/** One PostgreSQL server per run, with a migrated database to copy. */
const DATABASE_SETUP = ['tools/vitest-postgres.ts', 'apps/api/test/template-database.ts'];
const slow = { ...shared, testTimeout: 60_000, hookTimeout: 60_000 };

export default defineConfig({
  test: {
    // API tests spend about half of their time waiting for the database or a timeout, so two workers per core keep
    // the cores busy. The number of PostgreSQL connections sets the upper limit.
    maxWorkers: Math.min(2 * availableParallelism(), 6),
    tags: [
      {
        name: 'long',
        description:
          'takes more than 2 s beside other tests on two cores: `npm run test:system` runs it',
        timeout: 120_000,
      },
    ],
    projects: [
      {
        test: { ...shared, name: 'architecture', include: ['tools/*.test.ts'], exclude },
      },
      {
        // Pure functions and data: files leave no state behind, so they can share workers.
        test: {
          ...shared,
          name: 'rules',
          include: ['packages/{domain,contract,brand}/**/*.test.ts'],
          exclude,
          isolate: false,
        },
      },
      {
        // Compiled as in the build: the React Compiler is part of what ships, bugs included.
        plugins: [react({ compiler: true })],
        test: {
          ...shared,
          name: 'units',
          // A fresh context per file in a long-lived process; a process per file took 50 % longer.
          pool: 'vmForks',
          setupFiles: ['tools/vitest-vm-globals.ts'],
          // Only the test of the colour tokens needs a stylesheet, and only this one.
          css: { include: /tokens\.css\?raw$/ },
          include: [
            'packages/**/*.test.{ts,tsx}',
            'apps/{wallet,scanner,console}/**/*.test.{ts,tsx}',
          ],
          exclude: [...exclude, 'packages/{domain,contract,brand}/**'],
        },
      },
      {
        // One database per file. Each file closes what it opens, so files can share workers and their loaded modules. Node loads the
        // modules itself, as in the product, which takes a tenth less time than Vite's runner.
        test: {
          ...shared,
          name: 'database',
          isolate: false,
          experimental: { viteModuleRunner: false, nodeLoader: false },
          include: ['apps/api/**/*.test.ts'],
          exclude: [...exclude, ...REPLACING],
          globalSetup: DATABASE_SETUP,
        },
      },
      {
        test: { ...shared, name: 'replacing', include: REPLACING, globalSetup: DATABASE_SETUP },
      },
      {
        test: {
          ...slow,
          name: 'programs',
          include: ['{dev,scripts,bench,mobile}/**/*.test.ts'],
          exclude,
        },
      },
      {
        // Tests that run in Chromium, whose path is CHROMIUM_PATH: `npm run test:system`.
        test: {
          ...slow,
          name: 'browser',
          include: ['**/*.browser.test.ts'],
          exclude: foreign,
        },
      },
      {
        // Tests that start and kill programs of ours, cut them off from their database, or load them for many seconds: `npm run
        // test:system`.
        test: {
          ...slow,
          // Some start whole systems twice, on a machine that others may share.
          testTimeout: 180_000,
          hookTimeout: 180_000,
          name: 'system',
          include: ['**/*.system.test.ts'],
          exclude: foreign,
          globalSetup: DATABASE_SETUP,
        },
      },
      {
        // Tests of two releases at once: `npm run test:compat`.
        test: {
          ...slow,
          // Programs of the release before are compiled for the first time.
          testTimeout: 180_000,
          hookTimeout: 180_000,
          expect: { poll: { timeout: 60_000 } },
          name: 'compat',
          include: ['**/*.compat.test.ts'],
          exclude: foreign,
        },
      },
    ],
  },
});
