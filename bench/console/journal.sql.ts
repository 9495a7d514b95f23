/**
 * A journal of any size, written by formulas instead of `post_batch`, which would take much longer. Every customer is credited once; in
 * each of several rounds, every customer sends to the next one and receives from the previous one; every customer buys once, alternately
 * from the programme's own shop and from a merchant. So each row follows from its number, and `ledger:verify` can tell whether it is right.
 */
import type pg from 'pg';
import { merchantAccountId, systemAccountId } from '../../apps/api/src/ledger/index.ts';
import type { ConsoleScale } from '../scale.ts';
import { withoutIndexes } from './load.sql.ts';

const TOP_UP_MICRO = 320_000_000;
const SEND_MICRO = 1_000_000;
export const PURCHASE_ATH_HUNDREDTHS = 1_250;
const PURCHASE_MICRO = PURCHASE_ATH_HUNDREDTHS * 10_000;
const ROWS_PER_BATCH = 1_000;
const ISSUANCE = -8;
const SHOP = systemAccountId('merchant', 'ATH');

/** Merchants with their own accounts, which are paid in turn. */
export const MERCHANTS = 20;
const TURN = 2 * MERCHANTS;
const accountOfMerchant = (merchant: string): string =>
  `(${merchantAccountId(0)} - 8 * (${merchant}))`;
/**
 * The merchant of every second offer. The number of offers is a multiple of `TURN`, so that an offer has the same seller in every purchase.
 */
export const merchantOfOffer = (offer: string): string =>
  `(case when (${offer}) % 2 = 0 then 1 + (${offer} - 2) % ${TURN} / 2 end)`;

/** The journal ends today and the customers signed up during the year before it began. */
export const JOURNAL_DAYS = 365;
export const JOURNAL_BEGIN = `(date_trunc('day', now()) - interval '${JOURNAL_DAYS} days')`;

/** The id, batch time and key of the transfer with this number, counted from 0. */
export const transferId = (number: string): string =>
  `(((${number}) / ${ROWS_PER_BATCH} + 1) * 1024 + (${number}) % ${ROWS_PER_BATCH})`;
export const transferTime = (number: string, { journalRows }: ConsoleScale): string =>
  `(${JOURNAL_BEGIN} + ((${number}) / ${ROWS_PER_BATCH}) * interval '${JOURNAL_DAYS} days' / ${journalRows / ROWS_PER_BATCH})`;
/** A version 7 UUID: its time, then its number. */
export const keyAt = (time: string, number: string): string =>
  `(lpad(to_hex((extract(epoch from ${time}) * 1000)::bigint), 12, '0') || '70008' || lpad(to_hex(${number}), 15, '0'))::uuid`;
export const transferKey = (number: string, scale: ConsoleScale): string =>
  keyAt(transferTime(number, scale), number);

/** The transfer number of a customer's purchase. The transfer number of the card credit is the customer's own number, counted from 0. */
export const purchaseNumber = (
  customer: string,
  { customers, journalRows }: ConsoleScale,
): string => `(${journalRows - customers} + ${customer})`;

function transfersSql(scale: ConsoleScale): string {
  const { customers, journalRows } = scale;
  const columns = (kind: number, values: Readonly<Record<string, string | number>>): string =>
    `${transferId('n')} as id, ${Object.entries(values)
      .map(([name, value]) => `(${value})::bigint as ${name}`)
      .join(
        ', ',
      )}, ${transferTime('n', scale)} as at, ${transferKey('n', scale)} as key, 0 as line, ${kind} as kind`;
  const account = (customer: string): string => `((${customer}) + 1) * 8`;
  const credits = columns(2, {
    debit: ISSUANCE,
    credit: account('n'),
    amount: TOP_UP_MICRO,
    debit_after: `-(n + 1) * ${TOP_UP_MICRO}`,
    credit_after: TOP_UP_MICRO,
    debit_prev: `case when n = 0 then 0 else ${transferId('n - 1')} end`,
    credit_prev: 0,
  });
  // A sender has just received, except the first of each round, who receives last.
  const sends = columns(1, {
    debit: account(`n % ${customers}`),
    credit: account(`(n + 1) % ${customers}`),
    amount: SEND_MICRO,
    debit_after: `${TOP_UP_MICRO} - case when n % ${customers} = 0 then ${SEND_MICRO} else 0 end`,
    credit_after: `${TOP_UP_MICRO} + case when (n + 1) % ${customers} = 0 then 0 else ${SEND_MICRO} end`,
    debit_prev: `case when n = ${customers} then ${transferId('0')} else ${transferId('n - 1')} end`,
    credit_prev: transferId(`n - ${customers} + 1`),
  });
  const buyer = `(n % ${customers})`;
  // The number of purchases after which the seller is paid again.
  const turn = `(case when ${buyer} % 2 = 1 then 2 else ${TURN} end)`;
  const purchases = columns(3, {
    debit: account(buyer),
    credit: `case when ${buyer} % 2 = 1 then ${SHOP} else ${accountOfMerchant(`1 + ${buyer} % ${TURN} / 2`)} end`,
    amount: PURCHASE_MICRO,
    debit_after: TOP_UP_MICRO - PURCHASE_MICRO,
    credit_after: `(${buyer} / ${turn} + 1) * ${PURCHASE_MICRO}`,
    debit_prev: `case when ${buyer} = 0 then ${transferId('n - 1')} else ${transferId(`n - ${customers}`)} end`,
    credit_prev: `case when ${buyer} < ${turn} then 0 else ${transferId(`n - ${turn}`)} end`,
  });
  const numbers = (from: number, to: number): string =>
    `generate_series(${from}::bigint, ${to - 1}) n`;
  return `
    insert into ledger_transfers (id, debit_account_id, credit_account_id, amount_units, debit_after, credit_after,
                                  debit_prev_id, credit_prev_id, at, key, line, kind)
    select ${credits} from ${numbers(0, customers)}
    union all select ${sends} from ${numbers(customers, journalRows - customers)}
    union all select ${purchases} from ${numbers(journalRows - customers, journalRows)}`;
}

/** Without triggers: balances are inserted with the accounts, as in restoring a dump. */
function accountsSql({ customers, journalRows }: ConsoleScale): string {
  const last = transferId(`${journalRows - customers} + n`);
  return `
    insert into ledger_accounts (id, asset, balance_units, last_transfer_id)
    select (n + 1) * 8 + number, asset,
           case when number = 0 then ${TOP_UP_MICRO - PURCHASE_MICRO} else 0 end,
           case when number = 0 then ${last} else 0 end
      from generate_series(0::bigint, ${customers - 1}) n,
           (values (0, 'ATH'), (1, 'ATH2'), (2, 'ATH3')) assets (number, asset);
    update ledger_accounts set balance_units = -${customers}::bigint * ${TOP_UP_MICRO},
           last_transfer_id = ${transferId(`${customers - 1}::bigint`)} where id = ${ISSUANCE};
    update ledger_accounts set balance_units = ${customers / 2}::bigint * ${PURCHASE_MICRO},
           last_transfer_id = ${transferId(`${journalRows - 1}::bigint`)} where id = ${SHOP};
    insert into ledger_accounts (id, asset, code, balance_units, last_transfer_id)
    select ${accountOfMerchant('m')}, 'ATH', 'merchant_' || m, ${customers / TURN}::bigint * ${PURCHASE_MICRO},
           ${transferId(`${journalRows - TURN}::bigint + 2 * (m - 1)`)}
      from generate_series(1, ${MERCHANTS}) m`;
}

/** The chain over the rows, as `post_batch` makes it. */
const chainSql = ({ journalRows }: ConsoleScale): string => `do $chain$
declare
  chain bytea := sha256('ledger'); digests bytea; row_bytes bytea; batch_at timestamptz;
begin
  for batch in 1..${journalRows / ROWS_PER_BATCH} loop
    select string_agg(substr(sha256(r.bytes), 1, 4), '' order by r.id), string_agg(r.bytes, '\\x0a' order by r.id), max(r.at)
      into digests, row_bytes, batch_at
      from (select t.id, t.at, convert_to(concat_ws('|', t.id, t.debit_account_id, t.credit_account_id, t.amount_units, t.debit_after,
                     t.credit_after, t.debit_prev_id, t.credit_prev_id, (extract(epoch from t.at) * 1000000)::bigint, t.key, t.line,
                     t.kind), 'UTF8') as bytes
              from ledger_transfers t where t.id >= batch * 1024 and t.id < (batch + 1) * 1024) r;
    chain := sha256(chain || digests || row_bytes);
    insert into ledger_batches values (batch * 1024, ${ROWS_PER_BATCH}, digests, chain);
  end loop;
  update ledger_head set hash = chain, posted_at = batch_at;
  perform setval('ledger_transfer_blocks', ${journalRows / ROWS_PER_BATCH});
end $chain$`;

export async function fillJournal(client: pg.Client, scale: ConsoleScale): Promise<void> {
  await client.query(accountsSql(scale));
  await withoutIndexes(client, 'ledger_transfers_0', transfersSql(scale));
  await client.query(chainSql(scale));
}
