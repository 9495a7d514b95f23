import { microAth, type MicroAth } from '@athos/domain/money';
import type { Db } from '../../platform/database/database.ts';

export interface Tier {
  readonly id: number;
  readonly title: string;
  readonly amountMicroAth: MicroAth;
  readonly color: string;
  readonly note: string;
}

export async function selectTiers(db: Db): Promise<readonly Tier[]> {
  const rows = await db.selectFrom('tiers').selectAll().execute();
  return rows.map(({ amount_micro_ath: amount, ...tier }) => ({
    ...tier,
    amountMicroAth: microAth(amount),
  }));
}
