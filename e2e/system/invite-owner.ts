import { execFile } from 'node:child_process';
import { resolve } from 'node:path';
import { promisify } from 'node:util';
import { DATA_DIR_VARIABLE } from './addresses.ts';

const ROOT = resolve(import.meta.dirname, '../..');

/** Runs `npm run console:invite` without npm, and returns the link that it prints. */
export async function inviteOwner(email: string): Promise<string> {
  const words = ['scripts/console-invite.ts', email, '--role', 'provider_owner'];
  const { stdout } = await promisify(execFile)(process.execPath, words, {
    cwd: ROOT,
    env: { PATH: process.env['PATH'], DATA_DIR: process.env[DATA_DIR_VARIABLE] },
  });
  const [link] = /http\S+\/console\/invite#\S+/.exec(stdout) ?? [];
  if (link === undefined) throw new Error(`There is no link in ${stdout}`);
  return link;
}
