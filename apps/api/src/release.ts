/** Which build a program is, where the lines and traces of many are gathered. */
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';
import { newestMigration } from './migrations.ts';

/** Found from the source and from a bundle alike, since both are one level below the package. */
const RELEASE_FILE = fileURLToPath(new URL('../../../release.json', import.meta.url));

const releaseShape = z.object({ commit: z.string().regex(/^[0-9a-f]{40}$/) });

/** The commit of a release. A checkout has none, and is told by the newest migration that it knows. */
export function buildVersion(file = RELEASE_FILE): string {
  if (!existsSync(file)) return newestMigration();
  const { data } = releaseShape.safeParse(JSON.parse(readFileSync(file, 'utf8')));
  return data?.commit ?? newestMigration();
}
