/**
 * Requests that arrive while a batch is in flight share the next one, so they share a round trip and a commit. Every request
 * settles: the queue is bounded, no request waits past the limit, and requests that a broken connection left without a result
 * are retried while there is time. Users of this class set the limits and define how a batch is sent.
 */
import { AppError, invariant } from '../errors.ts';
import {
  activeSpan,
  isTracing,
  runOutside,
  tracedTogether,
  type ActiveSpan,
} from '../traces/spans.ts';

/** Why a request was given up. `outcome_unknown` means that it was sent at least once and may have taken effect. */
export type GiveUpReason = 'overloaded' | 'not_sent' | 'outcome_unknown' | 'closing';

export interface Waiting<Request> {
  readonly request: Request;
  readonly enteredAtMs: number;
}

interface Entry<Request, Answer> extends Waiting<Request> {
  readonly resolve: (answer: Answer) => void;
  readonly reject: (error: unknown) => void;
  /** The request's span, if it is sampled. */
  readonly span: ActiveSpan | undefined;
  /** Once sent, a write may have taken effect even if its answer is lost. */
  wasSent: boolean;
}

interface BatcherOptions<Request, Answer> {
  /** The name of a batch in traces. */
  readonly name: string;
  /** Resolves with one answer per request, in the same order. It must settle, and should do so within `timeLeftMs`. */
  readonly send: (requests: readonly Request[], timeLeftMs: number) => Promise<readonly Answer[]>;
  readonly batchesInFlightMax: number;
  readonly batchSizeMax: number;
  /** Requests beyond this many are refused at once. */
  readonly waitingMax: number;
  /** The maximum wait, counted from `ask`. After it, a waiting request is given up. */
  readonly waitMaxMs: number;
  /** While this is false, nothing is sent; call `wake` when it becomes true. */
  readonly isReady?: () => boolean;
  /** Whether to send another batch while one of `underWayCount` requests is in flight. Default: yes. */
  readonly isDue?: (waitingCount: number, underWayCount: number) => boolean;
  /** Picks the next batch; an empty set waits for another batch to finish. Default: the first `batchSizeMax`. */
  readonly choose?: (
    waiting: readonly Waiting<Request>[],
    sizeMax: number,
  ) => ReadonlySet<Waiting<Request>>;
  /** Retries the requests of a failed batch, in their order and before later ones. Default: never. */
  readonly retry?: {
    readonly isRetryable: (error: unknown) => boolean;
    /** The maximum age for a retry. An older request has no time left for another attempt. */
    readonly ageMaxMs: number;
    /** The backoff before the next attempt, during which nothing is sent. */
    readonly pauseMs: () => number;
  };
  /** Default: `overloaded` and `try_again`. */
  readonly giveUp?: (reason: GiveUpReason, cause?: unknown) => Error;
}

/** How often the queue is checked for expired requests while no batch finishes. */
const SWEEP_INTERVAL_MS = 100;
const RETRY_AFTER_SECONDS = 1;

const giveUpAsAppError = (reason: GiveUpReason, cause?: unknown): AppError =>
  new AppError(reason === 'overloaded' ? 'overloaded' : 'try_again', {
    retryAfterSeconds: RETRY_AFTER_SECONDS,
    cause,
  });

export class Batcher<Request, Answer> {
  readonly #options: BatcherOptions<Request, Answer>;
  readonly #giveUp: (reason: GiveUpReason, cause?: unknown) => Error;
  readonly #inFlight = new Set<readonly Entry<Request, Answer>[]>();
  /** In the order of `enteredAtMs`. */
  #waiting: Entry<Request, Answer>[] = [];
  #isPumpScheduled = false;
  #isClosing = false;
  #sweepTimer: NodeJS.Timeout | undefined;
  /** Set during the backoff after a failed batch; nothing is sent meanwhile. */
  #retryTimer: NodeJS.Timeout | undefined;
  #onIdle: (() => void) | undefined;

  constructor(options: BatcherOptions<Request, Answer>) {
    this.#options = options;
    this.#giveUp = options.giveUp ?? giveUpAsAppError;
  }

  ask(request: Request): Promise<Answer> {
    if (this.#isClosing) return Promise.reject(this.#giveUp('closing'));
    if (this.#waiting.length >= this.#options.waitingMax) {
      return Promise.reject(this.#giveUp('overloaded'));
    }
    return new Promise((resolve, reject) => {
      const enteredAtMs = performance.now();
      const span = activeSpan();
      this.#waiting.push({ request, enteredAtMs, resolve, reject, span, wasSent: false });
      if (this.#isDue()) this.wake();
      else this.#sweepLater();
    });
  }

  /** How many requests wait for a batch. */
  get waitingCount(): number {
    return this.#waiting.length;
  }

  /** Sends the batches that are due at the end of this turn of the event loop, including the requests that arrive in it. */
  wake(): void {
    if (this.#isPumpScheduled) return;
    this.#isPumpScheduled = true;
    runOutside(() => setImmediate(() => this.#pump()));
  }

  /** Refuses new requests and resolves when the earlier ones have settled. */
  async close(): Promise<void> {
    this.#isClosing = true;
    await new Promise<void>((resolve) => {
      this.#onIdle = resolve;
      this.wake();
    });
  }

  #pump(): void {
    this.#isPumpScheduled = false;
    this.#refuseExpired();
    while (this.#waiting.length > 0 && this.#isDue() && this.#isReady()) {
      const entries = this.#take();
      if (entries.length === 0) break;
      void this.#serve(entries);
    }
    if (this.#waiting.length > 0) this.#sweepLater();
    else if (this.#inFlight.size === 0) this.#onIdle?.();
  }

  #sweepLater(): void {
    if (this.#sweepTimer !== undefined) return;
    this.#sweepTimer = setTimeout(() => {
      this.#sweepTimer = undefined;
      this.wake();
    }, SWEEP_INTERVAL_MS);
  }

  #isReady(): boolean {
    return this.#retryTimer === undefined && (this.#options.isReady?.() ?? true);
  }

  #isDue(): boolean {
    const { batchesInFlightMax, isDue } = this.#options;
    const [underWay] = this.#inFlight;
    if (underWay === undefined) return true;
    if (this.#inFlight.size >= batchesInFlightMax) return false;
    return isDue?.(this.#waiting.length, underWay.length) ?? true;
  }

  #take(): Entry<Request, Answer>[] {
    const { batchSizeMax, choose } = this.#options;
    if (choose !== undefined) {
      const chosen = choose(this.#waiting, batchSizeMax);
      const taken = this.#waiting.filter((entry) => chosen.has(entry));
      if (taken.length > 0) this.#waiting = this.#waiting.filter((entry) => !chosen.has(entry));
      return taken;
    }
    if (this.#waiting.length > batchSizeMax) return this.#waiting.splice(0, batchSizeMax);
    const all = this.#waiting;
    this.#waiting = [];
    return all;
  }

  async #serve(entries: readonly Entry<Request, Answer>[]): Promise<void> {
    this.#inFlight.add(entries);
    const requests = entries.map((entry) => {
      entry.wasSent = true;
      return entry.request;
    });
    const nowMs = performance.now();
    const timeLeftMs = (entries[0]?.enteredAtMs ?? nowMs) + this.#options.waitMaxMs - nowMs;
    try {
      const answers = await this.#send(entries, requests, timeLeftMs);
      invariant(answers.length === entries.length, 'every request of a batch has an answer');
      for (const [index, answer] of answers.entries()) entries[index]?.resolve(answer);
    } catch (error) {
      this.#fail(entries, error);
    } finally {
      this.#inFlight.delete(entries);
      this.wake();
    }
  }

  #send(
    entries: readonly Entry<Request, Answer>[],
    requests: readonly Request[],
    timeLeftMs: number,
  ): Promise<readonly Answer[]> {
    const { name, send } = this.#options;
    if (!isTracing()) return send(requests, timeLeftMs);
    const spans = entries.flatMap(({ span }) => span ?? []);
    return tracedTogether(name, spans, () => send(requests, timeLeftMs));
  }

  #fail(entries: readonly Entry<Request, Answer>[], error: unknown): void {
    const { retry } = this.#options;
    if (retry === undefined || !retry.isRetryable(error)) {
      for (const { reject } of entries) reject(error);
      return;
    }
    const youngEnoughMs = performance.now() - retry.ageMaxMs;
    const again: Entry<Request, Answer>[] = [];
    for (const entry of entries) {
      if (entry.enteredAtMs > youngEnoughMs) again.push(entry);
      else entry.reject(this.#giveUp('outcome_unknown', error));
    }
    if (again.length === 0) return;
    // Several batches may fail at once, in any order.
    this.#waiting = [...again, ...this.#waiting].sort((a, b) => a.enteredAtMs - b.enteredAtMs);
    this.#retryTimer ??= setTimeout(() => {
      this.#retryTimer = undefined;
      this.wake();
    }, retry.pauseMs());
  }

  #refuseExpired(): void {
    const limitMs = performance.now() - this.#options.waitMaxMs;
    let expiredCount = 0;
    for (const { enteredAtMs, wasSent, reject } of this.#waiting) {
      if (enteredAtMs > limitMs) break;
      expiredCount++;
      reject(this.#giveUp(wasSent ? 'outcome_unknown' : 'not_sent'));
    }
    if (expiredCount > 0) this.#waiting = this.#waiting.slice(expiredCount);
  }
}
