/** A TCP proxy in front of PostgreSQL that simulates network and server failures: silence, lost responses, cut connections. */
import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';

export interface FreezableProxy {
  /** The address of the database through the proxy. */
  readonly url: string;
  /** Stops all traffic in both directions without closing any connection. */
  freeze(): void;
  /** Like `freeze`, but only for open connections; new ones pass. */
  freezeOpen(): void;
  /** Drops responses while requests still pass. Resolves when the server has sent a response. */
  swallowAnswers(): Promise<void>;
  /** Freezes when a client sends `text`, which does not reach the server, and then resolves. */
  freezeBefore(text: string): Promise<void>;
  /** Like `freezeBefore`, but only for the connection on which a client sends `text` first. */
  freezeOneBefore(text: string): Promise<void>;
  /** Holds back what clients send from `text` on, and then resolves with a function that releases it. Responses still pass. */
  holdBefore(text: string): Promise<() => void>;
  /** Like `swallowAnswers`, but only for connections that send `text` from now on. The text still reaches the server. */
  swallowAnswersTo(text: string): Promise<void>;
  /** Delays every response of the server. */
  delayAnswers(byMs: number): void;
  /** Ends every connection, open and new, as a proxy without a server does. Resolves when `count` new ones were refused. */
  refuse(count: number): Promise<void>;
  /** Cuts every connection and lets new ones pass again. */
  cutAndHeal(): void;
  close(): Promise<void>;
}

/** Splits what a client sends, which begins with a message, before the message that contains `text`. */
function splitBefore(
  bytes: NonSharedBuffer,
  text: string,
): readonly [NonSharedBuffer, NonSharedBuffer] {
  const textAt = bytes.indexOf(text);
  let startAt = 0;
  for (let nextAt = 0; nextAt <= textAt; nextAt += 1 + bytes.readUInt32BE(nextAt + 1)) {
    startAt = nextAt;
  }
  return [bytes.subarray(0, startAt), bytes.subarray(startAt)];
}

export async function createFreezableProxy(databaseUrl: string): Promise<FreezableProxy> {
  const target = new URL(databaseUrl);
  const sockets = new Set<Socket>();
  const frozen = new WeakSet<Socket>();
  let isFrozen = false;
  let delayMs = 0;
  let held: (() => void)[] | undefined;
  /** Swallows the answers to clients that have sent `text`, or to all clients without one. */
  let swallowing: { readonly text?: string; readonly onAnswer: () => void } | undefined;
  const unheard = new WeakSet<Socket>();
  let watchFor: { readonly text: string; readonly onSaid: (client: Socket) => void } | undefined;
  let refusing: { leftCount: number; readonly onDone: () => void } | undefined;
  const server = createServer((client) => {
    if (refusing !== undefined) {
      client.destroy();
      if (--refusing.leftCount === 0) refusing.onDone();
      return;
    }
    const upstream = connect(Number(target.port), target.hostname);
    for (const socket of [client, upstream]) {
      sockets.add(socket);
      socket.on('error', () => undefined);
      socket.on('close', () => {
        sockets.delete(socket);
        if (!isFrozen && !frozen.has(client)) (socket === client ? upstream : client).destroy();
      });
    }
    client.on('data', (bytes) => {
      if (frozen.has(client)) return;
      let unsaid = bytes;
      if (watchFor !== undefined && bytes.includes(watchFor.text)) {
        const [before, rest] = splitBefore(bytes, watchFor.text);
        upstream.write(before);
        unsaid = rest;
        watchFor.onSaid(client);
        watchFor = undefined;
      }
      if (swallowing?.text !== undefined && bytes.includes(swallowing.text)) unheard.add(client);
      if (held !== undefined) held.push(() => upstream.write(unsaid));
      else if (!isFrozen && !frozen.has(client)) upstream.write(unsaid);
    });
    upstream.on('data', (bytes) => {
      const isSwallowed =
        swallowing !== undefined && (swallowing.text === undefined || unheard.has(client));
      if (isSwallowed) swallowing?.onAnswer();
      else if (isFrozen || frozen.has(client)) return;
      else if (delayMs === 0) client.write(bytes);
      else setTimeout(() => client.write(bytes), delayMs);
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = new URL(databaseUrl);
  url.hostname = '127.0.0.1';
  url.port = String((server.address() as AddressInfo).port);
  const cut = (): void => {
    for (const socket of sockets) socket.destroy();
  };
  return {
    url: url.href,
    freeze: () => (isFrozen = true),
    freezeOpen() {
      for (const socket of sockets) frozen.add(socket);
    },
    swallowAnswers: () => new Promise((resolve) => (swallowing = { onAnswer: resolve })),
    freezeBefore: (text) =>
      new Promise((resolve) => {
        watchFor = {
          text,
          onSaid() {
            isFrozen = true;
            resolve();
          },
        };
      }),
    freezeOneBefore: (text) =>
      new Promise((resolve) => {
        watchFor = {
          text,
          onSaid(client) {
            frozen.add(client);
            resolve();
          },
        };
      }),
    holdBefore: (text) =>
      new Promise((resolve) => {
        watchFor = {
          text,
          onSaid() {
            held = [];
            resolve(() => {
              for (const say of held ?? []) say();
              held = undefined;
            });
          },
        };
      }),
    swallowAnswersTo: (text) =>
      new Promise((resolve) => (swallowing = { text, onAnswer: resolve })),
    delayAnswers(byMs) {
      delayMs = byMs;
    },
    refuse(count) {
      cut();
      return new Promise((resolve) => (refusing = { leftCount: count, onDone: resolve }));
    },
    cutAndHeal() {
      isFrozen = false;
      refusing = undefined;
      delayMs = 0;
      held = undefined;
      swallowing = undefined;
      cut();
    },
    async close() {
      cut();
      server.close();
      await once(server, 'close');
    },
  };
}
