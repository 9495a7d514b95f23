import { once } from 'node:events';
import { connect, type AddressInfo, type Socket } from 'node:net';
import { fastify, type FastifyInstance } from 'fastify';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { z } from 'zod';
import { EventHub, openStream } from './event-hub.ts';

/** More than a connection holds on its way to a reader that reads nothing. */
const LARGE_BYTES = 32 * 1024 * 1024;
const KEEP_ALIVE_MS = 15_000;

let app: FastifyInstance;
let hub: EventHub<string, { text: string }>;
let reader: Socket;
/** The server's end of the reader's connection. */
let served: Socket;
beforeEach(async () => {
  hub = new EventHub(z.object({ text: z.string() }), { perOwnerMax: 2, allMax: 3 });
  app = fastify();
  app.get('/large', (_request, reply) => reply.send(Buffer.alloc(LARGE_BYTES)));
  app.get('/events', async (_request, reply) =>
    openStream(hub, { owner: 'ada', sessionId: '1', response: reply.raw }, reply),
  );
  app.get('/late', async (_request, reply) => {
    reply.code(503).send();
    await once(reply.raw, 'close');
    return openStream(hub, { owner: 'ada', sessionId: '1', response: reply.raw }, reply);
  });
  await app.listen({ host: '127.0.0.1', port: 0 });
  app.server.once('connection', (socket) => (served = socket));
  reader = connect((app.server.address() as AddressInfo).port, '127.0.0.1');
  reader.on('error', () => undefined);
  await once(reader, 'connect');
});
afterEach(async () => {
  vi.useRealTimers();
  reader.destroy();
  await app.close();
});

const ask = (...paths: readonly string[]) =>
  reader.write(paths.map((path) => `GET ${path} HTTP/1.1\r\nhost: a\r\n\r\n`).join(''));

it('cuts off the reader of an ended stream that reads nothing, and writes to it no more', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'setTimeout', 'clearTimeout'] });
  ask('/large', '/events');
  await expect.poll(() => hub.streamCount).toBe(1);
  hub.endAll();
  // A write to an ended answer would raise an error that nobody handles.
  vi.advanceTimersByTime(KEEP_ALIVE_MS / 2);
  expect(served.destroyed).toBe(false);
  vi.advanceTimersByTime(3 * KEEP_ALIVE_MS);
  expect(served.destroyed).toBe(true);
});

it('opens no stream for a request that has been answered', async () => {
  ask('/late');
  await once(reader, 'data');
  ask('/events');
  await expect.poll(() => hub.streamCount).toBe(1);
});

it('opens no stream once it is closed', async () => {
  hub.close();
  ask('/events');
  const [answer] = (await once(reader, 'data')) as [Buffer];
  expect(answer.toString()).toContain('overloaded');
  expect(hub.streamCount).toBe(0);
});
