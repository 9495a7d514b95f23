import { spawnSync } from 'node:child_process';
import { join, resolve } from 'node:path';
import { DATA_DIR_VARIABLE } from './addresses.ts';

const ROOT = resolve(import.meta.dirname, '../..');

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
