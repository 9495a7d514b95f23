/** Statements on accounts whose sends are limited for some days, and on their sends since then. */
import { sql } from 'kysely';
import type { Db, Tx } from '../../../platform/database/database.ts';

/** Creates a limit, or prolongs it. */
export async function upsertSendLimit(tx: Tx, userId: bigint, until: Date): Promise<void> {
  await sql`
    insert into send_limits (user_id, limited_until) values (${userId}, ${until})
    on conflict (user_id) do update set limited_until = greatest(send_limits.limited_until, excluded.limited_until)`.execute(
    tx,
  );
}

/** Locks the limit of an account, so that its sends are counted one after the other. Returns the end of the limit. */
export async function lockSendLimit(tx: Tx, userId: bigint): Promise<Date | undefined> {
  const row = await tx
    .selectFrom('send_limits')
    .select('limited_until')
    .where('user_id', '=', userId)
    .forUpdate()
    .executeTakeFirst();
  return row?.limited_until;
}

/** Stores the value of a send: the largest amount requested under its key. A key counts once, from its last request on. */
export async function upsertLimitedSend(
  tx: Tx,
  userId: bigint,
  { key, usdCents, at }: { readonly key: string; readonly usdCents: bigint; readonly at: Date },
): Promise<void> {
  await sql`
    insert into limited_sends (user_id, key, usd_cents, sent_at) values (${userId}, ${key}::uuid, ${usdCents}, ${at})
    on conflict (user_id, key) do update
       set usd_cents = greatest(limited_sends.usd_cents, excluded.usd_cents), sent_at = excluded.sent_at`.execute(
    tx,
  );
}

/** The total value of the sends since a time, in US cents. */
export async function sumLimitedSends(tx: Tx, userId: bigint, since: Date): Promise<bigint> {
  const { rows } = await sql<{ sum: string }>`
    select coalesce(sum(usd_cents), 0)::text as sum from limited_sends
     where user_id = ${userId} and sent_at > ${since}`.execute(tx);
  return BigInt(rows[0]?.sum ?? 0);
}

export async function deletePastLimits(db: Db, now: Date): Promise<void> {
  await db.deleteFrom('send_limits').where('limited_until', '<=', now).execute();
}
