/** Finds customers by an address, a uuid, or the id of an order or a movement. */
import { sql } from 'kysely';
import { CUSTOMERS_FOUND_MAX } from '@athos/contract/console/customers';
import { isUuid } from '@athos/domain/uuid';
import { userIdOfAccount, type Ledger } from '../../ledger/index.ts';
import type { Db, Tx } from '../../platform/database/database.ts';
import { findOrder } from '../cards/index.ts';
import {
  selectFoundUsers,
  selectUserByEmail,
  selectUsersByEmailPart,
  selectUsersByEmailPrefix,
  selectUsersByUuidRange,
  type FoundUser,
} from '../identity/index.ts';

interface SearchDeps {
  readonly db: Db;
  readonly ledger: Ledger;
}

/** Shorter parts occur in so many addresses that the index does not help. */
const EMAIL_PART_LENGTH_MIN = 4;
/** Shorter prefixes of a uuid match thousands of customers. */
const UUID_PREFIX_LENGTH_MIN = 4;
const UUID_TEMPLATE = 'xxxxxxxx-xxxx-xxxx-xxxx-xxxxxxxxxxxx';
/** A person waits for the answer, and searches share the database with the wallet's calls. */
const STATEMENT_LIMIT_MS = 500;

/** The range of uuids with this prefix; `undefined` if the text is not a prefix of any. */
function uuidRange(text: string): { first: string; last: string } | undefined {
  if (text.length < UUID_PREFIX_LENGTH_MIN || text.length > UUID_TEMPLATE.length) return undefined;
  if (!/^[0-9a-f-]+$/.test(text)) return undefined;
  // Dashes in their places, hexadecimal digits in all others.
  if (text.replace(/[0-9a-f]/g, 'x') !== UUID_TEMPLATE.slice(0, text.length)) return undefined;
  const filled = (digit: string): string =>
    text + UUID_TEMPLATE.slice(text.length).replaceAll('x', digit);
  return { first: filled('0'), last: filled('f') };
}

async function findByMovement({ ledger }: SearchDeps, tx: Tx, text: string): Promise<FoundUser[]> {
  if (!/^\d{1,18}$/.test(text)) return [];
  const transfer = await ledger.transferById(BigInt(text));
  if (transfer === undefined) return [];
  const sides = [transfer.debitAccountId, transfer.creditAccountId].map(userIdOfAccount);
  return selectFoundUsers(
    tx,
    sides.flatMap((userId) => userId ?? []),
  );
}

async function findByOrder(tx: Tx, text: string): Promise<FoundUser[]> {
  const order = await findOrder(tx, text);
  return order === undefined ? [] : selectFoundUsers(tx, [order.userId]);
}

/**
 * Staff who may not see addresses can search only for a whole address. Prefixes and parts would reveal a masked one letter by
 * letter.
 */
async function findByEmail(tx: Tx, text: string, mayContact: boolean): Promise<FoundUser[]> {
  const limit = CUSTOMERS_FOUND_MAX + 1;
  if (!mayContact) return selectUserByEmail(tx, text);
  const begun = await selectUsersByEmailPrefix(tx, text, limit);
  if (begun.length >= limit || text.length < EMAIL_PART_LENGTH_MIN || text.includes('@')) {
    return begun;
  }
  return [...begun, ...(await selectUsersByEmailPart(tx, text, limit))];
}

/** Best matches first. Returns one more than `CUSTOMERS_FOUND_MAX` if there are more. */
export async function findCustomers(
  deps: SearchDeps,
  q: string,
  { mayContact }: { readonly mayContact: boolean },
): Promise<FoundUser[]> {
  const text = q.toLowerCase();
  const range = uuidRange(text);
  const found = await deps.db.transaction().execute(async (tx) => {
    await sql`select set_config('statement_timeout', ${String(STATEMENT_LIMIT_MS)}, true)`.execute(
      tx,
    );
    return [
      ...(range === undefined
        ? []
        : await selectUsersByUuidRange(tx, range, CUSTOMERS_FOUND_MAX + 1)),
      ...(isUuid(text) || text.startsWith('pi_') ? await findByOrder(tx, q) : []),
      ...(await findByMovement(deps, tx, text)),
      ...(await findByEmail(tx, text, mayContact)),
    ];
  });
  const unique = new Map(found.map((user) => [user.id, user]));
  return [...unique.values()].slice(0, CUSTOMERS_FOUND_MAX + 1);
}
