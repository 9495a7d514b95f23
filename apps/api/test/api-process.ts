/** Runs a program of the API as a separate process that can be killed. It listens on its own port and uses the secrets of the tests. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { findFreePort } from '@athos/postgres/free-port';
import { TEST_ENV, type TestUser } from './test-app.ts';

const PROGRAMS = join(import.meta.dirname, '../src/programs');

export interface ApiProcess {
  readonly url: string;
  post(path: string, request: { user: TestUser; key: string; payload: object }): Promise<Response>;
  /** Asks the process to end. Resolves with its exit code when it is gone. */
  end(): Promise<number | null>;
  /** `kill -9`. Resolves when the process is gone. */
  kill(): Promise<void>;
}

/** `programs` is the folder of the program. Throws if the process ends before it listens. */
export async function startApiProcess(
  databaseUrl: string,
  program: 'wallet-api' | 'console-api' | 'worker' = 'wallet-api',
  env: Readonly<Record<string, string>> = {},
  programs: string = PROGRAMS,
): Promise<ApiProcess> {
  const port = String(await findFreePort());
  const child = spawn(process.execPath, [join(programs, `${program}.ts`)], {
    env: {
      ...process.env,
      ...TEST_ENV,
      DATABASE_URL: databaseUrl,
      CONSOLE: program === 'console-api' ? 'own' : 'with_api',
      [program === 'console-api' ? 'CONSOLE_PORT' : 'PORT']: port,
      ...env,
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const exited = once(child, 'exit');
  const isReady = async (): Promise<boolean> => {
    for await (const line of createInterface({ input: child.stdout })) {
      if (line.includes('"ready":true')) return true;
    }
    return false;
  };
  if (!(await isReady())) throw new Error('the API ended before it listened');
  const url = `http://127.0.0.1:${port}`;
  return {
    url,
    post: (path, { user, key, payload }) =>
      fetch(`${url}${path}`, {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          authorization: `Bearer ${user.token}`,
          'idempotency-key': key,
        },
        body: JSON.stringify(payload),
      }),
    async end() {
      child.kill('SIGTERM');
      await exited;
      return child.exitCode;
    },
    async kill() {
      child.kill('SIGKILL');
      await exited;
    },
  };
}
