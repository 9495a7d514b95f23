/** Requests at a fixed rate. */
import { setTimeout as pause } from 'node:timers/promises';
import type { HttpConnection } from './http-connection.ts';

/**
 * Keeps a fixed rate regardless of response times. `sendOne` gets the time at which its request was due, so that waiting for a free
 * connection counts as latency. Each request is due at random within an interval of its own: loops of one rate would else send together
 * for as long as they run.
 */
export async function pacedLoop(
  connections: readonly HttpConnection[],
  sendOne: (connection: HttpConnection, dueMs: number) => Promise<void>,
  { isOn, perSecond }: { isOn: () => boolean; perSecond: number },
): Promise<void> {
  const free = [...connections];
  const underWay = new Set<Promise<void>>();
  const startMs = performance.now();
  for (let begun = 0; isOn(); begun++) {
    const dueMs = startMs + ((begun + Math.random()) * 1000) / perSecond;
    const waitMs = dueMs - performance.now();
    if (waitMs > 0) await pause(waitMs);
    while (free.length === 0) await Promise.race(underWay);
    const connection = free.pop();
    if (connection === undefined) continue;
    const one = sendOne(connection, dueMs).finally(() => {
      free.push(connection);
      underWay.delete(one);
    });
    underWay.add(one);
  }
  await Promise.all(underWay);
}
