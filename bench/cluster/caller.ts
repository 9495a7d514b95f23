/** Makes requests like the wallet: each intent has a key, and is repeated with it until there is a response. */
import { readFileSync } from 'node:fs';
import { Agent, request as requestTls } from 'node:https';
import { setTimeout as pause } from 'node:timers/promises';
import { newKey } from '../requests.ts';

/** The same as the wallet's (packages/client/src/outcome.ts). */
const REPEAT_PAUSE_MS = 1_000;
/** How long a user who sees an error waits before trying again. A different time each, since users do not act together. */
const USER_PAUSE_MS = { min: 5_000, max: 30_000 };
export const ANSWER_LIMIT_MS = 10_000;
/** Longer than any fault lasts. An intent without a response by then counts as a fault. */
const SETTLE_LIMIT_MS = 90_000;

export interface Call {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly token?: string;
  /** A function creates a fresh body for each attempt. */
  readonly body?: object | (() => object);
  /** The code of a refusal that answers the intent too. */
  readonly refusal?: string;
}

/** One request and its outcome. */
export interface Attempt {
  readonly startMs: number;
  readonly endMs: number;
  readonly path: string;
  /** 0 if there was no response: the connection was lost, or the client gave up. */
  readonly status: number;
  readonly isFirst: boolean;
}

export interface Settled {
  readonly body: Record<string, unknown>;
  /** Every key that was used. Only the control that makes a new key for each repeat has more than one. */
  readonly keys: readonly string[];
  /** Whether the answer is the refusal that the call allows. */
  readonly isRefused: boolean;
}

class UnsettledError extends Error {
  override readonly name = 'UnsettledError';
}

/** Only the edge answers with anything but JSON. */
function parse(text: string): Record<string, unknown> {
  try {
    return JSON.parse(text) as Record<string, unknown>;
  } catch {
    return {};
  }
}

const userPauseMs = (): number =>
  USER_PAUSE_MS.min + Math.random() * (USER_PAUSE_MS.max - USER_PAUSE_MS.min);

/** Responses that leave the outcome unknown, so that the wallet repeats the request. The edge itself sends 502 and 504. */
const MEANS_REPEAT = new Set([0, 502, 503, 504]);

export class Caller {
  attempts: Attempt[] = [];
  /** How often a user saw an error, because a request and its one repeat had no response. */
  shownErrorCount = 0;
  readonly #url: URL;
  readonly #agent: Agent;
  readonly #hasNewKeyPerRepeat: boolean;

  constructor(url: string, certificate: string, { hasNewKeyPerRepeat = false } = {}) {
    this.#url = new URL(url);
    this.#agent = new Agent({ keepAlive: true, ca: readFileSync(certificate) });
    this.#hasNewKeyPerRepeat = hasNewKeyPerRepeat;
  }

  /**
   * Repeats the call until there is a response: once as the wallet does by itself, and then as its user does. @throws UnsettledError if
   * it is refused, or never answered
   */
  async settle(call: Call): Promise<Settled> {
    const keys = [newKey()];
    const deadline = performance.now() + SETTLE_LIMIT_MS;
    for (let count = 1; performance.now() < deadline; count++) {
      const { status, text } = await this.#attempt(call, keys.at(-1) ?? '', count === 1);
      if (status === 200) return { body: parse(text), keys, isRefused: false };
      if (!MEANS_REPEAT.has(status)) {
        const body = parse(text);
        const isAllowed = call.refusal !== undefined && body['code'] === call.refusal;
        if (isAllowed) return { body, keys, isRefused: true };
        throw new UnsettledError(`${call.path}: ${status} ${text.slice(0, 300)}`);
      }
      if (count === 2) this.shownErrorCount += 1;
      await pause(count === 1 ? REPEAT_PAUSE_MS : userPauseMs());
      if (this.#hasNewKeyPerRepeat) keys.push(newKey());
    }
    throw new UnsettledError(`${call.path}: no answer after ${SETTLE_LIMIT_MS / 1000} s`);
  }

  async #attempt(
    call: Call,
    key: string,
    isFirst: boolean,
  ): Promise<{ status: number; text: string }> {
    const startMs = performance.now();
    const answer = await this.#send(call, key).catch(() => ({ status: 0, text: '' }));
    this.attempts.push({
      startMs,
      endMs: performance.now(),
      path: call.path,
      status: answer.status,
      isFirst,
    });
    return answer;
  }

  #send(
    { method, path, token, body }: Call,
    key: string,
  ): Promise<{ status: number; text: string }> {
    const text = body === undefined ? '' : JSON.stringify(body instanceof Function ? body() : body);
    return new Promise((resolve, reject) => {
      const request = requestTls(
        new URL(path, this.#url),
        {
          method,
          agent: this.#agent,
          signal: AbortSignal.timeout(ANSWER_LIMIT_MS),
          headers: {
            ...(token !== undefined && { authorization: `Bearer ${token}` }),
            ...(method === 'POST' && {
              'idempotency-key': key,
              'content-type': 'application/json',
              'content-length': Buffer.byteLength(text),
            }),
          },
        },
        (response) => {
          let received = '';
          response.setEncoding('utf8');
          response.on('data', (chunk: string) => (received += chunk));
          response.on('end', () => resolve({ status: response.statusCode ?? 0, text: received }));
          response.on('error', reject);
        },
      );
      request.on('error', reject);
      request.end(text);
    });
  }
}
