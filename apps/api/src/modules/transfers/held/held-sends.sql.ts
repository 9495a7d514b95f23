/** Statements on sends that can be undone. */
import { sql, type Selectable } from 'kysely';
import type { TokenAsset } from '@athos/domain/money';
import type { Db, Tables, Tx } from '../../../platform/database/database.ts';

export type HeldSendRow = Selectable<Tables['send_holds']>;

interface Request {
  readonly userId: bigint;
  readonly key: string;
}

/** Selects the held sends with these keys, each with its own sender. */
export async function selectHeldByKeys(
  db: Db | Tx,
  requests: readonly Request[],
): Promise<readonly HeldSendRow[]> {
  if (requests.length === 0) return [];
  const { rows } = await sql<HeldSendRow>`
    select held.* from send_holds held
      join unnest(${requests.map(({ userId }) => userId)}::bigint[], ${requests.map(({ key }) => key)}::uuid[])
           as request (sender_id, key) on held.sender_id = request.sender_id and held.key = request.key`.execute(
    db,
  );
  return rows;
}

/** The number of each sender's sends that have not arrived yet. Senders without one are omitted. */
export async function countLive(
  tx: Tx,
  senderIds: readonly bigint[],
): Promise<ReadonlyMap<bigint, number>> {
  const { rows } = await sql<{ sender_id: bigint; count: number }>`
    select sender_id, count(*)::int as count from send_holds
     where state = 'held' and sender_id = any(${senderIds}::bigint[]) group by sender_id`.execute(
    tx,
  );
  return new Map(rows.map((row) => [row.sender_id, row.count]));
}

export async function insertHeld(tx: Tx, rows: readonly HeldSendRow[]): Promise<void> {
  await tx
    .insertInto('send_holds')
    .values([...rows])
    .execute();
}

interface Due {
  readonly now: Date;
  /** Later than any send can be due, unless the clock has been set back. */
  readonly impossibleAt: Date;
  readonly limit: number;
}

/** Locks due sends, oldest first, except those that another transaction is settling. */
export async function lockDue(tx: Tx, { now, impossibleAt, limit }: Due): Promise<HeldSendRow[]> {
  return tx
    .selectFrom('send_holds')
    .selectAll()
    .where('state', '=', 'held')
    .where((where) => where.or([where('post_at', '<=', now), where('post_at', '>', impossibleAt)]))
    .orderBy('post_at')
    .limit(limit)
    .forUpdate()
    .skipLocked()
    .execute();
}

/** Locks a held send, and waits for a transaction that is settling it. `undefined` unless the send belongs to this sender. */
export const lockHeld = (
  tx: Tx,
  { id, senderId }: { readonly id: string; readonly senderId: bigint },
): Promise<HeldSendRow | undefined> =>
  tx
    .selectFrom('send_holds')
    .selectAll()
    .where('id', '=', id)
    .where('sender_id', '=', senderId)
    .forUpdate()
    .executeTakeFirst();

type Settlement = Pick<HeldSendRow, 'id' | 'state' | 'reason'>;

export async function updateSettled(
  tx: Tx,
  settlements: readonly Settlement[],
  at: Date,
): Promise<void> {
  await sql`
    update send_holds held
       set state = settled.state, reason = settled.reason,
           settled_at = case when settled.state = 'held' then null else ${at}::timestamptz end
      from unnest(${settlements.map(({ id }) => id)}::uuid[], ${settlements.map(({ state }) => state)}::text[],
                  ${settlements.map(({ reason }) => reason)}::text[]) as settled (id, state, reason)
     where held.id = settled.id`.execute(tx);
}

export async function hasLive(tx: Tx, senderId: bigint): Promise<boolean> {
  const { rows } = await sql`
    select from send_holds where state = 'held' and sender_id = ${senderId} limit 1`.execute(tx);
  return rows.length > 0;
}

/** The sender's sends that have not arrived yet, with the address of each receiver. The last one to arrive comes first. */
export const selectLive = (db: Db, senderId: bigint) =>
  db
    .selectFrom('send_holds')
    .innerJoin('users', 'users.id', 'send_holds.recipient_id')
    .select(['send_holds.id', 'post_at', 'amount_units', 'asset', 'users.uuid as toUuid'])
    .where('state', '=', 'held')
    .where('sender_id', '=', senderId)
    .orderBy('post_at', 'desc')
    .orderBy('send_holds.id', 'desc')
    .execute();

/** The total amount on its way to a user, in each asset. */
export async function sumArriving(
  db: Db,
  recipientId: bigint,
): Promise<ReadonlyMap<TokenAsset, bigint>> {
  const { rows } = await sql<{ asset: TokenAsset; units: string }>`
    select asset, sum(amount_units)::text as units from send_holds
     where state = 'held' and recipient_id = ${recipientId} group by asset`.execute(db);
  return new Map(rows.map(({ asset, units }) => [asset, BigInt(units)]));
}

export const selectHeldById = (db: Db, id: string): Promise<HeldSendRow> =>
  db.selectFrom('send_holds').selectAll().where('id', '=', id).executeTakeFirstOrThrow();

/** Selects held sends by their ids. Unknown ids are omitted. */
export async function selectHeldByIds(
  db: Db | Tx,
  ids: readonly string[],
): Promise<readonly HeldSendRow[]> {
  if (ids.length === 0) return [];
  const { rows } = await sql<HeldSendRow>`
    select * from send_holds where id = any(${ids}::uuid[])`.execute(db);
  return rows;
}

/** The due time of the oldest send that has not arrived yet. */
export async function selectFirstDue(db: Db): Promise<Date | undefined> {
  const { rows } = await sql<{ at: Date | null }>`
    select min(post_at) as at from send_holds where state = 'held'`.execute(db);
  return rows[0]?.at ?? undefined;
}

export async function notifyOf(tx: Tx, channel: string, payload: string): Promise<void> {
  await sql`select pg_notify(${channel}, ${payload})`.execute(tx);
}
