/** Runs the image's programs against a database: it migrates, the API becomes ready, and a send succeeds. */
import { spawn, type ChildProcess } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { join } from 'node:path';
import { ensureTestServer } from '@athos/postgres/test-server';
import { readConfig } from '../../apps/api/src/config/config.ts';
import { populate } from '../../bench/population.ts';
import { apiEnvironment, freePort, untilReady } from '../../bench/programs.ts';
import { NAMESPACES, type Image } from './build-image.ts';

type Environment = Readonly<Record<string, string>>;

function startProgram(image: Image, program: string, env: Environment): ChildProcess {
  const run = join(import.meta.dirname, 'run.sh');
  const command = [...image.entryPoint, `apps/api/dist/${program}.js`];
  return spawn('unshare', [...NAMESPACES, 'sh', run, image.root, image.user, ...command], {
    env: {
      ...Object.fromEntries(image.env.map((line) => line.split(/=(.*)/s, 2) as [string, string])),
      ...env,
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
}

async function end(child: ChildProcess): Promise<void> {
  const exited = once(child, 'exit');
  child.kill('SIGKILL');
  await exited;
}

async function refusesToWrite(image: Image): Promise<boolean> {
  const run = join(import.meta.dirname, 'run.sh');
  const words = ['sh', run, image.root, '0:0', 'touch', '/opt/athos/written'];
  const child = spawn('unshare', [...NAMESPACES, ...words], { stdio: 'ignore' });
  const [code] = (await once(child, 'exit')) as [number];
  return code !== 0;
}

/** @throws Error that names what did not work */
export async function proveImage(image: Image): Promise<void> {
  if (image.user !== '10001:10001') throw new Error(`the image runs as ${image.user}`);
  const revision = image.labels['org.opencontainers.image.revision'];
  if (revision !== image.commit) throw new Error(`the image names the revision ${revision}`);
  if (!(await refusesToWrite(image))) throw new Error('its file system can be written to');
  const server = await ensureTestServer();
  const { url: databaseUrl } = server;
  const port = await freePort();
  const env = {
    ...apiEnvironment(databaseUrl, port),
    MEDIA_DIR: '/var/lib/athos/media',
    EXPORT_DIR: '/var/lib/athos/exports',
  };
  const running: ChildProcess[] = [];
  try {
    const [code] = (await once(startProgram(image, 'migrate', env), 'exit')) as [number];
    if (code !== 0) throw new Error(`migrate ended with ${code}`);
    for (const program of ['wallet-api', 'worker']) {
      const child = startProgram(image, program, env);
      running.push(child);
      await untilReady(child);
    }
    await send(`http://127.0.0.1:${port}`, env);
  } finally {
    await Promise.all(running.map(end));
    await server.stop();
  }
}

async function send(url: string, env: Environment): Promise<void> {
  const [ada, ben] = await populate(readConfig(env), { count: 2, senderCount: 1 });
  if (ada === undefined || ben === undefined) throw new Error('there is nobody to send');
  const { status: readiness } = await fetch(`${url}/readyz`);
  if (readiness !== 200) throw new Error(`/readyz answers ${readiness}`);
  const { status: page } = await fetch(`${url}/`, { headers: { accept: 'text/html' } });
  if (page !== 200) throw new Error(`the wallet's page answers ${page}`);
  const answer = await fetch(`${url}/api/account/transfer`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${ada.token}`,
      'content-type': 'application/json',
      'idempotency-key': randomUUID(),
    },
    body: JSON.stringify({ amount: '1000', to_uuid: ben.uuid }),
  });
  if (answer.status !== 200) throw new Error(`a send answers ${answer.status}`);
}
