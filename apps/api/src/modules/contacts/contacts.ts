/**
 * Contacts that the devices of an account share. They are sealed, so that a copy of the database does not reveal them. See decision 0066.
 */
import { z } from 'zod';
import type { ContactChange, KeptContact } from '@athos/contract/wallet/contacts';
import { CONTACTS_MAX } from '@athos/domain/contacts';
import { dateOf, type Clock } from '../../platform/clock.ts';
import type { Db, Tx } from '../../platform/database/database.ts';
import { AppError } from '../../platform/errors.ts';
import { attemptSubject, takeAttempt } from '../../platform/limits/attempt-counters.sql.ts';
import type { Log } from '../../platform/log/log.ts';
import { SealedValueError, type SealedColumns } from '../../platform/sealed.ts';
import { lockOwner } from '../identity/index.ts';
import { selectContacts, upsertContacts, type SealedContact } from './contacts.sql.ts';

export interface ContactDeps {
  readonly db: Db;
  readonly clock: Clock;
  readonly sealed: SealedColumns;
  readonly log: Log;
  readonly config: {
    readonly hashingKeys: readonly string[];
    readonly limits: { readonly contactChangesPerMinute: number };
  };
}

const MINUTE_MS = 60_000;
/** The maximum including deleted contacts. All are read at once, and nobody deletes this many in 180 days by hand. */
const ROWS_MAX = 2_000;

const content = z.object({ alias: z.string(), address: z.string() });

const cellOf = (userId: bigint, id: string) => ({
  table: 'contacts',
  column: 'sealed',
  rowId: `${userId}.${id}`,
});

/** A value that was copied here from another row does not open. The other contacts are still shown. */
function openContact(
  sealed: SealedColumns,
  userId: bigint,
  { id, version, sealed: text }: SealedContact,
): KeptContact {
  if (text === null) return { id, version, state: 'deleted' };
  try {
    const { alias, address } = content.parse(JSON.parse(sealed.open(cellOf(userId, id), text)));
    return { id, version, state: 'live', alias, address };
  } catch (error) {
    if (error instanceof SealedValueError) return { id, version, state: 'unreadable' };
    throw error;
  }
}

/** All contacts of a user, including those deleted recently. */
export async function readContacts(
  { db, sealed, log }: Pick<ContactDeps, 'db' | 'sealed' | 'log'>,
  userId: bigint,
): Promise<KeptContact[]> {
  const contacts = (await selectContacts(db, userId)).map((row) =>
    openContact(sealed, userId, row),
  );
  const unreadable = contacts.filter(({ state }) => state === 'unreadable');
  if (unreadable.length > 0) {
    const ids = unreadable.map(({ id }) => id);
    log.error({ userId: userId.toString(), ids }, 'contacts could not be opened');
  }
  return contacts;
}

const takeChange = (
  { clock, config: { hashingKeys, limits } }: ContactDeps,
  tx: Tx,
  userId: bigint,
): Promise<void> => {
  const ofMinute = {
    subject: attemptSubject(hashingKeys, `contact changes of a minute ${userId}`),
    windowMs: MINUTE_MS,
    countMax: limits.contactChangesPerMinute,
  };
  return takeAttempt(tx, [ofMinute], dateOf(clock), 'too_many_requests');
};

/** Returns the resulting contacts. Throws `too_many_contacts` and stores none of the changes if there is no room for all. */
export async function changeContacts(
  deps: ContactDeps,
  userId: bigint,
  changes: readonly ContactChange[],
): Promise<KeptContact[]> {
  const { db, clock, sealed } = deps;
  // Counted in its own transaction, so that refused changes count as well.
  await db.transaction().execute((tx) => takeChange(deps, tx, userId));
  return db.transaction().execute(async (tx) => {
    await lockOwner(tx, userId);
    const rows = changes.map((change) => {
      const { id, version } = change;
      if (change.state === 'deleted') return { id, version, sealed: null };
      const { alias, address } = change;
      const text = JSON.stringify({ alias, address });
      return { id, version, sealed: sealed.seal(cellOf(userId, id), text) };
    });
    const before = await selectContacts(tx, userId);
    await upsertContacts(tx, userId, rows, dateOf(clock));
    const after = await selectContacts(tx, userId);
    const liveCount = (some: readonly SealedContact[]): number =>
      some.filter((row) => row.sealed !== null).length;
    // Deleting is always possible, even above the maximum.
    const isMoreLive = liveCount(after) > Math.max(CONTACTS_MAX, liveCount(before));
    const isMore = after.length > Math.max(ROWS_MAX, before.length);
    if (isMoreLive || isMore) throw new AppError('too_many_contacts');
    const ids = new Set(changes.map(({ id }) => id));
    return after.filter(({ id }) => ids.has(id)).map((row) => openContact(sealed, userId, row));
  });
}
