/** The obvious design, to which group commit is compared: one transaction with six round trips per request. */
import pg from 'pg';
import { units } from '@athos/domain/money';
import type { Ledger, TransferOutcome, TransferRequest } from '../apps/api/src/ledger/index.ts';

/** More connections made it slower. */
const POOL_SIZE = 32;

const WITH_BIGINT: pg.CustomTypesConfig = {
  getTypeParser: (oid, format) =>
    oid === pg.types.builtins.INT8 ? BigInt : pg.types.getTypeParser(oid, format),
};

interface AccountRow {
  id: bigint;
  balance_units: bigint;
  floor_units: bigint;
  last_transfer_id: bigint;
}

/** Uses the same tables and refusals. It writes no hash chain, so its journal does not verify. */
export function createNaiveTransfer(databaseUrl: string): Ledger['transfer'] {
  const pool = new pg.Pool({ connectionString: databaseUrl, max: POOL_SIZE, types: WITH_BIGINT });
  return async (request) => {
    const client = await pool.connect();
    try {
      await client.query('begin');
      const outcome = await post(client, request);
      await client.query(outcome.outcome === 'done' ? 'commit' : 'rollback');
      return outcome;
    } catch (error) {
      await client.query('rollback');
      throw error;
    } finally {
      client.release();
    }
  };
}

async function post(client: pg.PoolClient, request: TransferRequest): Promise<TransferOutcome> {
  const { debitAccountId, creditAccountId, amountUnits, key, kind } = request;
  const { rows } = await client.query<AccountRow>({
    name: 'lock',
    text: `select id, balance_units, floor_units, last_transfer_id from ledger_accounts
            where id in ($1, $2) order by id for update`,
    values: [debitAccountId, creditAccountId],
  });
  const payer = rows.find(({ id }) => id === debitAccountId);
  const receiver = rows.find(({ id }) => id === creditAccountId);
  if (payer === undefined || receiver === undefined) return { outcome: 'unknown_account' };
  const [debitAfter, creditAfter] = [
    payer.balance_units - amountUnits,
    receiver.balance_units + amountUnits,
  ];
  if (debitAfter < payer.floor_units) return { outcome: 'insufficient' };
  const inserted = await client.query<{ id: bigint }>({
    name: 'insert',
    text: `insert into ledger_transfers (id, debit_account_id, credit_account_id, amount_units, debit_after, credit_after,
             debit_prev_id, credit_prev_id, at, key, line, kind)
           values (nextval('ledger_transfer_blocks') * 1024, $1, $2, $3, $4, $5, $6, $7, now(), $8, 0, $9) returning id`,
    values: [
      debitAccountId,
      creditAccountId,
      amountUnits,
      debitAfter,
      creditAfter,
      payer.last_transfer_id,
      receiver.last_transfer_id,
      key,
      kind,
    ],
  });
  const transferId = inserted.rows[0]?.id ?? 0n;
  const update =
    'update ledger_accounts set balance_units = $2, last_transfer_id = $3 where id = $1';
  await client.query({
    name: 'update',
    text: update,
    values: [debitAccountId, debitAfter, transferId],
  });
  await client.query({
    name: 'update',
    text: update,
    values: [creditAccountId, creditAfter, transferId],
  });
  return {
    outcome: 'done',
    transferId,
    debitAfterUnits: units(debitAfter),
    creditAfterUnits: units(creditAfter),
  };
}
