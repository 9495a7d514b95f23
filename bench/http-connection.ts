/** One keep-alive HTTP/1.1 connection with one request at a time. It leaves nearly all processor time to the measured program. */
import { connect, type Socket } from 'node:net';

export interface HttpAnswer {
  readonly status: number;
  readonly body: string;
}

export class ConnectionLostError extends Error {
  override readonly name = 'ConnectionLostError';
}

interface Exchange {
  readonly resolve: (answer: HttpAnswer) => void;
  readonly reject: (error: Error) => void;
}

const HEAD_END = '\r\n\r\n';
/** As HAProxy does: a connection that has been idle for longer may be closed by the server just when the next request is on its way. */
const IDLE_MAX_MS = 5_000;

export class HttpConnection {
  readonly #host: string;
  readonly #port: number;
  #socket: Socket | undefined;
  #received = '';
  #exchange: Exchange | undefined;
  #answeredAtMs = 0;

  constructor(url: string) {
    const { hostname, port } = new URL(url);
    this.#host = hostname;
    this.#port = parseInt(port, 10);
  }

  /** Rejects with ConnectionLostError if the connection ends before the response. The next request connects again. */
  request(text: string): Promise<HttpAnswer> {
    return new Promise((resolve, reject) => {
      if (performance.now() - this.#answeredAtMs > IDLE_MAX_MS) this.#leave();
      this.#exchange = { resolve, reject };
      this.#socket ??= this.#open();
      this.#socket.write(text, 'latin1');
    });
  }

  close(): void {
    this.#socket?.destroy();
  }

  #leave(): void {
    const socket = this.#socket;
    this.#socket = undefined;
    socket?.destroy();
  }

  #open(): Socket {
    const socket = connect(this.#port, this.#host);
    socket.setNoDelay(true);
    // Responses are ASCII, so one character is one byte and lengths match.
    socket.setEncoding('latin1');
    socket.on('data', (text: string) => this.#read(text));
    socket.on('error', () => undefined);
    socket.on('close', () => {
      if (this.#socket !== socket) return;
      this.#socket = undefined;
      this.#received = '';
      this.#settle((exchange) => exchange.reject(new ConnectionLostError('connection lost')));
    });
    return socket;
  }

  #read(text: string): void {
    this.#received += text;
    const headEnd = this.#received.indexOf(HEAD_END);
    if (headEnd < 0) return;
    const head = this.#received.slice(0, headEnd);
    const length = /content-length: (\d+)/i.exec(head)?.[1];
    const bodyStart = headEnd + HEAD_END.length;
    const bodyEnd = bodyStart + (length === undefined ? 0 : parseInt(length, 10));
    if (this.#received.length < bodyEnd) return;
    const answer = {
      status: parseInt(head.slice(9, 12), 10),
      body: this.#received.slice(bodyStart, bodyEnd),
    };
    this.#received = this.#received.slice(bodyEnd);
    this.#answeredAtMs = performance.now();
    if (/connection: close/i.test(head)) this.close();
    this.#settle((exchange) => exchange.resolve(answer));
  }

  #settle(how: (exchange: Exchange) => void): void {
    const exchange = this.#exchange;
    this.#exchange = undefined;
    if (exchange !== undefined) how(exchange);
  }
}
