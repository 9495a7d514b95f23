import { sql, type Insertable, type Selectable, type Updateable } from 'kysely';
import type { RiskNote } from '@athos/contract/console/approvals';
import { emptyAuditDetails } from '../../platform/audit/audit.sql.ts';
import { notifyConsole } from '../../platform/console/console-changes.ts';
import type { Db, Tx } from '../../platform/database/database.ts';
import type { Tables } from '../../platform/database/tables.ts';
import type {} from './tables.ts';

export type ApprovalRow = Selectable<Tables['approvals']>;

/** Whether the person is active. Locks their row, so that concurrent acts of one person count against the same limits. */
export async function lockActiveStaff(tx: Tx, staffId: string): Promise<boolean> {
  const row = await tx
    .selectFrom('staff')
    .select('state')
    .where('id', '=', staffId)
    .forNoKeyUpdate()
    .executeTakeFirst();
  return row?.state === 'active';
}

/** Returns whether the id was new. */
export async function insertApproval(
  tx: Tx,
  row: Insertable<Tables['approvals']>,
): Promise<boolean> {
  const { numInsertedOrUpdatedRows = 0n } = await tx
    .insertInto('approvals')
    .values(row)
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirstOrThrow();
  await notifyConsole(tx, 'approvals');
  return numInsertedOrUpdatedRows > 0n;
}

export const selectApproval = (db: Db | Tx, id: string): Promise<ApprovalRow | undefined> =>
  db.selectFrom('approvals').selectAll().where('id', '=', id).executeTakeFirst();

/** Selects those of these acts that exist, by id. */
export async function selectActs(
  db: Db,
  ids: readonly string[],
): Promise<
  ReadonlyMap<string, Pick<ApprovalRow, 'id' | 'votes_needed' | 'subject_type' | 'subject_id'>>
> {
  if (ids.length === 0) return new Map();
  const rows = await db
    .selectFrom('approvals')
    .select(['id', 'votes_needed', 'subject_type', 'subject_id'])
    .where('id', 'in', ids)
    .execute();
  return new Map(rows.map((row) => [row.id, row]));
}

/** Locks the request until the transaction ends, so that votes on it run in turn. */
export const lockApproval = (tx: Tx, id: string): Promise<ApprovalRow | undefined> =>
  tx.selectFrom('approvals').selectAll().where('id', '=', id).forUpdate().executeTakeFirst();

export async function updateApproval(
  tx: Tx,
  id: string,
  change: Updateable<Tables['approvals']>,
): Promise<void> {
  await tx.updateTable('approvals').set(change).where('id', '=', id).execute();
  await notifyConsole(tx, 'approvals');
}

/** The newest request of this action that the programme itself made. */
export const selectOwnRequest = (
  db: Db | Tx,
  action: string,
): Promise<
  Pick<ApprovalRow, 'id' | 'state' | 'payload' | 'requested_at' | 'ended_at'> | undefined
> =>
  db
    .selectFrom('approvals')
    .select(['id', 'state', 'payload', 'requested_at', 'ended_at'])
    .where('action', '=', action)
    .where('requested_by', 'is', null)
    .orderBy('requested_at', 'desc')
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst();

/** The open requests of this action, by subject. */
export async function selectPendingOf(db: Db | Tx, action: string): Promise<Map<string, string>> {
  const rows = await db
    .selectFrom('approvals')
    .select(['id', 'subject_id'])
    .where('action', '=', action)
    .where('state', '=', 'pending')
    .orderBy('requested_at')
    .execute();
  return new Map(rows.map(({ id, subject_id: subjectId }) => [subjectId, id]));
}

/** Totals of the acts and open requests under one policy, for its limits. */
export interface Sums {
  /** The measured total for the customer within 30 days. */
  readonly customer: bigint;
  /** The measured total by the member of staff within 24 hours. */
  readonly person: bigint;
  /** The worth of the acts within 24 hours, by the person or for the customer, whichever is more. */
  readonly dayUsdCents: bigint;
}

/**
 * The totals over `actions`, which share a policy. An act whose worth was unknown does not count in `dayUsdCents`, because it already
 * needed two votes.
 */
export async function selectSums(
  tx: Tx,
  {
    actions,
    customerId,
    staffId,
    now,
  }: { actions: readonly string[]; customerId: bigint | undefined; staffId: string; now: Date },
): Promise<Sums> {
  const { rows } = await sql<{ customer: string; person: string; dayUsdCents: string }>`
    with counted as (
      select customer_id, requested_by, measured, usd_cents, requested_at > ${now}::timestamptz - interval '24 hours' as is_of_day
        from approvals
       where (customer_id = ${customerId ?? null}::bigint and requested_at > ${now}::timestamptz - interval '30 days'
           or requested_by = ${staffId}::uuid and requested_at > ${now}::timestamptz - interval '24 hours')
         and action = any(${actions}::text[]) and state in ('pending', 'executed')
    )
    select coalesce(sum(measured) filter (where customer_id = ${customerId ?? null}::bigint), 0)::text as customer,
           coalesce(sum(measured) filter (where requested_by = ${staffId}::uuid and is_of_day), 0)::text as person,
           greatest(
             coalesce(sum(usd_cents) filter (where requested_by = ${staffId}::uuid and is_of_day), 0),
             coalesce(sum(usd_cents) filter (where customer_id = ${customerId ?? null}::bigint and is_of_day), 0)
           )::text as "dayUsdCents"
      from counted`.execute(tx);
  const [row] = rows;
  return {
    customer: BigInt(row?.customer ?? 0),
    person: BigInt(row?.person ?? 0),
    dayUsdCents: BigInt(row?.dayUsdCents ?? 0),
  };
}

/** The maximum number of acts of one kind that is usual for a person in a day. Voters are told if there are more. */
const REPEATS_USUAL = 5;

/** Risk notes for voters, from acts of the same action within 90 days. */
export async function selectRisks(
  tx: Tx,
  {
    action,
    customerId,
    staffId,
    measured,
    now,
  }: {
    action: string;
    customerId: bigint | undefined;
    staffId: string;
    measured: bigint | undefined;
    now: Date;
  },
): Promise<RiskNote[]> {
  const { rows } = await sql<{ isFirst: boolean; isAbove: boolean; isRepeated: boolean }>`
    select
      ${customerId ?? null}::bigint is not null and not exists (
        select from approvals where customer_id = ${customerId ?? null}::bigint and action = ${action} and state = 'executed'
      ) as "isFirst",
      coalesce(${measured ?? null}::bigint > (
        select max(measured) from approvals
         where action = ${action} and state = 'executed' and requested_at > ${now}::timestamptz - interval '90 days'
      ), false) as "isAbove",
      (select count(*) from approvals
        where requested_by = ${staffId}::uuid and action = ${action} and requested_at > ${now}::timestamptz - interval '24 hours'
      ) >= ${REPEATS_USUAL}::bigint as "isRepeated"`.execute(tx);
  const [row] = rows;
  return [
    ...(row?.isFirst === true ? (['first_of_customer'] as const) : []),
    ...(row?.isAbove === true ? (['above_usual'] as const) : []),
    ...(row?.isRepeated === true ? (['repeated_by_person'] as const) : []),
  ];
}

/** Locks one person's open requests in a fixed order. */
export async function lockPendingOf(tx: Tx, staffId: string): Promise<string[]> {
  const rows = await tx
    .selectFrom('approvals')
    .select('id')
    .where('requested_by', '=', staffId)
    .where('state', '=', 'pending')
    .orderBy('id')
    .forUpdate()
    .execute();
  return rows.map(({ id }) => id);
}

export async function selectExpired(db: Db, now: Date, limit: number): Promise<string[]> {
  const rows = await db
    .selectFrom('approvals')
    .select('id')
    .where('state', '=', 'pending')
    .where('expires_at', '<=', now)
    .orderBy('expires_at')
    .limit(limit)
    .execute();
  return rows.map(({ id }) => id);
}

/** Requests that ended before `before` and still hold value. */
export async function selectToGiveBack(db: Db, before: Date, limit: number): Promise<string[]> {
  const rows = await db
    .selectFrom('approvals')
    .select('id')
    .where('is_held', '=', true)
    .where('state', '<>', 'pending')
    .where('ended_at', '<=', before)
    .orderBy('ended_at')
    .limit(limit)
    .execute();
  return rows.map(({ id }) => id);
}

export async function holdsValueOf(tx: Tx, userId: bigint): Promise<boolean> {
  const row = await tx
    .selectFrom('approvals')
    .select('id')
    .where('customer_id', '=', userId)
    .where('is_held', '=', true)
    .where('holds_customers_value', '=', true)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

/** Erases texts about a customer, including those in the audit. Amounts and ids stay, because the audit refers to them. */
export async function eraseRequests(tx: Tx, userId: bigint): Promise<void> {
  const rows = await tx
    .selectFrom('approvals')
    .select(['id', 'subject_type as type', 'subject_id as subjectId'])
    .where('customer_id', '=', userId)
    .execute();
  await emptyAuditDetails(
    tx,
    rows.flatMap(({ id, type, subjectId }) => [
      { type: 'approval', id },
      { type, id: subjectId },
    ]),
  );
  await sql`
    update approval_votes vote set reason = null
      from approvals request where request.id = vote.approval_id and request.customer_id = ${userId}`.execute(
    tx,
  );
  await tx
    .updateTable('approvals')
    .set({
      reason: '',
      before: 'null',
      after: 'null',
      // The payload stays while the request still has to be done or undone; it contains only ids and amounts.
      payload: sql<string>`case when state = 'pending' or is_held then payload else '' end`,
    })
    .where('customer_id', '=', userId)
    .execute();
}

/** The current data of the requester. */
export const selectRequester = (db: Db | Tx, staffId: string) =>
  db
    .selectFrom('staff')
    .select(['id as staffId', 'organisation', 'wallet_uuid as walletUuid'])
    .where('id', '=', staffId)
    .executeTakeFirstOrThrow();

export async function selectCustomer(
  db: Db | Tx,
  userId: bigint,
): Promise<{ readonly uuid: string; readonly email: string | null } | undefined> {
  const { rows } = await sql<{ uuid: string; email: string | null }>`
    select uuid, email from users where id = ${userId}`.execute(db);
  return rows[0];
}

export async function selectStaffName(db: Db, staffId: string): Promise<string> {
  const row = await db
    .selectFrom('staff')
    .select('name')
    .where('id', '=', staffId)
    .executeTakeFirstOrThrow();
  return row.name;
}
