import { microAth, type MicroAth } from '@athos/domain/money';
import type { Selectable } from 'kysely';
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
