/** What the edge logs: a line by which a request can be followed to the API's, one for what it refuses itself, and nothing secret. */
import { once } from 'node:events';
import { connect } from 'node:net';
import { until, type Cluster } from './cluster.ts';
import { answerOf, withSession } from './edge-rules.ts';
import type { Proof } from '../vitest-report.ts';

const SECRET = 'secret-of-a-stranger';
/** The API answers both, without a token. */
const ASKED = [
  { path: `/api/account/refresh_jwt?token=${SECRET}`, logged: '/api/account/refresh_jwt' },
  { path: `/api/reward/${SECRET}/redeem`, logged: '/api/reward' },
] as const;
const ASKED_IN_VAIN = { path: `/api/purchase/${SECRET}?token=${SECRET}`, logged: '/api/purchase' };
const POLLED = '/api/exchange_rate';
/** Nothing listens here. */
const NOBODY = ['127.0.0.1:1', '127.0.0.1:1'];
const ABSENT = '-';

interface Line {
  readonly requestId?: string;
  readonly path?: string;
  readonly status?: number;
  readonly error?: string;
}

/** Called after the flood and the polls of edge-rules.ts, whose lines would be many. */
export async function proveEdgeLog(cluster: Cluster): Promise<Proof> {
  const { edge } = cluster;
  const { ids, ownAddress } = await withSession(edge, async (session) => {
    const answers = await Promise.all(ASKED.map(({ path }) => answerOf(session, path)));
    return {
      ids: answers.map((answer) => String(answer['x-request-id'])),
      ownAddress: session.socket.localAddress ?? '',
    };
  });
  await speakWithoutTls(edge.machine.address);
  const inVain = await askAnEdgeWithoutApi(cluster);
  const [log, lines] = [edge.log, linesOf(edge.log)];
  const isFollowed = ASKED.every(({ logged }, index) =>
    lines.some(({ path, requestId }) => path === logged && requestId === ids[index]),
  );
  const isDenied = ({ status, requestId }: Line): boolean =>
    (status === 429 || status === 404) && requestId === ABSENT;
  const isPoll = ({ status, path }: Line): boolean => status === 200 && path === POLLED;
  return {
    title:
      'the edge logs the request id of what the API answered, and what it refuses itself, without paths that may be secret, queries, addresses, polls and what it denies',
    isProven:
      isFollowed &&
      inVain === 503 &&
      lines.some(isRefused) &&
      lines.some(({ error }) => error !== undefined) &&
      !lines.some(isDenied) &&
      !lines.some(isPoll) &&
      ownAddress !== '' &&
      ![SECRET, ownAddress].some((text) => log.includes(text)),
  };
}

const isRefused = ({ status, path, requestId }: Line): boolean =>
  status === 503 && path === ASKED_IN_VAIN.logged && requestId === ABSENT;

/** The lines of requests and connections. Those about servers are plain text. */
const linesOf = (log: string): Line[] =>
  log
    .split('\n')
    .filter((line) => line.startsWith('{') && line.endsWith('}'))
    .map((line) => JSON.parse(line) as Line);

/** Opens a connection that fails in its TLS handshake. By default HAProxy would log the caller's address for it. */
async function speakWithoutTls(host: string): Promise<void> {
  const socket = connect(443, host);
  socket.on('error', () => undefined);
  socket.write('hello\r\n\r\n');
  socket.resume();
  await once(socket, 'close');
}

/** The status of the answer. */
async function askAnEdgeWithoutApi({ edge, startEdge, untilWhole }: Cluster): Promise<number> {
  await edge.stop();
  edge.start(NOBODY);
  let status = 0;
  try {
    await until('an answer of the edge', async () => {
      const answer = await withSession(edge, (session) => answerOf(session, ASKED_IN_VAIN.path));
      status = answer[':status'] ?? 0;
      return status !== 0;
    });
    // An edge that ends at once may not write the line. The proof says so if there is none.
    await until('a line of the refusal', () => linesOf(edge.log).some(isRefused)).catch(
      () => undefined,
    );
  } finally {
    await edge.stop();
    startEdge();
    await untilWhole();
  }
  return status;
}
