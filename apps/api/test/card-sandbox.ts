/** Runs the card sandbox as a separate process and delivers its webhooks to an app under test. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import type { FastifyInstance } from 'fastify';

const PROGRAM = fileURLToPath(new URL('../../../dev/sandbox/src/main.ts', import.meta.url));
export const SANDBOX_SECRET_KEY = 'sk_test_sandbox_tests';
export const SANDBOX_WEBHOOK_SECRET = 'whsec_tests';

export interface Delivery {
  readonly type: string;
  readonly intentId: string | undefined;
  /** The id of the refund, dispute, payout or other object that the event is about. */
  readonly objectId: string;
  readonly body: Buffer;
  readonly headers: IncomingHttpHeaders;
  /** The status of the app's response. */
  readonly status: number;
}

export interface CardSandbox {
  readonly url: string;
  /** The API's settings for this sandbox. */
  readonly env: Readonly<Record<string, string>>;
  /** Delivers webhooks to this app from now on. Earlier ones are refused with 503 and sent again. */
  deliverTo(app: FastifyInstance): void;
  /** Resolves with the first completed delivery of this type for this intent or object, past or future. */
  delivery(type: string, id: string): Promise<Delivery>;
  readonly deliveries: readonly Delivery[];
  /** Calls the control plane. Throws if it refuses. */
  control(path: string, body?: object, method?: string): Promise<any>; // oxlint-disable-line typescript/no-explicit-any -- tests read any answer's fields
  /** Calls the API with the secret key. */
  call(method: string, path: string, form?: Record<string, string>): Promise<any>; // oxlint-disable-line typescript/no-explicit-any -- as above
  /** Pays as the browser does, with a test card such as `visa`. Returns the intent. */
  pay(
    clientSecret: string,
    card?: string,
    authenticate?: string,
  ): Promise<{ id: string; status: string }>;
  close(): Promise<void>;
}

async function startProcess(webhookUrl: string) {
  const dataDir = await mkdtemp(join(tmpdir(), 'card-sandbox-'));
  const child = spawn(process.execPath, [PROGRAM], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: {
      PATH: process.env['PATH'],
      SANDBOX_PORT: '0',
      SANDBOX_DATA_DIR: dataDir,
      SANDBOX_WEBHOOK_URL: webhookUrl,
      SANDBOX_WEBHOOK_SECRET,
      SANDBOX_SECRET_KEY,
      SANDBOX_PUBLISHABLE_KEY: 'pk_test_sandbox_tests',
    },
  });
  const lines = createInterface({ input: child.stdout });
  const [line] = (await once(lines, 'line')) as [string];
  const { url } = JSON.parse(line) as { url: string };
  return {
    url,
    async stop() {
      const ended = once(child, 'exit');
      child.kill('SIGTERM');
      await ended;
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

async function answerOf(response: Response): Promise<unknown> {
  const answer: unknown = await response.json();
  if (!response.ok) throw new Error(`the sandbox refused: ${JSON.stringify(answer)}`);
  return answer;
}

function describeEvent(body: Buffer): Pick<Delivery, 'type' | 'intentId' | 'objectId'> {
  const event = JSON.parse(body.toString()) as {
    type: string;
    data: { object: { object: string; id: string; payment_intent?: string | null } };
  };
  const { object, id, payment_intent } = event.data.object;
  return {
    type: event.type,
    objectId: id,
    intentId: object === 'payment_intent' ? id : (payment_intent ?? undefined),
  };
}

/** Starts the receiver of the sandbox's webhooks, which forwards them to the app and records them. */
async function startRelay() {
  const deliveries: Delivery[] = [];
  const waiting = new Set<(delivery: Delivery) => void>();
  let app: FastifyInstance | undefined;
  const server = createServer((request, response) => {
    void (async () => {
      const chunks: Buffer[] = [];
      for await (const chunk of request) chunks.push(chunk as Buffer);
      const body = Buffer.concat(chunks);
      const { headers } = request;
      const answer = await app?.inject({
        method: 'POST',
        url: '/api/webhooks/stripe',
        payload: body,
        headers: {
          'content-type': headers['content-type'] ?? '',
          'stripe-signature': String(headers['stripe-signature']),
        },
      });
      const status = answer?.statusCode ?? 503;
      response.writeHead(status).end();
      const delivery = { ...describeEvent(body), body, headers, status };
      deliveries.push(delivery);
      for (const tell of waiting) tell(delivery);
    })();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    deliveries,
    deliverTo(next: FastifyInstance) {
      app = next;
    },
    delivery(type: string, id: string): Promise<Delivery> {
      const isIt = (delivery: Delivery): boolean =>
        delivery.type === type && (delivery.intentId === id || delivery.objectId === id);
      const found = deliveries.find(isIt);
      if (found !== undefined) return Promise.resolve(found);
      return new Promise((resolve) => {
        const tell = (delivery: Delivery): void => {
          if (!isIt(delivery)) return;
          waiting.delete(tell);
          resolve(delivery);
        };
        waiting.add(tell);
      });
    },
    async stop() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

export async function startCardSandbox(): Promise<CardSandbox> {
  const relay = await startRelay();
  const sandbox = await startProcess(relay.url);

  const control: CardSandbox['control'] = async (path, body = {}, method = 'POST') =>
    answerOf(
      await fetch(`${sandbox.url}/_sandbox${path}`, {
        method,
        ...(method === 'GET' ? {} : { body: JSON.stringify(body) }),
      }),
    );

  return {
    url: sandbox.url,
    env: {
      STRIPE_API_URL: sandbox.url,
      STRIPE_SECRET_KEY: SANDBOX_SECRET_KEY,
      STRIPE_WEBHOOK_SECRET: SANDBOX_WEBHOOK_SECRET,
    },
    deliverTo: (app) => relay.deliverTo(app),
    delivery: (type, id) => relay.delivery(type, id),
    deliveries: relay.deliveries,
    control,
    async call(method, path, form = {}) {
      return answerOf(
        await fetch(`${sandbox.url}/v1${path}`, {
          method,
          headers: { authorization: `Bearer ${SANDBOX_SECRET_KEY}` },
          ...(method === 'GET' ? {} : { body: new URLSearchParams(form) }),
        }),
      );
    },
    async pay(clientSecret, card = 'visa', authenticate = 'pass') {
      const { payment_intent } = (await control('/confirm', {
        client_secret: clientSecret,
        card: `pm_card_${card}`,
        authenticate,
      })) as { payment_intent: { id: string; status: string } };
      return payment_intent;
    },
    async close() {
      await sandbox.stop();
      await relay.stop();
    },
  };
}
