/** Runs the API as a separate process that can be killed. It listens on its own port and uses the secrets of the tests. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { TEST_ENV } from './test-app.ts';

const MAIN = join(import.meta.dirname, '../src/programs/wallet-api.ts');

export interface ApiProcess {
  readonly url: string;
  /** `kill -9`. Resolves when the process is gone. */
  kill(): Promise<void>;
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

/** Throws if the process ends before it listens. */
export async function startApiProcess(databaseUrl: string): Promise<ApiProcess> {
  const port = await freePort();
  const child = spawn(process.execPath, [MAIN], {
    env: { ...process.env, ...TEST_ENV, DATABASE_URL: databaseUrl, PORT: String(port) },
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
  return {
    url: `http://127.0.0.1:${port}`,
    async kill() {
      child.kill('SIGKILL');
      await exited;
    },
  };
}
