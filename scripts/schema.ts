/** `npm run schema`: regenerates apps/api/schema.sql from the migrations. */
import { spawnSync } from 'node:child_process';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

const vitest = join(
  dirname(createRequire(import.meta.url).resolve('vitest/package.json')),
  'vitest.mjs',
);
const { status } = spawnSync(
  process.execPath,
  [vitest, 'run', '--project', 'system', 'apps/api/src/migrate.system.test.ts'],
  { stdio: 'inherit', env: { ...process.env, UPDATE_SCHEMA: '1' } },
);
process.exitCode = status ?? 1;
