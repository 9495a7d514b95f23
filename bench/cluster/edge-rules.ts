/** What the edge answers by itself: paths that are not for users, and a network that floods it. */
import { readFileSync } from 'node:fs';
import { connect, type ClientHttp2Session } from 'node:http2';
import { setTimeout as pause } from 'node:timers/promises';
import type { Edge } from './edge.ts';
import type { Proof } from './proof.ts';

/** The limit of deploy/haproxy/edge.cfg for one network in ten seconds. */
const REQUESTS_MAX = 20_000;
const FLOOD = REQUESTS_MAX + 2_000;
const AT_ONCE = 100;
const FORGOTTEN_AFTER_MS = 11_000;
/** Refused at the edge, so that the flood costs the programs nothing. */
const HIDDEN = ['/metrics', '/readyz'] as const;
const SERVED = '/healthz';

export async function proveEdgeRules(edge: Edge): Promise<Proof> {
  const during = await withSession(edge, async (session) => {
    const hidden = await Promise.all(HIDDEN.map((path) => ask(session, path)));
    const before = await ask(session, SERVED);
    const flood = await floodWith(session);
    return { hidden, before, flood, served: await ask(session, SERVED) };
  });
  await pause(FORGOTTEN_AFTER_MS);
  // The edge has closed the first connection, which was idle.
  const after = await withSession(edge, (session) => ask(session, SERVED));
  const { hidden, before, flood, served } = during;
  const isHidden = hidden.every((status) => status === 404);
  const isLimited = (flood.get(429) ?? 0) > 0 && (flood.get(404) ?? 0) <= REQUESTS_MAX;
  return {
    title:
      '[P-060] the edge answers 404 for metrics and readiness, and 429 to a network that floods it, until it stops',
    isProven: isHidden && isLimited && [before, served, after].join() === '200,429,200',
  };
}

async function withSession<T>(
  edge: Edge,
  act: (session: ClientHttp2Session) => Promise<T>,
): Promise<T> {
  const session = connect(edge.url, { ca: readFileSync(edge.certificate) });
  // A connection that breaks fails its requests.
  session.on('error', () => undefined);
  try {
    return await act(session);
  } finally {
    session.close();
  }
}

/** The answers by status. */
async function floodWith(session: ClientHttp2Session): Promise<ReadonlyMap<number, number>> {
  const counts = new Map<number, number>();
  let asked = 0;
  const askOn = async (): Promise<void> => {
    while (asked < FLOOD) {
      asked += 1;
      const status = await ask(session, HIDDEN[0]);
      counts.set(status, (counts.get(status) ?? 0) + 1);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, askOn));
  return counts;
}

/** The status of the answer; 0 if there is none. */
function ask(session: ClientHttp2Session, path: string): Promise<number> {
  return new Promise((resolve) => {
    const stream = session.request({ ':path': path });
    let status = 0;
    stream.on('response', (headers) => (status = headers[':status'] ?? 0));
    stream.on('error', () => resolve(0));
    stream.on('close', () => resolve(status));
    stream.resume();
    stream.end();
  });
}
