/** Clients that, like the wallet, retry with the same key until they have a response, and record the acknowledgements. */
import { setTimeout as pause } from 'node:timers/promises';
import { ConnectionLostError, HttpConnection, type HttpAnswer } from './http-connection.ts';
import type { LoadUser } from './load-plan.ts';
import { newKey, pick, transferRequest } from './requests.ts';

const REPEAT_PAUSE_MS = 50;

export class PersistentSenders {
  /** The number of each acknowledged transfer, by key. */
  readonly acknowledged = new Map<string, number>();
  /** Responses with a status other than 200 and 503. */
  readonly wrongAnswers: string[] = [];
  unavailableCount = 0;
  lostConnectionCount = 0;
  /** The longest time from a request to its response or to the loss of its connection. */
  longestOpenMs = 0;
  readonly #users: readonly LoadUser[];
  readonly #connections: readonly HttpConnection[];
  #isStopped = true;
  #loops: Promise<void>[] = [];

  constructor(url: string, users: readonly LoadUser[], connectionCount: number) {
    this.#users = users;
    this.#connections = Array.from({ length: connectionCount }, () => new HttpConnection(url));
  }

  start(): void {
    this.#isStopped = false;
    this.#loops = this.#connections.map(async (connection) => {
      while (!this.#isStopped) await this.#sendOnce(connection);
    });
  }

  /** Resolves when every started transfer is acknowledged. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    await Promise.all(this.#loops);
    for (const connection of this.#connections) connection.close();
  }

  async #sendOnce(connection: HttpConnection): Promise<void> {
    const [sender, key] = [pick(this.#users), newKey()];
    let recipient = pick(this.#users);
    while (recipient === sender) recipient = pick(this.#users);
    const text = transferRequest(sender, recipient.uuid, key);
    while (!(await this.#tryOnce(connection, text, key))) await pause(REPEAT_PAUSE_MS);
  }

  /** Returns whether there was a final response. */
  async #tryOnce(connection: HttpConnection, text: string, key: string): Promise<boolean> {
    const startMs = performance.now();
    let answer: HttpAnswer;
    try {
      answer = await connection.request(text);
    } catch (error) {
      if (!(error instanceof ConnectionLostError)) throw error;
      this.lostConnectionCount += 1;
      return false;
    } finally {
      this.longestOpenMs = Math.max(this.longestOpenMs, performance.now() - startMs);
    }
    if (answer.status === 503) {
      this.unavailableCount += 1;
      return false;
    }
    if (answer.status !== 200) {
      this.wrongAnswers.push(`${key}: ${answer.status} ${answer.body}`);
      return true;
    }
    const { id } = JSON.parse(answer.body) as { id: number };
    this.acknowledged.set(key, id);
    return true;
  }
}
