import { createServer } from 'node:net';
import { threadId } from 'node:worker_threads';

/**
 * Below the ports that systems assign to outgoing connections (from 32768 on Linux, 49152 elsewhere). One of those could be taken again
 * before its program listens.
 */
const FIRST_PORT = 20_000;
const LAST_PORT = 31_999;
/** `npm start` takes five. Processes that start together have different ids, so each begins at ports of its own. */
const PORTS_OF_PROCESS = 12;
const PROCESSES = (LAST_PORT + 1 - FIRST_PORT) / PORTS_OF_PROCESS;
const TRIES_MAX = 1_000;

let nextPort = FIRST_PORT + ((process.pid + threadId) % PROCESSES) * PORTS_OF_PROCESS;
/** The ports of this process's programs, which may not listen on them yet. */
const taken = new Set<number>();

/**
 * A loopback port on which nobody is listening right now. Its program begins to listen only later, so a process gets each port once, and
 * processes that choose at the same time choose among different ones.
 */
export async function findFreePort(): Promise<number> {
  for (let tried = 0; tried < TRIES_MAX; tried += 1) {
    const port = nextPort;
    nextPort = port === LAST_PORT ? FIRST_PORT : port + 1;
    if (await takePort(port)) return port;
  }
  throw new Error(`No free port was found between ${FIRST_PORT} and ${LAST_PORT}`);
}

/** Takes a port that this process has not taken yet and on which nobody is listening. Returns whether it did. */
export async function takePort(port: number): Promise<boolean> {
  if (taken.has(port) || !(await isPortFree(port))) return false;
  taken.add(port);
  return true;
}

/** Whether it is possible to listen on `port` of `host` right now. */
export function isPortFree(port: number, host = '127.0.0.1'): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => resolve(false));
    server.listen({ port, host, exclusive: true }, () => server.close(() => resolve(true)));
  });
}
