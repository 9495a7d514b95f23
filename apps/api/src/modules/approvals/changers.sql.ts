import type { Db } from '../../platform/database/database.ts';

const BY_CONSOLE = /^console: (.+)$/;

/** The names of who changed settings. Who used the command line is called what they called themselves. */
export async function nameChangers(db: Db, changers: readonly string[]) {
  const staffIds = changers.flatMap((by) => BY_CONSOLE.exec(by)?.[1] ?? []);
  const rows =
    staffIds.length === 0
      ? []
      : await db.selectFrom('staff').select(['id', 'name']).where('id', 'in', staffIds).execute();
  const names = new Map(rows.map(({ id, name }) => [`console: ${id}`, name]));
  return (by: string): string => names.get(by) ?? by;
}
