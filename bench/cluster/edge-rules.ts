/**
 * The rules of the edge: what it answers by itself, which are paths that are not for users, a network that floods it, and what every wallet
 * polls; and where it sends requests while no process is ready.
 */
import { readFileSync } from 'node:fs';
import {
  connect,
  type ClientHttp2Session,
  type IncomingHttpHeaders,
  type IncomingHttpStatusHeader,
  type OutgoingHttpHeaders,
} from 'node:http2';
import { setTimeout as pause } from 'node:timers/promises';
import { until, type Cluster } from './cluster.ts';
import type { Edge } from './edge.ts';
import type { Proof } from '../vitest-report.ts';

/** The limit of deploy/haproxy/edge.cfg for one network in ten seconds. */
const REQUESTS_MAX = 20_000;
const FLOOD = REQUESTS_MAX + 2_000;
const AT_ONCE = 100;
const FORGOTTEN_AFTER_MS = 11_000;
/** Refused at the edge, so that the flood costs the programs nothing. */
const HIDDEN = ['/metrics', '/readyz'] as const;
const SERVED = '/healthz';
/** Polled by every wallet; the edge answers from its cache. */
const POLLED = ['/api/exchange_rate', '/api/programme'] as const;
const POLL_COUNT = 50;
/** As in the wallet, which wants no answer of the browser's cache. Any token will do: the paths are open to all. */
const AS_A_WALLET = { authorization: 'Bearer x', 'cache-control': 'max-age=0' };
/** Answers that a caller could make any number of, and those that differ by caller. Each with its status, for the token of nobody. */
const NEVER_KEPT = [
  ['/api/exchange_rate?of=another', 200],
  ['/api/account/balance', 401],
] as const;
type Answer = IncomingHttpHeaders & IncomingHttpStatusHeader;
const OWN_ORIGIN = 'https://localhost';
const FOREIGN_ORIGIN = 'https://elsewhere.example';

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

/**
 * Both API processes are told to end. While they drain they are unready and still serve, so the answer shows that the edge has sent the
 * request to one of them.
 */
export async function proveEdgeOfNoneReady(cluster: Cluster): Promise<Proof> {
  const { applications, edge, startApi, untilWhole } = cluster;
  const ends = applications.map(({ machine }) => machine.kill('api', 'SIGTERM'));
  await until('an edge that finds no process ready', async () => (await edge.readyCount()) === 0);
  const status = await withSession(edge, (session) => ask(session, SERVED));
  await Promise.all(ends);
  for (const application of applications) startApi(application);
  await untilWhole();
  return {
    title: 'while no API process is ready, the edge sends requests to one that still serves',
    isProven: status === 200,
  };
}

/** Gives `act` a connection to the edge, as a browser has one. */
export async function withSession<T>(
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

/**
 * Each path is asked for many times within the time for which its answer is kept, so most answers of the cache must have an age. An answer
 * of the cache for a foreign origin is the one for no origin: the origin has no answer of its own.
 */
export async function proveEdgeCache(edge: Edge): Promise<Proof> {
  return withSession(edge, async (session) => {
    /** The answers of the cache. Answers with another status count as none. */
    const ofCache = async (path: string, headers: OutgoingHttpHeaders = {}) =>
      (await poll(session, path, headers)).filter(
        (answer) => answer[':status'] === 200 && answer['age'] !== undefined,
      );
    const isMost = ({ length }: readonly unknown[]): boolean => length > POLL_COUNT / 2;
    const polled = await Promise.all(POLLED.map((path) => ofCache(path)));
    const own = await ofCache(POLLED[0], { origin: OWN_ORIGIN });
    const foreign = await ofCache(POLLED[0], { origin: FOREIGN_ORIGIN });
    const others = await Promise.all(
      NEVER_KEPT.map(async ([path, status]) =>
        (await poll(session, path)).every(
          (answer) => answer[':status'] === status && answer['age'] === undefined,
        ),
      ),
    );
    const allow = 'access-control-allow-origin';
    return {
      title:
        'the edge answers polls of the rate and of the programme from its cache, for no foreign origin by itself, and nothing else',
      isProven:
        polled.every(isMost) &&
        isMost(own) &&
        own.every((answer) => answer[allow] === OWN_ORIGIN) &&
        isMost(foreign) &&
        foreign.every((answer) => answer[allow] !== FOREIGN_ORIGIN) &&
        others.every(Boolean),
    };
  });
}

async function poll(
  session: ClientHttp2Session,
  path: string,
  headers: OutgoingHttpHeaders = {},
): Promise<Answer[]> {
  const answers: Answer[] = [];
  for (let asked = 0; asked < POLL_COUNT; asked++) {
    answers.push(await answerOf(session, path, { ...AS_A_WALLET, ...headers }));
  }
  return answers;
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
export async function ask(session: ClientHttp2Session, path: string): Promise<number> {
  const answer = await answerOf(session, path);
  return answer[':status'] ?? 0;
}

/** The headers of the answer; none if there is no answer. */
export function answerOf(
  session: ClientHttp2Session,
  path: string,
  headers: OutgoingHttpHeaders = {},
): Promise<Answer> {
  return new Promise((resolve) => {
    const stream = session.request({ ...headers, ':path': path });
    let answer: Answer = {};
    stream.on('response', (received) => (answer = received));
    stream.on('error', () => resolve({}));
    stream.on('close', () => resolve(answer));
    stream.resume();
    stream.end();
  });
}
