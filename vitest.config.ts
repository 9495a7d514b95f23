import react from '@vitejs/plugin-react';
import { defineConfig } from 'vitest/config';

const exclude = ['**/node_modules/**', '**/dist/**'];
const shared = {
  testTimeout: 20_000,
  hookTimeout: 30_000,
  restoreMocks: true,
  // What is waited for comes when it comes: a limit near it would tell a busy machine from a quiet one, nothing else.
  expect: { poll: { timeout: 10_000 } },
};

export default defineConfig({
  test: {
    // One less than the cores by default: on two that leaves one idle through most of the run.
    maxWorkers: 2,
    projects: [
      {
        test: { ...shared, name: 'architecture', include: ['tools/architecture.test.ts'], exclude },
      },
      {
        // Pure functions and data: nothing of one file is left for the next, so that no worker is spent on each.
        test: {
          ...shared,
          name: 'rules',
          include: ['packages/{domain,contract,brand}/**/*.test.ts'],
          exclude,
          isolate: false,
        },
      },
      {
        // Compiled as the build compiles it: the React Compiler is part of what ships, with its faults.
        plugins: [react({ compiler: true })],
        test: {
          ...shared,
          name: 'units',
          // Each file has a context of its own in a process that stays: a process for each took half as long again.
          pool: 'vmForks',
          setupFiles: ['tools/vitest-vm-globals.ts'],
          // Other stylesheets are left out of tests; this one is read by its own.
          css: { include: /tokens\.css\?raw$/ },
          include: ['packages/**/*.test.{ts,tsx}', 'apps/{wallet,scanner}/**/*.test.{ts,tsx}'],
          exclude: [...exclude, '**/*.browser.test.ts', 'packages/{domain,contract,brand}/**'],
        },
      },
      {
        // Real PostgreSQL: one server for the run, a database of its own for each file. The program keeps nothing outside of
        // what a file builds and closes, so that no worker is spent on each.
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
          ...shared,
          name: 'programs',
          include: ['{dev,scripts,bench,mobile}/**/*.test.ts'],
          exclude: [...exclude, '**/*.browser.test.ts'],
          testTimeout: 60_000,
          hookTimeout: 60_000,
        },
      },
      {
        test: {
          ...shared,
          name: 'browser',
          include: ['**/*.browser.test.ts'],
          exclude,
          testTimeout: 60_000,
        },
      },
    ],
  },
});
