import type { Db } from '../../platform/database/database.ts';

const BY_CONSOLE = /^console: (.+)$/;

/** The names of the people who changed settings. A change by the command line keeps the name that was given there. */
export async function nameChangers(db: Db, changers: readonly string[]) {
  const staffIds = changers.flatMap((by) => BY_CONSOLE.exec(by)?.[1] ?? []);
  const rows =
    staffIds.length === 0
      ? []
      : await db.selectFrom('staff').select(['id', 'name']).where('id', 'in', staffIds).execute();
  const names = new Map(rows.map(({ id, name }) => [`console: ${id}`, name]));
  return (by: string): string => names.get(by) ?? by;
}
