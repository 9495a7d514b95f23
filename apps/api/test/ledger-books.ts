/** A ledger on its own database, and users who hold tokens. */
import { randomUUID } from 'node:crypto';
import { Kysely, PostgresDialect, type Transaction } from 'kysely';
import pg from 'pg';
import { units, type TokenAsset } from '@athos/domain/money';
import {
  createLedger,
  systemAccountId,
  TransferKind,
  userAccountId,
  type GroupTransferRequest,
  type Ledger,
  type LedgerAccountId,
  type TransferRequest,
} from '../src/ledger/index.ts';
import { createLog } from '../src/platform/log/log.ts';
import { expectBooksBalance } from './expect-books-balance.ts';
import { copyTemplate } from './test-database.ts';

const log = createLog('silent');

export interface LedgerBooks {
  readonly databaseUrl: string;
  readonly ledger: Ledger;
  /** May change everything, for tests that break what no program can. */
  readonly admin: pg.Pool;
  /** Connected as the API. */
  readonly db: Kysely<unknown>;
  inTx<T>(work: (tx: Transaction<unknown>) => Promise<T>): Promise<T>;
  /** Opens the accounts of a user and funds the ATH account, which it returns. */
  openUser(userId: bigint, balance?: bigint): Promise<LedgerAccountId>;
  balance(accountId: LedgerAccountId): Promise<bigint | undefined>;
  expectBooksBalance(): Promise<void>;
  close(): Promise<void>;
}

/** `viaUrl` puts a proxy between the ledger and its database; everything else connects to the database directly. */
export async function createLedgerBooks(
  viaUrl: (databaseUrl: string) => Promise<string> | string = (url) => url,
): Promise<LedgerBooks> {
  const database = await copyTemplate();
  const [pool, admin] = [database.url, database.adminUrl].map((connectionString) =>
    new pg.Pool({ connectionString, max: 4 }).on('error', () => undefined),
  ) as [pg.Pool, pg.Pool];
  const db = new Kysely<unknown>({ dialect: new PostgresDialect({ pool }) });
  const ledger = createLedger({ databaseUrl: await viaUrl(database.url), log });
  const inTx: LedgerBooks['inTx'] = (work) => db.transaction().execute(work);
  return {
    databaseUrl: database.url,
    ledger,
    db,
    admin,
    inTx,
    async openUser(userId, balance = 0n) {
      const accountId = userAccountId(userId, 'ATH');
      await inTx(async (tx) => {
        await ledger.openAccounts(tx, userId);
        if (balance > 0n) await ledger.transferInTx(tx, [seed(accountId, balance)]);
      });
      return accountId;
    },
    async balance(accountId) {
      return (await ledger.balances([accountId])).get(accountId);
    },
    expectBooksBalance: () => expectBooksBalance(database.url),
    async close() {
      await ledger.close();
      await db.destroy();
      await admin.end();
      await database.drop();
    },
  };
}

export const seed = (
  creditAccountId: LedgerAccountId,
  amount: bigint,
  asset: TokenAsset = 'ATH',
): GroupTransferRequest => ({
  debitAccountId: systemAccountId('issuance', asset),
  creditAccountId,
  amountUnits: units(amount),
  kind: TransferKind.Seed,
  key: randomUUID(),
  line: 0,
});

export const send = (
  debitAccountId: LedgerAccountId,
  creditAccountId: LedgerAccountId,
  amount: bigint,
  key: string = randomUUID(),
): TransferRequest => ({
  debitAccountId,
  creditAccountId,
  amountUnits: units(amount),
  kind: TransferKind.Send,
  key,
});
