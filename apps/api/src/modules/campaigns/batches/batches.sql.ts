import { sql, type Insertable, type Selectable } from 'kysely';
import { BATCH_DOWNLOADS_MAX, type SheetForm } from '@athos/contract/console/batches';
import type { ListCount } from '@athos/contract/console/lists';
import { countRows } from '../../../platform/console/list-count.sql.ts';
import type { Db, Tables, Tx } from '../../../platform/database/database.ts';

export type BatchRow = Selectable<Tables['reward_batches']>;

export async function insertBatch(
  tx: Tx,
  batch: Insertable<Tables['reward_batches']>,
): Promise<void> {
  await tx.insertInto('reward_batches').values(batch).execute();
}

export const selectBatch = (db: Db | Tx, id: string): Promise<BatchRow | undefined> =>
  db.selectFrom('reward_batches').selectAll().where('id', '=', id).executeTakeFirst();

export const lockBatch = (tx: Tx, id: string): Promise<BatchRow | undefined> =>
  tx
    .selectFrom('reward_batches')
    .selectAll()
    .where('id', '=', id)
    .forNoKeyUpdate()
    .executeTakeFirst();

const ofCampaign = (db: Db | Tx, campaignId: number) =>
  db.selectFrom('reward_batches').where('campaign_id', '=', campaignId);

/** Newest first. Returns one row more than `limit` if there is a next page. */
export const selectBatches = (
  db: Db,
  campaignId: number,
  { limit, after }: { readonly limit: number; readonly after: readonly string[] | undefined },
): Promise<BatchRow[]> =>
  ofCampaign(db, campaignId)
    .selectAll()
    .$if(after !== undefined, (rows) =>
      rows.where(
        sql<boolean>`(created_at, id) < (${after?.[0] ?? ''}::timestamptz, ${after?.[1] ?? ''}::uuid)`,
      ),
    )
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(limit + 1)
    .execute();

export const countBatches = (db: Db, campaignId: number): Promise<ListCount> =>
  countRows(db, ofCampaign(db, campaignId));

/** The number of claims that the campaign's batches can still take. */
export async function countPromised(tx: Tx, campaignId: number): Promise<bigint> {
  const { promised } = await ofCampaign(tx, campaignId)
    .select(
      sql<bigint>`coalesce(sum(code_count::bigint * claim_count_max - claim_count), 0)::bigint`.as(
        'promised',
      ),
    )
    .where('state', 'in', ['waiting', 'making', 'ready'])
    .executeTakeFirstOrThrow();
  return promised;
}

/** Marks the batch as being made, again if the worker died. `undefined` for a batch that is ready, voided or given up. */
export const updateMaking = (db: Db, id: string): Promise<BatchRow | undefined> =>
  db
    .updateTable('reward_batches')
    .set({ state: 'making', codes_done: 0 })
    .where('id', '=', id)
    .where('state', 'in', ['waiting', 'making'])
    .returningAll()
    .executeTakeFirst();

export async function updateCodesDone(db: Db, id: string, codesDone: number): Promise<void> {
  await db
    .updateTable('reward_batches')
    .set({ codes_done: codesDone })
    .where('id', '=', id)
    .where('state', '=', 'making')
    .execute();
}

/** Stores the codes of a batch. Fails if one of them exists. */
export async function insertCodesOfBatch(
  tx: Tx,
  { id, campaign_id, claim_count_max }: BatchRow,
  hashes: readonly Buffer[],
): Promise<void> {
  const all = `{${hashes.map((hash) => `"\\\\x${hash.toString('hex')}"`).join(',')}}`;
  await sql`
    insert into reward_codes (code_hash, campaign_id, claim_count_max, batch_id)
    select code_hash, ${campaign_id}::integer, ${claim_count_max}::integer, ${id}::uuid
      from unnest(${all}::bytea[]) as code_hash`.execute(tx);
}

interface MadeFile {
  readonly name: string;
  readonly sealedKey: Buffer;
  readonly at: Date;
  readonly expiresAt: Date;
}

/** Returns whether the batch was still being made: it may have been voided, or completed by another run. */
export async function updateReady(
  tx: Tx,
  { id, code_count: codesDone }: BatchRow,
  file: MadeFile,
): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('reward_batches')
    .set({
      state: 'ready',
      codes_done: codesDone,
      made_at: file.at,
      file_name: file.name,
      file_key: file.sealedKey,
      file_expires_at: file.expiresAt,
    })
    .where('id', '=', id)
    .where('state', '=', 'making')
    .executeTakeFirstOrThrow();
  return numUpdatedRows > 0n;
}

export async function updateFailed(db: Db, id: string): Promise<void> {
  await db
    .updateTable('reward_batches')
    .set({ state: 'failed' })
    .where('id', '=', id)
    .where('state', '=', 'making')
    .execute();
}

const NO_FILE = { file_name: null, file_key: null, link_hash: null };

export async function updateVoid(tx: Tx, id: string, at: Date): Promise<void> {
  await tx
    .updateTable('reward_batches')
    .set({ state: 'void', voided_at: at, ...NO_FILE })
    .where('id', '=', id)
    .execute();
}

export async function updateLink(
  tx: Tx,
  id: string,
  link: { readonly hash: Buffer; readonly expiresAt: Date; readonly form: 'csv' | SheetForm },
): Promise<void> {
  await tx
    .updateTable('reward_batches')
    .set({ link_hash: link.hash, link_expires_at: link.expiresAt, link_form: link.form })
    .where('id', '=', id)
    .execute();
}

/** Uses up the link and counts the download. `undefined` if the link is no longer valid, or the file has ended. */
export const takeLink = (
  db: Db,
  { id, hash, now }: { readonly id: string; readonly hash: Buffer; readonly now: Date },
): Promise<BatchRow | undefined> =>
  db
    .updateTable('reward_batches')
    .set((batch) => ({ link_hash: null, download_count: batch('download_count', '+', 1) }))
    .where('id', '=', id)
    .where('link_hash', '=', hash)
    .where('link_expires_at', '>', now)
    .where('file_key', 'is not', null)
    .where('file_expires_at', '>', now)
    .where('download_count', '<', BATCH_DOWNLOADS_MAX)
    .returningAll()
    .executeTakeFirst();

/** Deletes the keys of files that have ended by time or by downloads, so that nobody can read a copy of them. */
export async function endFiles(db: Db, now: Date): Promise<void> {
  await db
    .updateTable('reward_batches')
    .set(NO_FILE)
    .where('file_key', 'is not', null)
    .where((batch) =>
      batch.or([
        batch('file_expires_at', '<=', now),
        batch('download_count', '>=', BATCH_DOWNLOADS_MAX),
      ]),
    )
    .execute();
}

/** The files to which rows refer, and the ids of batches whose codes or sheets are being made. */
export async function selectFilesKept(db: Db): Promise<{ names: Set<string>; making: string[] }> {
  const { rows } = await sql<{ id: string; name: string | null; isMaking: boolean }>`
    select id, file_name as name, state = 'making' as "isMaking" from reward_batches
     where file_key is not null or state = 'making'
    union all
    select batch_id, file_name, state = 'making' from reward_sheets`.execute(db);
  return {
    names: new Set(rows.flatMap(({ name }) => (name === null ? [] : [name]))),
    making: rows.flatMap(({ id, isMaking }) => (isMaking ? [id] : [])),
  };
}
