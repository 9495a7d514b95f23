import type { Db, Tx } from '../../platform/database/database.ts';

/** The ATH from which on somebody has the tier, in micro-units. */
export async function selectTierThreshold(tx: Tx, tierId: number): Promise<bigint> {
  const { amount_micro_ath: amount } = await tx
    .selectFrom('tiers')
    .select('amount_micro_ath')
    .where('id', '=', tierId)
    .executeTakeFirstOrThrow();
  return amount;
}

export async function selectSignUpTime(tx: Tx, userId: bigint): Promise<Date> {
  const { created_at: at } = await tx
    .selectFrom('users')
    .select('created_at')
    .where('id', '=', userId)
    .executeTakeFirstOrThrow();
  return at;
}

export async function hasTier(tx: Tx, tierId: number): Promise<boolean> {
  const row = await tx.selectFrom('tiers').select('id').where('id', '=', tierId).executeTakeFirst();
  return row !== undefined;
}

/** Null for an audience that is no tier. */
export async function selectTierTitle(
  db: Db | Tx,
  { audience_tier_id: tierId }: { readonly audience_tier_id: number | null },
): Promise<string | null> {
  if (tierId === null) return null;
  const tier = await db
    .selectFrom('tiers')
    .select('title')
    .where('id', '=', tierId)
    .executeTakeFirst();
  return tier?.title ?? null;
}
