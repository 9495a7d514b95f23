/** What stands before several API processes: it sends each request to one that is ready, and repeats none. */
import { once } from 'node:events';
import { Agent, createServer, request, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';

/** An edge needs two answers before it believes that a process is ready no more. */
const ASK_INTERVAL_MS = 200;
const UNREADY_AFTER = 2;

export interface Edge {
  readonly url: string;
  /** Replaces the processes that it knows. */
  know(urls: readonly string[]): void;
  /** Resolves when the process is sent requests. */
  ready(url: string): Promise<void>;
  close(): Promise<void>;
}

export async function startEdge(): Promise<Edge> {
  /** How often each process in a row was not ready. */
  let missesOf = new Map<string, number>();
  let turn = 0;
  const agent = new Agent({ keepAlive: true });
  const closing = new AbortController();

  const readyUrls = (): string[] =>
    [...missesOf].filter(([, misses]) => misses < UNREADY_AFTER).map(([url]) => url);

  async function ask(url: string): Promise<void> {
    const isReady = await fetch(`${url}/readyz`).then(
      ({ ok }) => ok,
      () => false,
    );
    const misses = missesOf.get(url);
    if (misses !== undefined) missesOf.set(url, isReady ? 0 : misses + 1);
  }

  async function askForEver(): Promise<void> {
    while (!closing.signal.aborted) {
      await Promise.all([...missesOf.keys()].map(ask));
      await pause(ASK_INTERVAL_MS, undefined, closing).catch(() => undefined);
    }
  }

  function forward(incoming: IncomingMessage, answer: ServerResponse): void {
    const urls = readyUrls();
    const url = urls[(turn += 1) % urls.length];
    if (url === undefined) {
      answer.writeHead(503).end();
      return;
    }
    const { method, url: path, headers } = incoming;
    const outgoing = request(`${url}${path}`, { method, headers, agent }, (upstream) => {
      const { connection: _hop, ...rest } = upstream.headers;
      answer.writeHead(upstream.statusCode ?? 502, rest);
      upstream.pipe(answer);
    });
    outgoing.on('error', (error) => {
      if (answer.headersSent) answer.destroy();
      else answer.writeHead(502).end(String(error));
    });
    incoming.pipe(outgoing);
    answer.on('close', () => outgoing.destroy());
  }

  const server = createServer(forward).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const asking = askForEver();
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    know(urls) {
      missesOf = new Map(urls.map((url) => [url, missesOf.get(url) ?? UNREADY_AFTER]));
    },
    async ready(url) {
      while (!readyUrls().includes(url)) await pause(ASK_INTERVAL_MS);
    },
    async close() {
      closing.abort();
      await asking;
      agent.destroy();
      server.closeAllConnections();
      server.close();
    },
  };
}
