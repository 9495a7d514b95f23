import { sql } from 'kysely';
import type { Db, Tx } from '../database/database.ts';

export const PROGRAMME_CHANGED = 'programme_changed';

/** The stored settings by key. */
export async function selectSettings(db: Db | Tx): Promise<Map<string, unknown>> {
  const rows = await db.selectFrom('programme_settings').select(['key', 'value']).execute();
  return new Map(rows.map(({ key, value }) => [key, value]));
}

/** One stored setting, with the person who changed it last. */
export const selectStoredSettings = (db: Db | Tx, keys: readonly string[]) =>
  db
    .selectFrom('programme_settings')
    .select(['key', 'value', 'changed_at as at', 'changed_by as by'])
    .where('key', 'in', keys)
    .execute();

/** Makes writers take turns until the transaction ends, so that settings that depend on each other stay consistent. */
export async function lockSettings(tx: Tx): Promise<void> {
  await sql`lock table programme_settings in share row exclusive mode`.execute(tx);
}

export async function upsertSetting(
  tx: Tx,
  row: { readonly key: string; readonly value: unknown; readonly by: string; readonly at: Date },
): Promise<void> {
  const values = { value: JSON.stringify(row.value), changed_at: row.at, changed_by: row.by };
  await tx
    .insertInto('programme_settings')
    .values({ key: row.key, ...values })
    .onConflict((conflict) => conflict.column('key').doUpdateSet(values))
    .execute();
}

/** Resets the setting to its default. */
export async function deleteSetting(tx: Tx, key: string): Promise<void> {
  await tx.deleteFrom('programme_settings').where('key', '=', key).execute();
}

/** Tells every process to read the settings again once the transaction commits. */
export async function notifyProgrammeChanged(tx: Tx): Promise<void> {
  await sql`select pg_notify(${PROGRAMME_CHANGED}, '')`.execute(tx);
}
