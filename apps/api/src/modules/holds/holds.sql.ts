import { sql, type RawBuilder, type Selectable } from 'kysely';
import type { HoldCauseKind, HoldKind } from '@athos/contract/console/holds';
import type { Db, Tables, Tx } from '../../platform/database/database.ts';
import { deleteInBatches } from '../../platform/database/delete-in-batches.ts';

/** The cause of a hold. Each cause lifts only its own holds. */
export interface HoldCause {
  readonly kind: HoldCauseKind;
  /** The id of the dispute, warning or debt. For a hold by staff, any unique text. */
  readonly id: string;
}

export interface NewHold {
  readonly userId: bigint;
  readonly kinds: readonly HoldKind[];
  readonly cause: HoldCause;
  readonly reason: string;
  /** The time at which the hold lifts by itself. Absent if it must be lifted. */
  readonly endsAt?: Date | undefined;
  /** The member of staff who placed the hold. Absent if the system placed it. */
  readonly placedBy?: string | undefined;
}

/**
 * Serializes changes of one user's holds, and sign-ins, which lock the same row. Does not wait for inserts whose foreign keys refer
 * to the user.
 */
export async function lockHolder(tx: Tx, userId: bigint): Promise<void> {
  await sql`select from users where id = ${userId} for no key update`.execute(tx);
}

/** Like `lockHolder`, for an open account by its uuid. */
export async function lockCustomer(
  tx: Tx,
  userUuid: string,
): Promise<{ userId: bigint; uuid: string; email: string | null } | undefined> {
  return tx
    .selectFrom('users')
    .select(['id as userId', 'uuid', 'email'])
    .where('uuid', '=', userUuid)
    .where('closed_at', 'is', null)
    .forNoKeyUpdate()
    .executeTakeFirst();
}

export async function selectUserIdByUuid(
  db: Db | Tx,
  userUuid: string,
): Promise<bigint | undefined> {
  const row = await db
    .selectFrom('users')
    .select('id')
    .where('uuid', '=', userUuid)
    .executeTakeFirst();
  return row?.id;
}

export type HoldRow = Selectable<Tables['account_holds']> & {
  readonly placed_by_name: string | null;
  readonly lifted_by_name: string | null;
};

/** More holds than anybody reads. Standing holds come first, so that none is left out. */
const HOLDS_SHOWN_MAX = 200;

/** Standing holds first, then the newest. */
export const selectHolds = (db: Db | Tx, userId: bigint): Promise<HoldRow[]> =>
  db
    .selectFrom('account_holds as hold')
    .leftJoin('staff as placer', 'placer.id', 'hold.placed_by')
    .leftJoin('staff as lifter', 'lifter.id', 'hold.lifted_by')
    .selectAll('hold')
    .select(['placer.name as placed_by_name', 'lifter.name as lifted_by_name'])
    .where('hold.user_id', '=', userId)
    .orderBy(sql`hold.lifted_at is null`, 'desc')
    .orderBy('hold.id', 'desc')
    .limit(HOLDS_SHOWN_MAX)
    .execute();

/** Replaces a standing hold of the same cause. */
export async function upsertHold(tx: Tx, hold: NewHold, placedAt: Date): Promise<void> {
  const { userId, kinds, cause, reason, endsAt, placedBy } = hold;
  const terms = { kinds: [...kinds], reason, ends_at: endsAt ?? null };
  await tx
    .insertInto('account_holds')
    .values({
      user_id: userId,
      cause: cause.kind,
      cause_id: cause.id,
      placed_by: placedBy ?? null,
      placed_at: placedAt,
      ...terms,
    })
    .onConflict((conflict) =>
      conflict
        .columns(['user_id', 'cause', 'cause_id'])
        .where('lifted_at', 'is', null)
        .doUpdateSet(terms),
    )
    .execute();
}

/** Returns whether there was such a hold. */
export async function updateLifted(
  tx: Tx,
  { userId, cause }: { readonly userId: bigint; readonly cause: HoldCause },
  lifted: { readonly at: Date; readonly by: string | undefined },
): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('account_holds')
    .set({ lifted_at: lifted.at, lifted_by: lifted.by ?? null })
    .where('user_id', '=', userId)
    .where('cause', '=', cause.kind)
    .where('cause_id', '=', cause.id)
    .where('lifted_at', 'is', null)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

export async function updateEnded(tx: Tx, userId: bigint, now: Date): Promise<void> {
  await tx
    .updateTable('account_holds')
    .set({ lifted_at: now })
    .where('user_id', '=', userId)
    .where('ends_at', '<=', now)
    .where('lifted_at', 'is', null)
    .execute();
}

/** Users with a hold whose end has passed, the earliest first. */
export async function selectUsersWithEnded(db: Db, now: Date, limit: number): Promise<bigint[]> {
  const rows = await db
    .selectFrom('account_holds')
    .select('user_id')
    .where('ends_at', '<=', now)
    .where('lifted_at', 'is', null)
    .orderBy('ends_at')
    .limit(limit)
    .execute();
  return [...new Set(rows.map(({ user_id: userId }) => userId))];
}

/** The union of the kinds that a user's standing holds stop. */
export async function selectHeldKinds(tx: Tx | Db, userId: bigint): Promise<ReadonlySet<HoldKind>> {
  const rows = await tx
    .selectFrom('account_holds')
    .select('kinds')
    .where('user_id', '=', userId)
    .where('lifted_at', 'is', null)
    .execute();
  return new Set(rows.flatMap(({ kinds }) => kinds));
}

/** Whether a hold stops the user, as a condition inside a statement that also writes. */
export const standingHold = (
  userId: RawBuilder<unknown>,
  kind: HoldKind,
): RawBuilder<boolean> => sql`exists (
  select from account_holds hold
   where hold.user_id = ${userId} and hold.lifted_at is null and ${sql.lit(kind)} = any(hold.kinds))`;

export async function deleteLifted(db: Db, before: Date): Promise<void> {
  await deleteInBatches(db, 'account_holds', sql`lifted_at <= ${before}`);
}

/** Erases the reasons of lifted holds. A user with a standing hold cannot be deleted. */
export async function eraseHolds(tx: Tx, userId: bigint): Promise<void> {
  await tx.deleteFrom('account_holds').where('user_id', '=', userId).execute();
}

/** The kinds that standing holds stop, by user. Users without one are omitted. */
export async function selectHeldKindsOf(
  db: Db,
  userIds: readonly bigint[],
): Promise<ReadonlyMap<bigint, readonly HoldKind[]>> {
  if (userIds.length === 0) return new Map();
  const rows = await db
    .selectFrom('account_holds')
    .select(['user_id as userId', 'kinds'])
    .where('user_id', 'in', userIds)
    .where('lifted_at', 'is', null)
    .execute();
  const byUser = Map.groupBy(rows, ({ userId }) => userId);
  return new Map(
    [...byUser].map(([userId, own]) => [userId, [...new Set(own.flatMap(({ kinds }) => kinds))]]),
  );
}
