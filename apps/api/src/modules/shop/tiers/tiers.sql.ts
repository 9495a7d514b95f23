import type { Selectable } from 'kysely';
import type { Db, Tables } from '../../../platform/database/database.ts';

export type TierRow = Selectable<Tables['tiers']>;

export const selectTiers = (db: Db): Promise<TierRow[]> =>
  db.selectFrom('tiers').selectAll().orderBy('amount_micro_ath', 'desc').execute();

export const selectTier = (db: Db, tierId: number): Promise<TierRow | undefined> =>
  db.selectFrom('tiers').selectAll().where('id', '=', tierId).executeTakeFirst();
