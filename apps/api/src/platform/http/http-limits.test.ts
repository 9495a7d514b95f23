import { EventEmitter, once } from 'node:events';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { connect, type AddressInfo, type Socket } from 'node:net';
import Fastify, { type FastifyInstance } from 'fastify';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { createTestApp, type TestApp } from '../../../test/test-app.ts';
import { limitConnections } from './connection-limit.ts';
import { CONNECTION_COUNT_MAX, HTTP_LIMITS } from './http-limits.ts';

/** The factor by which this test shortens the limits. */
const FASTER = 30;
const faster = <T extends object>(limits: T): T =>
  Object.fromEntries(
    Object.entries(limits).map(([name, value]: [string, unknown]) => [
      name,
      typeof value === 'number' ? Math.round(value / FASTER) : faster(value as object),
    ]),
  ) as T;

let app: FastifyInstance | undefined;
let test: TestApp | undefined;
const sockets: Socket[] = [];
afterEach(async () => {
  // Sockets are closed first, because a server waits for the requests in progress before it closes.
  for (const socket of sockets.splice(0)) socket.destroy();
  await app?.close();
  await test?.close();
  app = test = undefined;
});

async function listen() {
  const program = Fastify(faster(HTTP_LIMITS));
  app = program;
  program.get('/large', (_request, reply) => reply.send(Buffer.alloc(16 * 1024 * 1024)));
  program.post('/', () => ({}));
  await program.listen({ host: '127.0.0.1', port: 0 });
  return { server: program.server, port: (program.server.address() as AddressInfo).port };
}

async function open(port: number, text: string): Promise<Socket> {
  const socket = connect(port, '127.0.0.1');
  sockets.push(socket);
  socket.on('error', () => undefined);
  await once(socket, 'connect');
  socket.write(text);
  return socket;
}

/** Sends a byte at intervals, forever. Resolves when the server has closed the connection. */
async function drip(port: number, text: string, drop: string): Promise<void> {
  const socket = await open(port, text);
  const dripping = setInterval(() => socket.write(drop), 20);
  socket.resume();
  // Not `once` of node:events, which rejects if the server resets the connection while data is still being sent.
  await new Promise((resolve) => socket.once('close', resolve));
  clearInterval(dripping);
}

describe('a connection is closed', () => {
  it.each([
    ['headers', 'POST / HTTP/1.1\r\nhost: x\r\n', 'x: y\r\n'],
    [
      'a body',
      'POST / HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: 5000\r\n\r\n{',
      ' ',
    ],
  ])(
    'if the client sends %s byte by byte, at the timeout of a request',
    async (_what, text, drop) => {
      const { port } = await listen();
      // Without our limit it would stay open for the 5 min of Node.
      await drip(port, text, drop);
    },
  );

  it('if the client requests much and reads nothing', { tags: 'long' }, async () => {
    const { server, port } = await listen();
    const asked = once(server, 'request') as Promise<[IncomingMessage, ServerResponse]>;
    const socket = await open(port, 'GET /large HTTP/1.1\r\nhost: x\r\n\r\n');
    socket.pause();
    const [, response] = await asked;
    await once(response, 'close');
    expect(response.writableFinished).toBe(false);
  });
});

describe('the connections of one network place', () => {
  async function listenWith(env: Record<string, string>) {
    test = await createTestApp({ env });
    await test.app.listen({ host: '127.0.0.1', port: 0 });
    return { port: (test.app.server.address() as AddressInfo).port };
  }
  /** Connects from an address of this machine and asks. Returns the status, and `closed` if there is no answer. */
  async function ask(port: number, localAddress: string, headers = ''): Promise<string> {
    const socket = connect({ port, host: '127.0.0.1', localAddress });
    sockets.push(socket);
    socket.on('error', () => undefined);
    socket.write(`GET /healthz HTTP/1.1\r\nhost: x\r\n${headers}\r\n`);
    return new Promise((resolve) => {
      socket.once('data', (data) => resolve(String(data).slice(9, 12)));
      socket.once('close', () => resolve('closed'));
    });
  }

  it('are limited, while others connect, and until some are closed', async () => {
    const { port } = await listenWith({ CONNECTIONS_PER_ADDRESS: '5' });
    for (let count = 1; count <= 5; count += 1) expect(await ask(port, '127.0.0.1')).toBe('200');
    expect(await ask(port, '127.0.0.1')).toBe('closed');
    expect(await ask(port, '127.0.0.2')).toBe('200');
    sockets[0]?.destroy();
    await expect.poll(() => ask(port, '127.0.0.1')).toBe('200');
  });

  it('are not limited behind a trusted proxy, where the requests of a place are', async () => {
    const { port } = await listenWith({
      CONNECTIONS_PER_ADDRESS: '5',
      TRUSTED_PROXIES: '127.0.0.8/31',
    });
    for (let count = 1; count <= 8; count += 1) expect(await ask(port, '127.0.0.9')).toBe('200');
    // Each body is never complete, so these requests stay in progress.
    const unfinished =
      'POST /api/account/verify HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\n';
    for (let count = 1; count <= 5; count += 1) {
      const socket = connect({ port, host: '127.0.0.1', localAddress: '127.0.0.9' });
      sockets.push(socket);
      const asked = once(test?.app.server ?? socket, 'request');
      socket.write(`${unfinished}x-forwarded-for: 203.0.113.1\r\ncontent-length: 99\r\n\r\n{`);
      await asked;
    }
    expect(await ask(port, '127.0.0.9', 'x-forwarded-for: 203.0.113.1\r\n')).toBe('503');
    expect(await ask(port, '127.0.0.9', 'x-forwarded-for: 203.0.113.2\r\n')).toBe('200');
  });

  it('are counted together for all IPv6 networks of a site, of which one owner has thousands', () => {
    const server = new EventEmitter();
    limitConnections(server as Server, { ofPlaceMax: 5, trustedProxies: [] });
    const connectFrom = (remoteAddress: string): boolean => {
      const destroy = vi.fn();
      server.emit('connection', Object.assign(new EventEmitter(), { remoteAddress, destroy }));
      return destroy.mock.calls.length === 0;
    };
    const taken = Array.from({ length: 15 }, (_, index) => connectFrom(`2001:db8:1:${index}::1`));
    expect(taken.filter(Boolean)).toHaveLength(5);
    expect(connectFrom('2001:db8:2::1')).toBe(true);
    expect(connectFrom('::ffff:203.0.113.1')).toBe(true);
  });
});

it('the real program has these limits, and one on the number of connections', async () => {
  test = await createTestApp();
  const { server } = test.app;
  expect([server.requestTimeout, server.headersTimeout, server.timeout]).toEqual([
    9_000, 9_000, 30_000,
  ]);
  expect(server.maxConnections).toBe(CONNECTION_COUNT_MAX);
});
