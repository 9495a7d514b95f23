import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';

/**
 * Below the ports that systems assign to outgoing connections (from 32768 on Linux, 49152 elsewhere). One of those could be taken again
 * before its program listens.
 */
const FIRST_PORT = 20_000;
const LAST_PORT = 32_000;
const TRIES_MAX = 100;

/** A loopback port, chosen at random, on which nobody is listening right now. */
export async function findFreePort(): Promise<number> {
  for (let tried = 0; tried < TRIES_MAX; tried += 1) {
    const port = randomInt(FIRST_PORT, LAST_PORT + 1);
    if (await isPortFree(port)) return port;
  }
  throw new Error(`No free port was found between ${FIRST_PORT} and ${LAST_PORT}`);
}

/** Whether it is possible to listen on `port` of `host` right now. */
export function isPortFree(port: number, host = '127.0.0.1'): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => resolve(false));
    server.listen({ port, host, exclusive: true }, () => server.close(() => resolve(true)));
  });
}
