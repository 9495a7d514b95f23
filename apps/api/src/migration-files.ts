/**
 * How a file of `migrations/` is applied: as one transaction, unless it builds or drops one index concurrently, which PostgreSQL refuses in
 * a transaction. Such a file holds that statement alone (`tools/migrations.test.ts`).
 */
import { readFile } from 'node:fs/promises';
import type { MigrationBuilder, RunnerOption } from 'node-pg-migrate';

const DOWN = /^\s*-- Down Migration/m;
const CONCURRENT = /\b(?:create\s+(?:unique\s+)?|drop\s+)index\s+concurrently\b/i;
const BUILT = /\bcreate\s+(?:unique\s+)?index\s+concurrently\s+(\w+)/i;

function apply(pgm: MigrationBuilder, part: string): void {
  if (CONCURRENT.test(part)) {
    pgm.noTransaction();
    // An attempt that met a timeout left an invalid index, on which a build with the same name would fail.
    const [, name] = BUILT.exec(part) ?? [];
    if (name !== undefined) pgm.sql(`drop index concurrently if exists ${name}`);
  }
  pgm.sql(part);
}

async function load(file: string) {
  const [up = '', down] = (await readFile(file, 'utf8')).split(DOWN);
  return {
    id: file,
    filePaths: [file],
    actions: {
      up: (pgm: MigrationBuilder) => apply(pgm, up),
      down: down === undefined ? (false as const) : (pgm: MigrationBuilder) => apply(pgm, down),
    },
  };
}

export const MIGRATION_LOADERS: NonNullable<RunnerOption['migrationLoaderStrategies']> = [
  { extensions: ['.sql'], loader: (files) => Promise.all(files.map(load)) },
];
