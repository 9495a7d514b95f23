import { availableParallelism } from 'node:os';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vitest/config';

const exclude = ['**/node_modules/**', '**/dist/**', '**/*.browser.test.ts', '**/*.system.test.ts'];
const shared = {
  testTimeout: 20_000,
  hookTimeout: 30_000,
  restoreMocks: true,
  // Far above what anything takes: a tight limit would only tell a busy machine from a quiet one.
  expect: { poll: { timeout: 10_000 } },
};
const slow = { ...shared, testTimeout: 60_000, hookTimeout: 60_000 };

export default defineConfig({
  test: {
    // Tests of the API spend about half of their time waiting for the database or for a time limit, so two workers a core
    // keep the cores busy. PostgreSQL's connections set the upper limit.
    maxWorkers: Math.min(2 * availableParallelism(), 6),
    projects: [
      {
        test: { ...shared, name: 'architecture', include: ['tools/architecture.test.ts'], exclude },
      },
      {
        // Pure functions and data: no file leaves anything behind, so they share their workers.
        test: {
          ...shared,
          name: 'rules',
          include: ['packages/{domain,contract,brand}/**/*.test.ts'],
          exclude,
          isolate: false,
        },
      },
      {
        // Compiled as the build compiles it: the React Compiler is part of what ships, faults included.
        plugins: [react({ compiler: true })],
        test: {
          ...shared,
          name: 'units',
          // A context of its own for each file in a process that stays: a process for each took half as long again.
          pool: 'vmForks',
          setupFiles: ['tools/vitest-vm-globals.ts'],
          // The test of the colour tokens reads this stylesheet; no test needs another one.
          css: { include: /tokens\.css\?raw$/ },
          include: ['packages/**/*.test.{ts,tsx}', 'apps/{wallet,scanner}/**/*.test.{ts,tsx}'],
          exclude: [...exclude, 'packages/{domain,contract,brand}/**'],
        },
      },
      {
        // One PostgreSQL server for the run and a database for each file. A file closes all that it opens, so files share
        // their workers, and with them the loaded program.
        test: {
          ...shared,
          name: 'database',
          isolate: false,
          include: ['apps/api/**/*.test.ts'],
          exclude,
          globalSetup: ['tools/vitest-postgres.ts', 'apps/api/test/template-database.ts'],
        },
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
        // In Chromium, whose path CHROMIUM_PATH names.
        test: {
          ...slow,
          name: 'browser',
          include: ['**/*.browser.test.ts'],
          exclude: ['**/node_modules/**', '**/dist/**'],
        },
      },
      {
        // Boots whole systems and kills them: `npm run test:system`.
        test: {
          ...slow,
          name: 'system',
          include: ['**/*.system.test.ts'],
          exclude: ['**/node_modules/**', '**/dist/**'],
        },
      },
    ],
  },
});
