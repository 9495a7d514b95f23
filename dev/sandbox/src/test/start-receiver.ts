import { createServer } from 'node:http';
import type { IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';

interface Received {
  readonly body: string;
  readonly signature: string;
  readonly type: string;
  readonly eventId: string;
}

export interface Receiver {
  readonly url: string;
  readonly received: Received[];
  /** Statuses of the next responses; 200 once the list is used up. */
  readonly statuses: number[];
  /** Resolves with the first delivery, past or future, that matches. */
  waitFor(fits: (received: Received, all: readonly Received[]) => boolean): Promise<Received>;
  close(): Promise<void>;
}

async function readText(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(Buffer.from(chunk));
  return Buffer.concat(chunks).toString('utf8');
}

/** Starts a webhook endpoint that records each delivery as raw text. */
export async function startReceiver(): Promise<Receiver> {
  const received: Received[] = [];
  const statuses: number[] = [];
  const waiting = new Set<() => void>();
  const server = createServer((request, response) => {
    void readText(request).then((body) => {
      const event: { id: string; type: string } = JSON.parse(body);
      const signature = String(request.headers['stripe-signature']);
      received.push({ body, signature, type: event.type, eventId: event.id });
      response.writeHead(statuses.shift() ?? 200, { location: 'http://127.0.0.1:9/' }).end();
      for (const look of waiting) look();
    });
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`,
    received,
    statuses,
    waitFor: (fits) =>
      new Promise((resolve) => {
        const look = (): void => {
          const found = received.find((one) => fits(one, received));
          if (found === undefined) return;
          waiting.delete(look);
          resolve(found);
        };
        waiting.add(look);
        look();
      }),
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}
