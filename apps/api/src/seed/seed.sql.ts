import type { Tx } from '../platform/database.ts';
import { demoCategories, demoOffers } from './demo-catalog.ts';
import { demoTiers } from './demo-tiers.ts';

/** What is there already stays as it is, so that a second start keeps what was changed since the first. */
export async function insertCatalog(tx: Tx): Promise<void> {
  await tx
    .insertInto('tiers')
    .values([...demoTiers])
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  await tx
    .insertInto('categories')
    .values([...demoCategories])
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  await tx
    .insertInto('offers')
    .values([...demoOffers])
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

export async function updateRole(
  tx: Tx,
  userId: bigint,
  role: 'user' | 'scanner' | 'operator',
): Promise<void> {
  await tx.updateTable('users').set({ role }).where('id', '=', userId).execute();
}
