/** The build of a program, for places that gather the log lines and traces of many. */
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';
import { newestMigration } from './migrations.ts';

/** The path is right for the source and for a bundle, since both are one level below the package. */
const RELEASE_FILE = fileURLToPath(new URL('../../../release.json', import.meta.url));

const releaseShape = z.object({ commit: z.string().regex(/^[0-9a-f]{40}$/) });

/** The commit of a release. A checkout has none, and is identified by the newest migration that it knows. */
export function buildVersion(file = RELEASE_FILE): string {
  if (!existsSync(file)) return newestMigration();
  const { data } = releaseShape.safeParse(JSON.parse(readFileSync(file, 'utf8')));
  return data?.commit ?? newestMigration();
}
