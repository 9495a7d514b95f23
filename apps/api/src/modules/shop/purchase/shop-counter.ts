/**
 * Carts wait here while others are being bought, and then go together: the ledger is held from a purchase's last statement
 * to its commit, so one by one they would end at one commit after the other.
 */
import { LedgerUnavailableError } from '../../../ledger/index.ts';
import { isRetryableDatabaseError } from '../../../platform/database/database.ts';
import { AppError } from '../../../platform/errors.ts';
import type { FairGate } from '../../../platform/limits/gate.ts';
import { answerAgain } from './answer-again.ts';
import { buyTogether, CartRefused, type Bought, type BuyDeps, type CartOutcome } from './buy.ts';
import type { Cart } from './cart-check.ts';

/** One is prepared while another commits; more would only wait for the ledger. */
const TRANSACTIONS_AT_ONCE = 2;
/** Carts of one transaction: beyond that the statements grow and the rate does not. */
const CARTS_MAX = 32;
/** Items of one transaction. A larger cart goes alone: 4,950 items are the most that one can hold. */
const ITEMS_MAX = 1_000;
/** More than are bought in the time that a request waits (endpoint.ts). */
const WAITING_MAX = 2_000;
/** Far above what one person's devices ask for at once, so that nobody fills the counter alone. */
const WAITING_OF_ONE_USER_MAX = 50;
/** Whoever asked so long ago is answered `try_again` already, or will be: buying for nobody only keeps others waiting. */
const WAIT_LIMIT_MS = 3_500;
const RETRY_AFTER_SECONDS = 1;

interface Waiting {
  readonly cart: Cart;
  readonly enteredAtMs: number;
  readonly resolve: (outcome: CartOutcome) => void;
  readonly reject: (error: unknown) => void;
}

const itemCountOf = ({ lines }: Cart): number =>
  lines.reduce((count, { itemCount }) => count + itemCount, 0);

/** One a process. */
export class ShopCounter {
  readonly #deps: BuyDeps;
  readonly #pass: FairGate;
  #waiting: Waiting[] = [];
  /** A user's carts are bought one after the other: the next one sees what the one before did. */
  readonly #busyUsers = new Set<bigint>();
  #transactionCount = 0;
  #isPumpScheduled = false;

  /** Repeats of what was bought go through `pass`: they are no part of any common transaction. */
  constructor(deps: BuyDeps, pass: FairGate) {
    this.#deps = deps;
    this.#pass = pass;
  }

  /** Buys a cart, once for each key. Throws the AppError of the refusal. */
  async buy(cart: Cart): Promise<Bought> {
    const result = await this.#enqueue(cart);
    switch (result.outcome) {
      case 'bought':
        return result.bought;
      case 'repeated':
        return this.#pass(cart.userId, () => answerAgain(this.#deps, cart, result.purchaseId));
      case 'refused':
        throw result.error;
    }
  }

  #enqueue(cart: Cart): Promise<CartOutcome> {
    const own = this.#waiting.filter((entry) => entry.cart.userId === cart.userId);
    if (own.length >= WAITING_OF_ONE_USER_MAX || this.#waiting.length >= WAITING_MAX) {
      return Promise.reject(new AppError('overloaded', { retryAfterSeconds: RETRY_AFTER_SECONDS }));
    }
    const { promise, resolve, reject } = Promise.withResolvers<CartOutcome>();
    this.#waiting.push({ cart, enteredAtMs: performance.now(), resolve, reject });
    this.#schedulePump();
    return promise;
  }

  /** After what came in the same moment, so that it goes together. */
  #schedulePump(): void {
    if (this.#isPumpScheduled) return;
    this.#isPumpScheduled = true;
    setImmediate(() => this.#pump());
  }

  #pump(): void {
    this.#isPumpScheduled = false;
    this.#refuseExpired();
    while (this.#transactionCount < TRANSACTIONS_AT_ONCE) {
      const entries = this.#take();
      if (entries.length === 0) return;
      void this.#serve(entries);
    }
  }

  #refuseExpired(): void {
    const limitMs = performance.now() - WAIT_LIMIT_MS;
    for (const { enteredAtMs, reject } of this.#waiting) {
      if (enteredAtMs > limitMs) break;
      reject(new AppError('try_again', { retryAfterSeconds: RETRY_AFTER_SECONDS }));
    }
    this.#waiting = this.#waiting.filter(({ enteredAtMs }) => enteredAtMs > limitMs);
  }

  /** The next carts in their order, of users who have none under way. */
  #take(): Waiting[] {
    const taken = new Set<Waiting>();
    let itemCount = 0;
    for (const entry of this.#waiting) {
      if (this.#busyUsers.has(entry.cart.userId)) continue;
      itemCount += itemCountOf(entry.cart);
      if (taken.size > 0 && itemCount > ITEMS_MAX) break;
      taken.add(entry);
      this.#busyUsers.add(entry.cart.userId);
      if (taken.size === CARTS_MAX) break;
    }
    this.#waiting = this.#waiting.filter((entry) => !taken.has(entry));
    return [...taken];
  }

  async #serve(entries: readonly Waiting[]): Promise<void> {
    this.#transactionCount += 1;
    await this.#settle(entries);
    this.#transactionCount -= 1;
    for (const { cart } of entries) this.#busyUsers.delete(cart.userId);
    this.#schedulePump();
  }

  /** Together; without the cart that the ledger refuses; or each alone where something else spoils it for all. */
  async #settle(entries: readonly Waiting[]): Promise<void> {
    const [first] = entries;
    if (first === undefined) return;
    try {
      const outcomes = await buyTogether(
        this.#deps,
        entries.map(({ cart }) => cart),
      );
      for (const [index, { resolve }] of entries.entries()) {
        const outcome = outcomes[index];
        if (outcome !== undefined) resolve(outcome);
      }
    } catch (error) {
      if (error instanceof CartRefused) {
        const refused = entries.find(({ cart }) => cart.userId === error.userId);
        refused?.reject(error.refusal);
        await this.#settle(entries.filter((entry) => entry !== refused));
      } else if (entries.length === 1 || isUnavailable(error)) {
        for (const { reject } of entries) reject(error);
      } else {
        for (const entry of entries) await this.#settle([entry]);
      }
    }
  }
}

/** The way to the database is broken or crowded: asking again at once would only make it worse. */
const isUnavailable = (error: unknown): boolean =>
  error instanceof LedgerUnavailableError || isRetryableDatabaseError(error);
