/**
 * Carts that arrive while others are being bought share the next transaction: the ledger is locked from a purchase's last
 * statement to its commit, so with one transaction each, a cart would wait for all commits before its own.
 */
import { LedgerUnavailableError } from '../../../ledger/index.ts';
import { Batcher, type Waiting } from '../../../platform/database/batcher.ts';
import { isRetryableDatabaseError } from '../../../platform/database/database.ts';
import { AppError } from '../../../platform/errors.ts';
import { userCaller } from '../../../platform/limits/caller.ts';
import type { Gate } from '../../../platform/limits/gate.ts';
import { InProgress } from '../../../platform/limits/in-progress.ts';
import { PaymentRefused } from '../../transfers/index.ts';
import { replayPurchase } from './replay-purchase.ts';
import { buyTogether, type Bought, type BuyDeps, type CartOutcome } from './buy.ts';
import type { Cart } from './cart-check.ts';

/** One transaction is prepared while another commits; more would only wait for the ledger. */
const TRANSACTIONS_IN_FLIGHT_MAX = 2;
/** Larger batches do not raise the rate. */
const CARTS_OF_A_TRANSACTION_MAX = 32;
/** A larger cart gets its own transaction: the largest possible one has 4,950 items. */
const ITEMS_OF_A_TRANSACTION_MAX = 1_000;
/** More carts than are bought within the timeout of a request (platform/http/endpoint.ts). */
const WAITING_MAX = 2_000;
/** Far above what one person's devices send at once, and low enough that nobody fills the queue alone. */
const WAITING_OF_ONE_USER_MAX = 50;
/** An older cart was refused with `try_again` or is about to be; buying it would only delay others. */
const WAIT_MAX_MS = 3_500;
const RETRY_AFTER_SECONDS = 1;

const itemCountOf = ({ lines }: Cart): number =>
  lines.reduce((count, { itemCount }) => count + itemCount, 0);

/** The batches of carts. Create one per process. */
export class Checkout {
  readonly #deps: BuyDeps;
  readonly #replayGate: Gate;
  readonly #batcher: Batcher<Cart, CartOutcome>;
  readonly #waiting = new InProgress<bigint>();
  /** Users with a cart in progress. Carts of one user are bought one at a time, so each sees the effect of the one before. */
  readonly #busyUsers = new Set<bigint>();

  /** Replays do not join a shared transaction; they go through `replayGate`. */
  constructor(deps: BuyDeps, replayGate: Gate) {
    this.#deps = deps;
    this.#replayGate = replayGate;
    this.#batcher = new Batcher({
      send: (carts) => this.#buyAll(carts),
      batchesInFlightMax: TRANSACTIONS_IN_FLIGHT_MAX,
      batchSizeMax: CARTS_OF_A_TRANSACTION_MAX,
      waitingMax: WAITING_MAX,
      waitMaxMs: WAIT_MAX_MS,
      choose: (waiting, cartsMax) => this.#choose(waiting, cartsMax),
    });
  }

  /** Buys a cart, once per key. Throws an AppError if refused. */
  async buy(cart: Cart): Promise<Bought> {
    const result = await this.#enqueue(cart);
    switch (result.outcome) {
      case 'bought':
        return result.bought;
      case 'replayed':
        return this.#replayGate(userCaller(cart.userId), () =>
          replayPurchase(this.#deps, cart, result.purchaseId),
        );
      case 'refused':
        throw result.error;
    }
  }

  async #enqueue(cart: Cart): Promise<CartOutcome> {
    const { userId } = cart;
    if (!this.#waiting.begin(userId, WAITING_OF_ONE_USER_MAX)) {
      throw new AppError('overloaded', { retryAfterSeconds: RETRY_AFTER_SECONDS });
    }
    try {
      return await this.#batcher.ask(cart);
    } finally {
      this.#waiting.end(userId);
    }
  }

  /** Chooses the next carts in order, except those of users with a cart in progress. */
  #choose(waiting: readonly Waiting<Cart>[], cartsMax: number): ReadonlySet<Waiting<Cart>> {
    const chosen = new Set<Waiting<Cart>>();
    let itemCount = 0;
    for (const entry of waiting) {
      if (chosen.size === cartsMax) break;
      if (this.#busyUsers.has(entry.request.userId)) continue;
      itemCount += itemCountOf(entry.request);
      if (chosen.size > 0 && itemCount > ITEMS_OF_A_TRANSACTION_MAX) break;
      chosen.add(entry);
      this.#busyUsers.add(entry.request.userId);
    }
    return chosen;
  }

  async #buyAll(carts: readonly Cart[]): Promise<readonly CartOutcome[]> {
    const outcomes = await this.#buyOrSplit(carts);
    for (const { userId } of carts) this.#busyUsers.delete(userId);
    return outcomes;
  }

  /** Buys all carts together. Retries without a cart that the ledger refuses, and one by one if anything else fails. */
  async #buyOrSplit(carts: readonly Cart[]): Promise<readonly CartOutcome[]> {
    if (carts.length === 0) return [];
    try {
      return await buyTogether(this.#deps, carts);
    } catch (error) {
      if (error instanceof PaymentRefused) {
        const index = carts.findIndex(({ userId }) => userId === error.payerId);
        const others = await this.#buyOrSplit(carts.toSpliced(index, 1));
        return others.toSpliced(index, 0, { outcome: 'refused', error });
      }
      if (carts.length === 1 || isUnavailable(error)) {
        return carts.map(() => ({ outcome: 'refused', error }));
      }
      const alone: CartOutcome[] = [];
      for (const cart of carts) alone.push(...(await this.#buyOrSplit([cart])));
      return alone;
    }
  }
}

/** Whether the database is unreachable or overloaded: retrying at once would only make it worse. */
const isUnavailable = (error: unknown): boolean =>
  error instanceof LedgerUnavailableError || isRetryableDatabaseError(error);
