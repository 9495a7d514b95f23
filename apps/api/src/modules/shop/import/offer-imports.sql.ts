/** Statements on files of offers that staff uploaded to be checked. */
import { sql, type ColumnType, type Generated } from 'kysely';
import type { OfferFields } from '@athos/contract/console/offer-fields';
import type { OfferImportFinding, OfferImportState } from '@athos/contract/console/offer-imports';
import type { ListCount } from '@athos/contract/console/lists';
import { notifyConsole } from '../../../platform/console/console-changes.ts';
import { countRows } from '../../../platform/console/list-count.sql.ts';
import type { Db, Tx } from '../../../platform/database/database.ts';
import { deleteInBatches } from '../../../platform/database/delete-in-batches.ts';
import type { WithDefault } from '../../../platform/database/tables.ts';
import type { CheckedRow } from './check-import.ts';
import type { Fault } from './offer-columns.ts';

interface OfferImports {
  id: string;
  staff_id: string;
  state: WithDefault<OfferImportState>;
  rows_total: ColumnType<number, number, never>;
  created_at: Date;
  finished_at: WithDefault<Date | null>;
}

type Json<Value> = ColumnType<Value, string, never>;

interface OfferImportRows {
  import_id: string;
  row_number: number;
  offer_id: number | null;
  title: string;
  finding: OfferImportFinding;
  faults: Json<Fault[]>;
  fields: Json<OfferFields | null>;
  before: Json<Record<string, unknown>>;
  after: Json<Record<string, unknown>>;
  version: number | null;
  is_skipped: Generated<boolean>;
  outcome: WithDefault<'applied' | 'failed' | null>;
  failure: WithDefault<string | null>;
}

declare module '../../../platform/database/tables.ts' {
  interface Tables {
    offer_imports: OfferImports;
    offer_import_rows: OfferImportRows;
  }
}

export async function insertImport(
  tx: Tx,
  given: { readonly id: string; readonly staffId: string; readonly at: Date },
  rows: readonly CheckedRow[],
): Promise<void> {
  await tx
    .insertInto('offer_imports')
    .values({
      id: given.id,
      staff_id: given.staffId,
      rows_total: rows.length,
      created_at: given.at,
    })
    .execute();
  const texts = (part: (row: CheckedRow) => unknown) =>
    rows.map((row) => JSON.stringify(part(row)));
  await sql`
    insert into offer_import_rows
      (import_id, row_number, offer_id, title, finding, version, faults, fields, before, after)
    select ${given.id}::uuid, row.number, row.offer_id, row.title, row.finding, row.version, row.faults::jsonb,
           nullif(row.fields::jsonb, 'null'), row.before::jsonb, row.after::jsonb
      from unnest(${rows.map(({ row }) => row)}::int[], ${rows.map(({ offerId }) => offerId)}::int[],
                  ${rows.map(({ title }) => title)}::text[], ${rows.map(({ finding }) => finding)}::text[],
                  ${rows.map(({ version }) => version)}::int[], ${texts(({ faults }) => faults)}::text[],
                  ${texts(({ fields }) => fields)}::text[], ${texts(({ before }) => before)}::text[],
                  ${texts(({ after }) => after)}::text[])
           row (number, offer_id, title, finding, version, faults, fields, before, after)`.execute(
    tx,
  );
}

const imports = (db: Db | Tx) =>
  db
    .selectFrom('offer_imports')
    .select([
      'id',
      'staff_id as staffId',
      'state',
      'rows_total as rowsTotal',
      'created_at as createdAt',
      'finished_at as finishedAt',
    ]);

export const selectOwnImport = (db: Db | Tx, staffId: string, id: string) =>
  imports(db).where('staff_id', '=', staffId).where('id', '=', id).executeTakeFirst();
export type OfferImport = NonNullable<Awaited<ReturnType<typeof selectOwnImport>>>;

export const lockOwnImport = (tx: Tx, staffId: string, id: string) =>
  imports(tx).where('staff_id', '=', staffId).where('id', '=', id).forUpdate().executeTakeFirst();

export const selectImport = (db: Db, id: string): Promise<OfferImport | undefined> =>
  imports(db).where('id', '=', id).executeTakeFirst();

export async function updateState(
  db: Db | Tx,
  id: string,
  {
    state,
    finishedAt = null,
  }: { readonly state: OfferImportState; readonly finishedAt?: Date | null },
): Promise<void> {
  await db
    .updateTable('offer_imports')
    .set({ state, finished_at: finishedAt })
    .where('id', '=', id)
    .execute();
  await notifyConsole(db, 'bulk');
}

/** The number of rows by finding and outcome. */
export async function countImport(db: Db | Tx, id: string) {
  const { rows } = await sql<
    Record<OfferImportFinding | 'skipped' | 'to_apply' | 'applied' | 'failed', number>
  >`
    select count(*) filter (where finding = 'new')::int as new,
           count(*) filter (where finding = 'change')::int as change,
           count(*) filter (where finding = 'same')::int as same,
           count(*) filter (where finding = 'fault')::int as fault,
           count(*) filter (where fields is not null and is_skipped)::int as skipped,
           count(*) filter (where fields is not null and not is_skipped)::int as to_apply,
           count(*) filter (where outcome = 'applied')::int as applied,
           count(*) filter (where outcome = 'failed')::int as failed
      from offer_import_rows where import_id = ${id}::uuid`.execute(db);
  const [counts] = rows;
  if (counts === undefined) throw new RangeError('a count is one row');
  return counts;
}

export type Shown = OfferImportFinding | 'skipped' | 'failed' | undefined;

const listed = (db: Db, id: string, show: Shown) =>
  db
    .selectFrom('offer_import_rows')
    .selectAll()
    .where('import_id', '=', id)
    .$if(show === 'skipped', (rows) => rows.where('is_skipped', '=', true))
    .$if(show === 'failed', (rows) => rows.where('outcome', '=', 'failed'))
    .$if(show !== undefined && show !== 'skipped' && show !== 'failed', (rows) =>
      rows.where('finding', '=', show as OfferImportFinding),
    );

/** In the order of the file. Returns one row more than `limit` if there is a next page. */
export const selectRows = (
  db: Db,
  { id, show }: { readonly id: string; readonly show: Shown },
  { limit, afterRow }: { readonly limit: number; readonly afterRow: number | undefined },
) =>
  listed(db, id, show)
    .$if(afterRow !== undefined, (rows) => rows.where('row_number', '>', afterRow ?? 0))
    .orderBy('row_number')
    .limit(limit + 1)
    .execute();

export const countListed = (db: Db, id: string, show: Shown): Promise<ListCount> =>
  countRows(db, listed(db, id, show));

/** Leaves rows out or includes them again. Returns the number of rows changed. */
export async function updateSkipped(
  tx: Tx,
  id: string,
  { rows, isSkipped }: { readonly rows: readonly number[]; readonly isSkipped: boolean },
): Promise<number> {
  const { numUpdatedRows } = await tx
    .updateTable('offer_import_rows')
    .set({ is_skipped: isSkipped })
    .where('import_id', '=', id)
    .where(sql<boolean>`row_number = any(${rows}::int[])`)
    .where('fields', 'is not', null)
    .executeTakeFirst();
  return parseInt(numUpdatedRows.toString(), 10);
}

/** The next rows without an outcome. */
export const selectOpenRows = (db: Db, id: string, limit: number) =>
  db
    .selectFrom('offer_import_rows')
    .select(['row_number as row', 'offer_id as offerId', 'fields', 'version'])
    .where('import_id', '=', id)
    .where('fields', 'is not', null)
    .where('is_skipped', '=', false)
    .where('outcome', 'is', null)
    .orderBy('row_number')
    .limit(limit)
    .execute();

interface RowOutcome {
  readonly id: string;
  readonly row: number;
  /** Absent if the row was applied. */
  readonly failure?: string;
}

/** Returns `false` if the row already has its outcome. Waits for a transaction that is about to write it. */
export async function updateOutcome(tx: Tx, { id, row, failure }: RowOutcome): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('offer_import_rows')
    .set({ outcome: failure === undefined ? 'applied' : 'failed', failure: failure ?? null })
    .where('import_id', '=', id)
    .where('row_number', '=', row)
    .where('outcome', 'is', null)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** Stores the id of the offer that a row added. */
export async function updateAdded(
  tx: Tx,
  { id, row, offerId }: { readonly id: string; readonly row: number; readonly offerId: number },
): Promise<void> {
  await tx
    .updateTable('offer_import_rows')
    .set({ offer_id: offerId })
    .where('import_id', '=', id)
    .where('row_number', '=', row)
    .execute();
}

export async function deleteOldImports(
  db: Db,
  before: { readonly checked: Date; readonly applied: Date },
): Promise<void> {
  await deleteInBatches(
    db,
    'offer_imports',
    sql`created_at < ${before.applied} or (state = 'checked' and created_at < ${before.checked})`,
  );
}
