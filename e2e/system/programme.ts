import { spawnSync } from 'node:child_process';
import { join, resolve } from 'node:path';

const ROOT = resolve(import.meta.dirname, '../..');

/** Names the folder of the system's data for the workers of a run. */
export const DATA_DIR_VARIABLE = 'E2E_DATA_DIR';

/** Sets a setting of the programme, as its operator does on the command line. */
export function setSetting(key: string, value: unknown): void {
  const script = join(ROOT, 'scripts/programme.ts');
  const { status, stderr } = spawnSync(
    process.execPath,
    [script, 'set', key, JSON.stringify(value)],
    {
      cwd: ROOT,
      env: {
        PATH: process.env['PATH'],
        HOME: process.env['HOME'],
        DATA_DIR: process.env[DATA_DIR_VARIABLE],
      },
    },
  );
  if (status !== 0) throw new Error(`${key} was not set: ${stderr.toString()}`);
}
