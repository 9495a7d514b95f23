import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { connect as connectTo, type Socket } from 'node:net';
import { createInterface } from 'node:readline';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { connect } from './connection.ts';

/** Both attempts of 4 s, a pause between them, and 5 s for a busy machine. The kernel itself would go on for two minutes. */
const GIVEN_UP_AFTER_MS = 13_500;
const LISTEN = `
  const server = require('node:net').createServer();
  server.listen({ port: 0, host: '127.0.0.1', backlog: 1 }, () => console.log(server.address().port));`;

/** A provider whose machine answers no more: once its queue is full, the kernel drops requests for a connection. */
let provider: ChildProcess;
let apiUrl: string;
let fillers: Socket[];
beforeEach(async () => {
  provider = spawn(process.execPath, ['-e', LISTEN], { stdio: ['ignore', 'pipe', 'inherit'] });
  const [port] = (await once(
    createInterface({ input: provider.stdout ?? process.stdin }),
    'line',
  )) as [string];
  provider.kill('SIGSTOP');
  apiUrl = `http://127.0.0.1:${port}`;
  fillers = Array.from({ length: 8 }, () => connectTo(parseInt(port, 10), '127.0.0.1'));
  for (const filler of fillers) filler.on('error', () => undefined);
  await expect.poll(() => fillers.filter((filler) => filler.connecting).length).toBeLessThan(8);
});
afterEach(() => {
  for (const filler of fillers) filler.destroy();
  provider.kill('SIGKILL');
});

it('gives up a provider to which no connection opens', { tags: 'long' }, async () => {
  const stripe = await connect({ secretKey: 'sk_test_silent', webhookSecrets: [], apiUrl });
  const startMs = performance.now();
  await expect(stripe.paymentIntents.retrieve('pi_1')).rejects.toThrow();
  expect(performance.now() - startMs).toBeLessThan(GIVEN_UP_AFTER_MS);
});
