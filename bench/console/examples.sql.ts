/** Rows of the data set to which requests refer. */
import pg from 'pg';
import { pick } from '../requests.ts';
import type { ConsoleScale } from '../scale.ts';
import { transferId, transferKey } from './journal.sql.ts';

const PICKED = 500;

export interface Transfer {
  readonly id: string;
  readonly key: string;
  readonly debit: string;
}

export interface Customer {
  readonly uuid: string;
  readonly email: string;
}

/** Each function returns a row of its kind, a different one each time. */
export interface Examples {
  customer(): Customer;
  transfer(): Transfer;
  order(): string;
  purchase(): number;
  redemption(): number;
  refund(): string;
  dispute(): string;
  debt(): string;
  cardTransaction(): string;
  cardBooking(): string;
  auditEntry(): string;
  approval(): string;
  staff(): string;
  ledgerVerification(): string;
  auditVerification(): string;
}

export async function readExamples(databaseUrl: string, scale: ConsoleScale): Promise<Examples> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  const rowsOf = async <Row>(statement: string): Promise<() => Row> => {
    const { rows } = await client.query(`${statement} limit ${PICKED}`);
    return () => pick(rows as Row[]);
  };
  /**
   * Looks up random numbers below `count`, which is quick however large the table is. They are drawn in one row each of
   * a subquery: PostgreSQL may run a subquery that depends on no row only once, and every example would be the same.
   */
  const numbered = <Row>(count: number, columns: string, join: string): Promise<() => Row> =>
    rowsOf(
      `select ${columns} from (select floor(random() * ${count})::bigint as n from generate_series(1, ${2 * PICKED})) picked join ${join}`,
    );
  const idOf = async <Id extends string | number>(table: string, id = 'id'): Promise<() => Id> => {
    const row = await rowsOf<{ id: Id }>(`select ${id} as id from ${table} order by random()`);
    return () => row().id;
  };
  const { customers, journalRows } = scale;
  try {
    const order = await numbered<{ id: string }>(
      customers,
      'card_orders.id',
      `card_orders on card_orders.id = ${transferKey('n', scale)}`,
    );
    return {
      customer: await numbered(
        customers,
        'uuid, email',
        'users on users.id = n and email is not null',
      ),
      transfer: await numbered(
        journalRows,
        't.id::text, t.key, t.debit_account_id::text as debit',
        `ledger_transfers t on t.id = ${transferId('n')}`,
      ),
      order: () => order().id,
      purchase: () => 1 + Math.floor(Math.random() * customers),
      redemption: () => 2 + 2 * Math.floor((Math.random() * customers) / 2),
      refund: await idOf('card_refunds'),
      dispute: await idOf('card_disputes'),
      debt: await idOf('card_debts'),
      cardTransaction: await idOf('card_transactions where booking_id is null'),
      cardBooking: await idOf('card_bookings where matched_at is null'),
      auditEntry: await idOf('audit_entries', 'seq::text'),
      approval: await idOf('approvals where votes_needed > 0'),
      staff: await idOf('staff'),
      ledgerVerification: await idOf('ledger_verifications'),
      auditVerification: await idOf('audit_verifications'),
    };
  } finally {
    await client.end();
  }
}
