import { readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** The path is right for the source and for a bundle, since both are one level below the package. */
export const MIGRATIONS_DIR = fileURLToPath(new URL('../migrations', import.meta.url));

/** The name of the newest migration that this build knows, as the database records it. */
export function newestMigration(): string {
  const names = readdirSync(MIGRATIONS_DIR).filter((name) => name.endsWith('.sql'));
  return (names.toSorted().at(-1) ?? '').replace(/\.sql$/, '');
}
