import { createServer } from 'node:http';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { balanceRoutes } from './balance/balance-routes.ts';
import { finishPayout, keepDailyPayout, payDaily } from './balance/payouts.ts';
import { createClock } from './clock.ts';
import { createControls } from './control/controls.ts';
import { answerControl } from './control/answer-control.ts';
import { followCharge } from './disputes/follow-charge.ts';
import { disputeRoutes } from './disputes/dispute-routes.ts';
import { closeInquiry, decideDispute, expireDispute } from './disputes/dispute-states.ts';
import { fileBytesMax, fileRoutes } from './files/file-routes.ts';
import { intentRoutes } from './payments/intent-routes.ts';
import { finishProcessing, settleChargeLater } from './payments/intent-timers.ts';
import { recordRoutes } from './payments/record-routes.ts';
import { refundRoutes } from './refunds/refund-routes.ts';
import { finishRefund } from './refunds/refund-states.ts';
import { showChallenge, takeChallengeAnswer } from './pages/challenge-page.ts';
import { BodyTooLarge, readBody, readBytes, send, sendJson } from './pages/reply.ts';
import { createAssets } from './pages/assets.ts';
import type { Sandbox } from './sandbox.ts';
import { startScheduler } from './scheduler.ts';
import { isLoopbackHost } from './settings.ts';
import type { Settings } from './settings.ts';
import { openStore } from './store.ts';
import type { TimerHandlers } from './timers.ts';
import { createV1 } from './transport/handle-v1.ts';
import type { Route } from './transport/route.ts';
import { ApiError } from './transport/errors.ts';
import { warningRoutes } from './warnings/early-fraud-warnings.ts';
import { endpointRoutes, keepConfiguredEndpoint } from './webhooks/endpoint-routes.ts';
import { pruneEvents } from './webhooks/events.ts';

export interface RunningSandbox {
  readonly url: string;
  readonly sandbox: Sandbox;
  /** Finishes requests in flight, then closes. */
  close(): Promise<void>;
}

// Longer than the SDK's keep-alive, so that the SDK never reuses a socket the sandbox has just closed.
const keepAliveMs = 70_000;

// The evidence of a dispute is up to 150,000 characters, each up to nine bytes in a form.
const formBytesMax = 2 * 1024 * 1024;
// A file and the rest of its multipart body.
const uploadBytesMax = fileBytesMax + 64 * 1024;

const v1Routes: readonly Route[] = [
  ...intentRoutes,
  ...recordRoutes,
  ...refundRoutes,
  ...disputeRoutes,
  ...warningRoutes,
  ...fileRoutes,
  ...balanceRoutes,
  ...endpointRoutes,
];

const timerHandlers: TimerHandlers = {
  settle_charge: settleChargeLater,
  finish_processing: finishProcessing,
  finish_refund: finishRefund,
  follow_charge: followCharge,
  decide_dispute: decideDispute,
  dispute_due: expireDispute,
  close_inquiry: closeInquiry,
  pay_out: payDaily,
  finish_payout: finishPayout,
};

/** Opens the data directory and listens. Rejects with the system's error if the port is taken. */
export async function startSandbox(settings: Settings): Promise<RunningSandbox> {
  const store = openStore(settings.dataDir);
  const sandbox: Sandbox = {
    settings,
    store,
    clock: createClock(store),
    controls: createControls(store),
    url: '',
    wake: () => undefined,
  };
  const handle = createHandler(sandbox);
  const server = createServer((request, response) => {
    handle(request, response).catch((error: unknown) => {
      process.stderr.write(`${error instanceof Error ? error.stack : String(error)}\n`);
      response.destroy();
    });
  });
  server.keepAliveTimeout = keepAliveMs;
  server.headersTimeout = keepAliveMs + 5000;
  try {
    sandbox.url = await listen(server, settings);
  } catch (error) {
    store.close();
    throw error;
  }
  store.transaction(() => {
    keepConfiguredEndpoint(sandbox);
    pruneEvents(sandbox);
    keepDailyPayout(sandbox);
  });
  const scheduler = startScheduler(sandbox, timerHandlers);
  sandbox.wake = () => scheduler.wake();
  return {
    url: sandbox.url,
    sandbox,
    close: async () => {
      const closed = new Promise((resolve) => server.close(resolve));
      server.closeIdleConnections();
      await scheduler.stop();
      await closed;
      store.close();
    },
  };
}

function listen(server: Server, settings: Settings): Promise<string> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(settings.port, settings.host, () => {
      const { port } = server.address() as AddressInfo;
      const host = settings.host.includes(':') ? `[${settings.host}]` : settings.host;
      resolve(`http://${host}:${port}`);
    });
  });
}

type Handler = (request: IncomingMessage, response: ServerResponse) => Promise<void>;

function createHandler(sandbox: Sandbox): Handler {
  const answerV1 = createV1(sandbox, v1Routes);
  const assets = createAssets();

  const handleV1: Handler = async (request, response) => {
    const { pathname, search } = readUrl(request);
    if (request.method === 'OPTIONS') {
      send(response, { status: 204, headers: corsHeaders, body: '' });
      return;
    }
    const reply = await answerV1({
      method: request.method ?? 'GET',
      path: pathname,
      query: search.slice(1),
      body: await readBytes(request, pathname === '/v1/files' ? uploadBytesMax : formBytesMax),
      headers: request.headers,
    });
    if (reply === null) request.socket.resetAndDestroy();
    else sendJson(response, reply.status, reply.body, { ...corsHeaders, ...reply.headers });
  };

  const handlePage: Handler = async (request, response) => {
    const { pathname } = readUrl(request);
    const source = /^\/3d_secure\/(\w+)$/.exec(pathname)?.[1];
    const asset = request.method === 'GET' ? assets(pathname) : undefined;
    if (asset !== undefined) send(response, asset);
    else if (source !== undefined && request.method === 'GET') {
      send(response, showChallenge(sandbox, source));
    } else if (source !== undefined && request.method === 'POST') {
      send(response, takeChallengeAnswer(sandbox, source, await readBody(request)));
    } else sendJson(response, 404, notFound(request).body);
  };

  return async (request, response) => {
    const { pathname } = readUrl(request);
    try {
      if (!isLoopbackHost(readHostName(request))) {
        // A foreign host name that resolves here is a DNS rebinding attempt by a web page.
        sendJson(response, 403, { error: { message: 'The sandbox answers loopback names only.' } });
      } else if (pathname.startsWith('/v1/')) await handleV1(request, response);
      else if (pathname.startsWith('/_sandbox/')) await answerControl(sandbox, request, response);
      else await handlePage(request, response);
    } catch (error) {
      if (!(error instanceof BodyTooLarge)) throw error;
      const message = 'The request body is too large.';
      sendJson(response, 413, { error: { type: 'invalid_request_error', message } });
    }
  };
}

const corsHeaders = {
  'Access-Control-Allow-Origin': '*',
  'Access-Control-Allow-Methods': 'GET, POST, DELETE',
  'Access-Control-Allow-Headers': 'Authorization, Content-Type, Idempotency-Key, Stripe-Version',
  'Access-Control-Expose-Headers':
    'Request-Id, Idempotent-Replayed, Original-Request, Stripe-Should-Retry',
  'Access-Control-Max-Age': '300',
};

function readUrl(request: IncomingMessage): URL {
  return URL.parse(request.url ?? '/', 'http://127.0.0.1') ?? new URL('http://127.0.0.1/');
}

function readHostName(request: IncomingMessage): string {
  return URL.parse(`http://${request.headers.host ?? ''}`)?.hostname ?? '';
}

function notFound(request: IncomingMessage): { body: object } {
  const message = `Unrecognized request URL (${request.method}: ${readUrl(request).pathname}).`;
  return { body: { error: new ApiError(404, { type: 'invalid_request_error', message }).body } };
}
