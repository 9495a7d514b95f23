/** Whether an alarm reaches whom it should: Alertmanager runs with the shipped file and sends to webhooks of this process. */
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { json } from 'node:stream/consumers';
import type { Server, Tools } from '../deploy/tools.ts';

const FILE = 'alertmanager.yml';
/** Where the shipped file expects the addresses of the webhooks. */
const FOLDER_OF_URLS = '/etc/alertmanager';
const START_LIMIT_MS = 20_000;
/** Alertmanager collects alarms for `group_wait` (10 s) before it sends the first ones. */
const DELIVERY_LIMIT_MS = 30_000;

interface Try {
  readonly name: string;
  readonly labels: readonly string[];
  readonly receiver: 'pages' | 'tickets';
}

const TRIES: readonly Try[] = [
  { name: 'TryPage', labels: ['severity=page'], receiver: 'pages' },
  { name: 'TryTicket', labels: ['severity=ticket'], receiver: 'tickets' },
  { name: 'TryWithoutSeverity', labels: [], receiver: 'tickets' },
];
const EXPECTED = TRIES.map(({ name, receiver }) => `${name} to ${receiver}`).toSorted();

/** A sentence for each alarm that went astray. `tools` hold a copy of `deploy/observability`. */
export async function deliveryFaults(tools: Tools): Promise<string[]> {
  const webhooks = await openWebhooks();
  writeUrls(tools, webhooks.url);
  const server = tools.start([
    'prometheus-alertmanager',
    `--config.file=${FILE}`,
    '--storage.path=alertmanager',
    '--web.listen-address=127.0.0.1:0',
    // No other Alertmanager to agree with.
    '--cluster.listen-address=',
  ]);
  try {
    const url = `--alertmanager.url=http://${await addressOf(server)}`;
    for (const { name, labels } of TRIES) {
      const answer = tools.run(['amtool', url, 'alert', 'add', name, ...labels]);
      if (!answer.isDone) return [`amtool: ${answer.complaints.trim()}`];
    }
    const arrived = await webhooks.arrived();
    const missing = EXPECTED.filter((words) => !arrived.includes(words));
    const astray = arrived.filter((words) => !EXPECTED.includes(words));
    return [
      ...missing.map((words) => `did not arrive: ${words}`),
      ...astray.map((words) => `should not have arrived: ${words}`),
    ];
  } finally {
    await stop(server);
    await webhooks.close();
  }
}

/** Replaces the folder of the addresses, since that of the tools' file system is shared. */
function writeUrls({ folder }: Tools, url: string): void {
  const file = join(folder, FILE);
  writeFileSync(file, readFileSync(file, 'utf8').replaceAll(FOLDER_OF_URLS, '.'));
  for (const name of ['pages', 'tickets']) writeFileSync(join(folder, `${name}-url`), url + name);
}

/** The address on which Alertmanager says that it listens. */
async function addressOf(server: Server): Promise<string> {
  const said: string[] = [];
  const lines = createInterface({ input: server.stderr });
  const limit = setTimeout(() => server.kill(), START_LIMIT_MS);
  try {
    for await (const line of lines) {
      said.push(line);
      const address = /msg="Listening on" address=(\S+)/.exec(line)?.[1];
      if (address !== undefined) return address;
    }
    throw new Error(`Alertmanager did not start:\n${said.join('\n')}`);
  } finally {
    clearTimeout(limit);
    // What it says later is read and dropped, so that it can go on.
    server.stderr.resume();
  }
}

async function stop(server: Server): Promise<void> {
  if (server.exitCode !== null || server.signalCode !== null) return;
  const exited = once(server, 'exit');
  server.kill();
  await exited;
}

interface Message {
  readonly alerts: readonly { readonly labels: Readonly<Record<string, string>> }[];
}

/** The webhooks, whose names are the last part of their address. */
async function openWebhooks() {
  const arrived = new Set<string>();
  const isComplete = Promise.withResolvers<void>();
  const server = createServer((request, response) => {
    void json(request).then((message) => {
      for (const { labels } of (message as Message).alerts) {
        arrived.add(`${labels['alertname']} to ${(request.url ?? '').slice(1)}`);
      }
      response.end();
      if (arrived.size >= TRIES.length) isComplete.resolve();
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    /** What has arrived once as many have as were sent, or when the time is over. */
    async arrived(): Promise<readonly string[]> {
      const limit = setTimeout(() => isComplete.resolve(), DELIVERY_LIMIT_MS);
      await isComplete.promise;
      clearTimeout(limit);
      return [...arrived].toSorted();
    },
    async close(): Promise<void> {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
