/**
 * Payments that arrive while others are being made share the next transaction: the ledger is locked from a transaction's last
 * statement to its commit, so with one transaction each, a payment would wait for all commits before its own.
 */
import { LedgerUnavailableError } from '../../ledger/index.ts';
import { Batcher, type Waiting } from '../../platform/database/batcher.ts';
import { isRetryableDatabaseError } from '../../platform/database/database.ts';
import { AppError } from '../../platform/errors.ts';
import { InProgress } from '../../platform/limits/in-progress.ts';
import { PaymentRefused } from './pay.ts';

/** One transaction is prepared while another commits; more would only wait for the ledger. */
const TRANSACTIONS_IN_FLIGHT_MAX = 2;
/** Larger batches do not raise the rate. */
const PAYMENTS_OF_A_TRANSACTION_MAX = 32;
/** A larger payment gets its own transaction: the largest possible cart has 4,950 items. */
const ROWS_OF_A_TRANSACTION_MAX = 1_000;
/** More payments than are made within the timeout of a request (platform/http/endpoint.ts). */
const WAITING_MAX = 2_000;
/** Far above what one person's devices send at once, and low enough that nobody fills the queue alone. */
const WAITING_OF_ONE_USER_MAX = 50;
/** An older payment was refused with `try_again` or soon will be; making it would only delay others. */
const WAIT_MAX_MS = 3_500;
const RETRY_AFTER_SECONDS = 1;

export interface Refused {
  readonly outcome: 'refused';
  readonly error: unknown;
}

interface Payer {
  readonly userId: bigint;
}

interface PayTogetherOptions<Payment, Answer> {
  /** The name in traces of a transaction with several payments. */
  readonly name: string;
  /**
   * Makes the payments of different users in one transaction, deciding each separately. Throws `PaymentRefused` if the ledger refuses one
   * of them; then, as after any other error, nothing may have been written.
   */
  readonly payAll: (payments: readonly Payment[]) => Promise<readonly (Answer | Refused)[]>;
  /** The number of rows that a payment inserts. */
  readonly rowCountOf: (payment: Payment) => number;
}

/** The batches of one kind of payment. Create one per process. */
export class PayTogether<Payment extends Payer, Answer extends { readonly outcome: string }> {
  readonly #options: PayTogetherOptions<Payment, Answer>;
  readonly #batcher: Batcher<Payment, Answer | Refused>;
  readonly #waiting = new InProgress<bigint>();
  /** Users with a payment in progress. The payments of one user are made one at a time, so each sees the effect of the previous one. */
  readonly #busyUsers = new Set<bigint>();

  constructor(options: PayTogetherOptions<Payment, Answer>) {
    this.#options = options;
    this.#batcher = new Batcher({
      name: options.name,
      send: (payments) => this.#payAll(payments),
      batchesInFlightMax: TRANSACTIONS_IN_FLIGHT_MAX,
      batchSizeMax: PAYMENTS_OF_A_TRANSACTION_MAX,
      waitingMax: WAITING_MAX,
      waitMaxMs: WAIT_MAX_MS,
      choose: (waiting, paymentsMax) => this.#choose(waiting, paymentsMax),
    });
  }

  /** Makes the payment in its turn. Throws the error of its refusal. */
  async pay(payment: Payment): Promise<Answer> {
    const { userId } = payment;
    if (!this.#waiting.begin(userId, WAITING_OF_ONE_USER_MAX)) {
      throw new AppError('overloaded', { retryAfterSeconds: RETRY_AFTER_SECONDS });
    }
    try {
      const result = await this.#batcher.ask(payment);
      if (isRefused(result)) throw result.error;
      return result;
    } finally {
      this.#waiting.end(userId);
    }
  }

  /** Chooses the next payments in order, except those of users with a payment in progress. */
  #choose(
    waiting: readonly Waiting<Payment>[],
    paymentsMax: number,
  ): ReadonlySet<Waiting<Payment>> {
    const chosen = new Set<Waiting<Payment>>();
    let rowCount = 0;
    for (const entry of waiting) {
      if (chosen.size === paymentsMax) break;
      if (this.#busyUsers.has(entry.request.userId)) continue;
      rowCount += this.#options.rowCountOf(entry.request);
      if (chosen.size > 0 && rowCount > ROWS_OF_A_TRANSACTION_MAX) break;
      chosen.add(entry);
      this.#busyUsers.add(entry.request.userId);
    }
    return chosen;
  }

  async #payAll(payments: readonly Payment[]): Promise<readonly (Answer | Refused)[]> {
    const results = await this.#payOrSplit(payments);
    for (const { userId } of payments) this.#busyUsers.delete(userId);
    return results;
  }

  /** Makes all payments together. Retries without a payment that the ledger refuses, and one by one if anything else fails. */
  async #payOrSplit(payments: readonly Payment[]): Promise<readonly (Answer | Refused)[]> {
    if (payments.length === 0) return [];
    try {
      return await this.#options.payAll(payments);
    } catch (error) {
      const refused = (): Refused => ({ outcome: 'refused', error });
      if (error instanceof PaymentRefused) {
        const index = payments.findIndex(({ userId }) => userId === error.userId);
        const others = await this.#payOrSplit(payments.toSpliced(index, 1));
        return others.toSpliced(index, 0, refused());
      }
      if (payments.length === 1 || isUnavailable(error)) return payments.map(refused);
      const alone: (Answer | Refused)[] = [];
      for (const payment of payments) alone.push(...(await this.#payOrSplit([payment])));
      return alone;
    }
  }
}

const isRefused = <Answer extends { readonly outcome: string }>(
  result: Answer | Refused,
): result is Refused => result.outcome === 'refused';

/** Whether the database is unreachable or overloaded: retrying at once would only make it worse. */
const isUnavailable = (error: unknown): boolean =>
  error instanceof LedgerUnavailableError || isRetryableDatabaseError(error);
