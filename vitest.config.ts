import { defineConfig } from 'vitest/config';

// The tests need real PostgreSQL: one server for the run, a database of its own for each file.
export default defineConfig({
  test: {
    include: ['{apps,packages,dev,tools,scripts,bench}/**/*.test.{ts,tsx}'],
    exclude: ['**/node_modules/**', '**/dist/**', '**/*.browser.test.ts'],
    globalSetup: ['tools/vitest-postgres.ts', 'apps/api/test/template-database.ts'],
    testTimeout: 20_000,
    hookTimeout: 30_000,
    restoreMocks: true,
  },
});
