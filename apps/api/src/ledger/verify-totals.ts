/** The third check of `ledger:verify`: the stored totals, from which trial balances start, agree with the journal. */
import type pg from 'pg';
import type { JournalRow } from './journal-text.ts';
import { LedgerFaultError } from './verify-checks.ts';

interface TotalRow {
  readonly accountId: bigint;
  readonly untilId: bigint;
  readonly balanceUnits: bigint;
}

const ASSET_MASK = 7n;

/** All customers together count as one account, whose id is the number of the asset. */
const totalAccountOf = (accountId: bigint): bigint =>
  accountId < 0n ? accountId : accountId & ASSET_MASK;

export class TotalsCheck {
  readonly #client: pg.Client;
  readonly #balances: Map<bigint, bigint>;
  /** The newest total of each account. It holds until the account moves. */
  readonly #totals: Map<bigint, bigint>;
  #stored: ReadonlyMap<bigint, readonly TotalRow[]> = new Map();

  /** `balances` come from a checkpoint, in the form that `text` returns. */
  constructor(client: pg.Client, balances = '') {
    this.#client = client;
    const pairs = balances.split(',').filter((pair) => pair !== '');
    this.#balances = new Map(
      pairs.map((pair) => {
        const [accountId = '', balance = ''] = pair.split(':');
        return [BigInt(accountId), BigInt(balance)];
      }),
    );
    this.#totals = new Map(this.#balances);
  }

  get text(): string {
    const sorted = [...this.#balances].toSorted(([one], [other]) => (one < other ? -1 : 1));
    return sorted.map(([accountId, balance]) => `${accountId}:${balance}`).join(',');
  }

  /** Reads the totals stored after the transfers up to `lastId`, which are checked next. */
  async read(afterId: bigint, lastId: bigint): Promise<void> {
    this.#stored = Map.groupBy(await this.#select(afterId, lastId), ({ untilId }) => untilId);
  }

  /** Throws LedgerFaultError. */
  check(row: JournalRow): void {
    this.#move(row);
    const set = this.#stored.get(row.id);
    if (set !== undefined) this.#compare(row.id, set);
  }

  #move({ debitAccountId, creditAccountId, amountUnits }: JournalRow): void {
    const [payer, receiver] = [totalAccountOf(debitAccountId), totalAccountOf(creditAccountId)];
    // Most rows move value between customers, who have one total together.
    if (payer === receiver) return;
    this.#balances.set(payer, (this.#balances.get(payer) ?? 0n) - amountUnits);
    this.#balances.set(receiver, (this.#balances.get(receiver) ?? 0n) + amountUnits);
  }

  #compare(untilId: bigint, set: readonly TotalRow[]): void {
    for (const { accountId, balanceUnits } of set) this.#totals.set(accountId, balanceUnits);
    for (const accountId of new Set([...this.#balances.keys(), ...this.#totals.keys()])) {
      const [total, balance] = [this.#totals.get(accountId), this.#balances.get(accountId)];
      if ((total ?? 0n) === (balance ?? 0n)) continue;
      const reason = `say ${total ?? 0n} for account ${accountId}, but the journal says ${balance ?? 0n}`;
      throw new LedgerFaultError({ row: `totals ${untilId}`, reason, transferId: untilId });
    }
  }

  async #select(afterId: bigint, lastId: bigint): Promise<TotalRow[]> {
    const { rows } = await this.#client.query<[string, string, string]>({
      text: `select account_id::text, until_id::text, balance_units::text from ledger_totals
              where until_id > $1::bigint and until_id <= $2::bigint`,
      values: [afterId.toString(), lastId.toString()],
      rowMode: 'array',
    });
    return rows.map(([accountId, untilId, balance]) => ({
      accountId: BigInt(accountId),
      untilId: BigInt(untilId),
      balanceUnits: BigInt(balance),
    }));
  }
}
