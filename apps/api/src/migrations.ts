import { readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** The path is right for the source and for a bundle, since both are one level below the package. */
export const MIGRATIONS_DIR = fileURLToPath(new URL('../migrations', import.meta.url));

/** A step that takes away what the release before uses. It runs once every process of that release is gone. */
export const isContractStep = (name: string): boolean => /\.contract(\.sql)?$/.test(name);

/** The names of all migrations in a folder, as the database records them, in their order. */
export const migrationsIn = (dir: string): readonly string[] =>
  readdirSync(dir)
    .filter((file) => file.endsWith('.sql'))
    .map((file) => file.replace(/\.sql$/, ''))
    .toSorted();

/** The name of the newest migration for which the programs of this build wait. They run before contract steps as well as after. */
export const newestMigration = (dir = MIGRATIONS_DIR): string =>
  migrationsIn(dir).findLast((name) => !isContractStep(name)) ?? '';

/** The name of the newest migration of any kind. A process of a release before knows none that is as new. */
export const newestStep = (dir = MIGRATIONS_DIR): string => migrationsIn(dir).at(-1) ?? '';
