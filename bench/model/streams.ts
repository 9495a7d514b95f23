/** Listening wallets: each holds a stream of live events open for the lifetime of a wallet, and is then replaced by another. */
import { connect, type Socket } from 'node:net';
import type { LoadUser } from '../load-plan.ts';

export class Streams {
  openedCount = 0;
  eventCount = 0;
  /** Streams that were refused, or ended by the server. */
  brokenCount = 0;
  readonly #url: URL;
  readonly #open: { readonly socket: Socket; isOurs: boolean }[] = [];

  constructor(url: string) {
    this.#url = new URL(url);
  }

  /** Resolves when the server has responded or ended the connection. */
  open({ token }: LoadUser): Promise<void> {
    const socket = connect(parseInt(this.#url.port, 10), this.#url.hostname);
    const stream = { socket, isOurs: false };
    this.#open.push(stream);
    socket.setEncoding('latin1');
    socket.write(
      `GET /api/account/events HTTP/1.1\r\nhost: bench\r\nauthorization: Bearer ${token}\r\n\r\n`,
    );
    return new Promise((resolve) => {
      let isAnswered = false;
      socket.on('data', (text: string) => {
        if (!isAnswered) {
          isAnswered = true;
          if (text.startsWith('HTTP/1.1 200')) this.openedCount += 1;
          else socket.destroy();
          resolve();
        }
        this.eventCount += text.split('\ndata:').length - 1;
      });
      socket.on('error', () => undefined);
      socket.on('close', () => {
        if (!stream.isOurs) this.brokenCount += 1;
        resolve();
      });
    });
  }

  /** Ends the longest-open stream. */
  endOldest(): void {
    const stream = this.#open.shift();
    if (stream === undefined) return;
    stream.isOurs = true;
    stream.socket.destroy();
  }

  endAll(): void {
    while (this.#open.length > 0) this.endOldest();
  }
}
