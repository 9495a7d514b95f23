import { readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** The path is right for the source and for a bundle, since both are one level below the package. */
export const MIGRATIONS_DIR = fileURLToPath(new URL('../migrations', import.meta.url));

/** A step that takes away what the release before uses. It runs once every process of that release is gone. */
export const isContractStep = (name: string): boolean => /\.contract(\.sql)?$/.test(name);

/**
 * The name of the newest migration for which the programs of this build wait, as the database records it. They run before contract steps
 * as well as after.
 */
export function newestMigration(dir = MIGRATIONS_DIR): string {
  const names = readdirSync(dir).filter((name) => name.endsWith('.sql') && !isContractStep(name));
  return (names.toSorted().at(-1) ?? '').replace(/\.sql$/, '');
}
