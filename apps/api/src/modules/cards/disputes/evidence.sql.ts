/** Statements on the files of evidence. */
import { sql, type Insertable, type Selectable } from 'kysely';
import type { Db, Tables, Tx } from '../../../platform/database/database.ts';

export type EvidenceFileRow = Selectable<Tables['card_evidence_files']>;

const FACTS = ['id', 'field', 'name', 'type', 'provider_file_id'] as const;
type FileFacts = Pick<EvidenceFileRow, (typeof FACTS)[number]> & { readonly size: number };

export const selectFiles = (db: Db | Tx, disputeId: string): Promise<FileFacts[]> =>
  db
    .selectFrom('card_evidence_files')
    .select(FACTS)
    .select(sql<number>`length(bytes)`.as('size'))
    .where('dispute_id', '=', disputeId)
    .orderBy('field')
    .execute();

export const selectFile = (
  db: Db,
  disputeId: string,
  field: EvidenceFileRow['field'],
): Promise<EvidenceFileRow | undefined> =>
  db
    .selectFrom('card_evidence_files')
    .selectAll()
    .where('dispute_id', '=', disputeId)
    .where('field', '=', field)
    .executeTakeFirst();

export const selectUnsentFiles = (db: Db, disputeId: string): Promise<EvidenceFileRow[]> =>
  db
    .selectFrom('card_evidence_files')
    .selectAll()
    .where('dispute_id', '=', disputeId)
    .where('provider_file_id', 'is', null)
    .execute();

export async function insertFile(
  tx: Tx,
  file: Omit<Insertable<Tables['card_evidence_files']>, 'provider_file_id'>,
): Promise<void> {
  const { id, name, type, bytes } = file;
  await tx
    .insertInto('card_evidence_files')
    .values({ ...file, provider_file_id: null })
    .onConflict((conflict) =>
      conflict
        .columns(['dispute_id', 'field'])
        .doUpdateSet({ id, name, type, bytes, provider_file_id: null }),
    )
    .execute();
}

export async function updateFileSent(db: Db, id: string, providerFileId: string): Promise<void> {
  await db
    .updateTable('card_evidence_files')
    .set({ provider_file_id: providerFileId })
    .where('id', '=', id)
    .execute();
}
