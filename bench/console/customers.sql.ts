/** Customers and the data stored about each. Customer `n` has the row id `n`, counted from 1. */
import type pg from 'pg';
import type { ConsoleScale } from '../scale.ts';
import { JOURNAL_BEGIN, JOURNAL_DAYS, keyAt } from './journal.sql.ts';
import { withoutIndexes } from './load.sql.ts';

const FIRST_NAMES =
  'anna,ben,carla,david,elena,felix,greta,hugo,ines,jonas,klara,leon,maria,nico,olga,paul,rosa,simon,tina,viktor';
const LAST_NAMES =
  'abel,brandt,conti,dubois,egger,fischer,garcia,huber,ivanov,jansen,keller,lindt,moreau,novak,olsen,peters,rossi,steiner,toth,weber';

const nameOf = (list: string, index: string): string =>
  `(string_to_array('${list}', ','))[1 + (${index}) % 20]`;

/** Every fiftieth account is closed. */
const usersSql = ({ customers }: ConsoleScale): string => `
  insert into users (id, email, password_hash, created_at, closed_at) overriding system value
  select n, case when n % 50 = 0 then null else
           ${nameOf(FIRST_NAMES, 'n')} || '.' || ${nameOf(LAST_NAMES, 'n / 20')} || n || '@mail' || n % 7 || '.example' end,
         case when n % 50 = 0 then null else 'none' end, at, case when n % 50 = 0 then ${JOURNAL_BEGIN} end
    from generate_series(1::bigint, ${customers}) n,
         lateral (select ${JOURNAL_BEGIN} - interval '${JOURNAL_DAYS} days' * (1 - n::float8 / ${customers}) as at) signed_up`;

const sessionsSql = ({ customers }: ConsoleScale): string => `
  insert into sessions (id, user_id, created_at, refreshed_at, expires_at, revoked_at)
  select ${keyAt('at', 'n')}, n, at, at, at + interval '30 days', case when n % 3 = 0 then at + interval '1 day' end
    from generate_series(1::bigint, ${customers}) n,
         lateral (select now() - interval '40 days' * (1 - n::float8 / ${customers}) as at) opened`;

const mailsSql = ({ customers }: ConsoleScale): string => `
  insert into sent_mails (user_id, template, sent_at)
  select n, 'receipt', now() - interval '80 days' * (1 - n::float8 / ${customers}) from generate_series(1::bigint, ${customers}) n`;

const FEW_SQL = [
  `insert into known_devices (user_id, device_hash) select id, sha256(uuid::text::bytea) from users`,
  `insert into customer_notes (user_id, staff_id, text, written_at)
   select users.id, staff.id, 'Called about a receipt.', now() - interval '10 days'
     from users, lateral (select id from staff limit 1) staff where users.id % 50 = 1`,
  `insert into account_holds (user_id, kinds, cause, cause_id, reason, placed_at)
   select id, '{send}', 'staff', id, 'Asked for by the customer.', now() - interval '5 days' from users where id % 500 = 1`,
];

export async function fillCustomers(client: pg.Client, scale: ConsoleScale): Promise<void> {
  await withoutIndexes(client, 'users', usersSql(scale));
  await withoutIndexes(client, 'sessions', sessionsSql(scale));
  await withoutIndexes(client, 'sent_mails', mailsSql(scale));
  for (const statement of FEW_SQL) await client.query(statement);
  await client.query(`select setval(pg_get_serial_sequence('users', 'id'), ${scale.customers})`);
}
