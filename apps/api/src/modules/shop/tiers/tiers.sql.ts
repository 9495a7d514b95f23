import { sql, type Selectable } from 'kysely';
import { microAth, type MicroAth } from '@athos/domain/money';
import type { Db, Tables, Tx } from '../../../platform/database/database.ts';

export interface Tier {
  readonly id: number;
  readonly title: string;
  readonly amountMicroAth: MicroAth;
  readonly color: string;
  readonly note: string;
}

const tierOf = ({ amount_micro_ath: amount, ...tier }: Selectable<Tables['tiers']>): Tier => ({
  ...tier,
  amountMicroAth: microAth(amount),
});

/** All tiers, the highest first. */
export async function selectTiers(db: Db | Tx): Promise<readonly Tier[]> {
  const rows = await db
    .selectFrom('tiers')
    .selectAll()
    .orderBy('amount_micro_ath', 'desc')
    .execute();
  return rows.map(tierOf);
}

export async function selectTier(db: Db | Tx, tierId: number): Promise<Tier | undefined> {
  const row = await db.selectFrom('tiers').selectAll().where('id', '=', tierId).executeTakeFirst();
  return row && tierOf(row);
}

/** The data that all tiers share. */
export const selectLadder = (db: Db | Tx): Promise<Selectable<Tables['tier_ladder']>> =>
  db.selectFrom('tier_ladder').selectAll().executeTakeFirstOrThrow();

/** Locks the tiers against other changes by staff. */
export async function lockLadder(tx: Tx): Promise<void> {
  await tx.selectFrom('tier_ladder').select('version').forUpdate().executeTakeFirstOrThrow();
}

export interface TierUse {
  readonly offerCount: number;
  readonly campaignCount: number;
}

/** The number of offers and campaigns that use each tier, by its id. Unused tiers are omitted. */
export async function selectTierUse(db: Db | Tx): Promise<ReadonlyMap<number, TierUse>> {
  const { rows } = await sql<{ id: number } & TierUse>`
    select id, sum(offers)::int as "offerCount", sum(campaigns)::int as "campaignCount"
      from (select tier_id_min as id, 1 as offers, 0 as campaigns from offers where tier_id_min is not null
            union all
            select audience_tier_id, 0, 1 from reward_campaigns where audience_tier_id is not null) named
     group by id`.execute(db);
  return new Map(rows.map(({ id, ...use }) => [id, use]));
}

/** Greater than every threshold. */
const OUT_OF_THE_WAY = 10n ** 18n;

/** Replaces the tiers and increments their version. The caller holds the lock. A tier without an id is a new one. */
export async function replaceTiers(
  tx: Tx,
  tiers: readonly (Omit<Tier, 'id'> & { readonly id: number | null })[],
): Promise<void> {
  const kept = tiers.flatMap(({ id }) => id ?? []);
  await tx
    .deleteFrom('tiers')
    .where('id', '<>', sql<number>`all(${kept}::integer[])`)
    .execute();
  // Two tiers must never have the same threshold, not even while they swap places.
  await tx
    .updateTable('tiers')
    .set({ amount_micro_ath: sql<bigint>`amount_micro_ath + ${OUT_OF_THE_WAY}::bigint` })
    .execute();
  for (const { id, amountMicroAth, ...fields } of tiers) {
    const columns = { ...fields, amount_micro_ath: amountMicroAth };
    if (id === null) {
      const nextId = sql<number>`(select coalesce(max(id), 0) + 1 from tiers)`;
      await tx
        .insertInto('tiers')
        .values({ id: nextId, ...columns })
        .execute();
    } else await tx.updateTable('tiers').set(columns).where('id', '=', id).execute();
  }
  await tx
    .updateTable('tier_ladder')
    .set({ version: sql<number>`version + 1` })
    .execute();
}
