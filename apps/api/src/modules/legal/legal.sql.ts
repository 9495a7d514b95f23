import { sql } from 'kysely';
import type { LegalKind } from '@athos/contract/legal';
import type { Db, Tx } from '../../platform/database/database.ts';

export const LEGAL_CHANGED = 'legal_changed';

/** More texts than a programme publishes in decades. */
const LISTED_MAX = 500;

const columns = [
  'text.id',
  'text.kind',
  'text.label',
  'text.version',
  'text.edited_at as editedAt',
  'text.published_at as publishedAt',
  'text.in_force_from as inForceFrom',
] as const;

export interface PublishedText {
  readonly id: number;
  readonly kind: LegalKind;
  readonly label: string;
  readonly inForceFrom: Date;
}

/** In the order in which they come into force. */
export async function selectPublished(db: Db | Tx): Promise<PublishedText[]> {
  const rows = await db
    .selectFrom('legal_texts as text')
    .select(['text.id', 'text.kind', 'text.label', 'text.in_force_from as inForceFrom'])
    .where('text.in_force_from', 'is not', null)
    .orderBy('text.in_force_from')
    .orderBy('text.id')
    .execute();
  return rows.flatMap(({ inForceFrom, ...text }) =>
    inForceFrom === null ? [] : [{ ...text, inForceFrom }],
  );
}

/** Drafts first, then the newest. */
export const selectTexts = (db: Db) =>
  db
    .selectFrom('legal_texts as text')
    .innerJoin('staff as editor', 'editor.id', 'text.edited_by')
    .leftJoin('staff as publisher', 'publisher.id', 'text.published_by')
    .select(columns)
    .select(['editor.name as editedBy', 'publisher.name as publishedBy'])
    .orderBy(sql`coalesce(text.in_force_from, 'infinity')`, 'desc')
    .orderBy('text.id', 'desc')
    .limit(LISTED_MAX)
    .execute();

export const selectText = (db: Db | Tx, id: number) =>
  db
    .selectFrom('legal_texts as text')
    .innerJoin('staff as editor', 'editor.id', 'text.edited_by')
    .leftJoin('staff as publisher', 'publisher.id', 'text.published_by')
    .select(columns)
    .select(['text.body', 'editor.name as editedBy', 'publisher.name as publishedBy'])
    .where('text.id', '=', id)
    .executeTakeFirst();

export async function selectBody(db: Db | Tx, id: number): Promise<string> {
  const { body } = await db
    .selectFrom('legal_texts')
    .select('body')
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
  return body;
}

/** Makes writers take turns until the transaction ends, so that versions follow one another in a fixed order. Readers do not wait. */
export async function lockTexts(tx: Tx): Promise<void> {
  await sql`lock table legal_texts in share row exclusive mode`.execute(tx);
}

export async function countDrafts(tx: Tx): Promise<number> {
  const { count } = await tx
    .selectFrom('legal_texts')
    .select(sql<number>`count(*)::int`.as('count'))
    .where('published_at', 'is', null)
    .executeTakeFirstOrThrow();
  return count;
}

export async function isLabelTaken(
  tx: Tx,
  { kind, label, exceptId }: { kind: LegalKind; label: string; exceptId: number | undefined },
): Promise<boolean> {
  const row = await tx
    .selectFrom('legal_texts')
    .select('id')
    .where('kind', '=', kind)
    .where('label', '=', label)
    .$if(exceptId !== undefined, (query) => query.where('id', '<>', exceptId ?? 0))
    .executeTakeFirst();
  return row !== undefined;
}

interface Draft {
  readonly label: string;
  readonly body: string;
  readonly by: string;
  readonly at: Date;
}

export async function insertDraft(
  tx: Tx,
  { kind, label, body, by, at }: Draft & { readonly kind: LegalKind },
): Promise<number> {
  const { id } = await tx
    .insertInto('legal_texts')
    .values({
      kind,
      label,
      body,
      edited_by: by,
      edited_at: at,
      published_at: null,
      published_by: null,
      in_force_from: null,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}

export async function updateDraft(
  tx: Tx,
  id: number,
  { label, body, by, at }: Draft,
): Promise<void> {
  await tx
    .updateTable('legal_texts')
    .set(({ eb }) => ({
      label,
      body,
      edited_by: by,
      edited_at: at,
      version: eb('version', '+', 1),
    }))
    .where('id', '=', id)
    .execute();
}

export async function deleteDraft(tx: Tx, id: number): Promise<void> {
  await tx.deleteFrom('legal_texts').where('id', '=', id).execute();
}

/** Publishes a draft, and tells every process once the transaction commits. */
export async function publishDraft(
  tx: Tx,
  id: number,
  { by, at, inForceFrom }: { readonly by: string; readonly at: Date; readonly inForceFrom: Date },
): Promise<void> {
  await tx
    .updateTable('legal_texts')
    .set({ published_by: by, published_at: at, in_force_from: inForceFrom })
    .where('id', '=', id)
    .execute();
  await sql`select pg_notify(${LEGAL_CHANGED}, '')`.execute(tx);
}

interface Acceptance {
  readonly label: string;
  readonly at: Date;
}

/**
 * Stores the acceptance of a customer. If the customer accepts again, for example after the version came into force, the new time
 * replaces the old one.
 */
export async function insertAcceptance(
  tx: Tx,
  userId: bigint,
  { label, at }: Acceptance,
): Promise<void> {
  await tx
    .insertInto('terms_acceptances')
    .values({ user_id: userId, label, accepted_at: at })
    .onConflict((conflict) =>
      conflict.columns(['user_id', 'label']).doUpdateSet({ accepted_at: at }),
    )
    .execute();
}

/** Newest first, after `beforeLabel`. */
export const selectAcceptances = (
  db: Db,
  userId: bigint,
  { beforeLabel, limit }: { readonly beforeLabel: string | undefined; readonly limit: number },
): Promise<Acceptance[]> =>
  db
    .selectFrom('terms_acceptances')
    .select(['label', 'accepted_at as at'])
    .where('user_id', '=', userId)
    .$if(beforeLabel !== undefined, (query) =>
      query.where(
        sql<boolean>`(accepted_at, label) < (select accepted_at, label from terms_acceptances
          where user_id = ${userId} and label = ${beforeLabel})`,
      ),
    )
    .orderBy('accepted_at', 'desc')
    .orderBy('label', 'desc')
    .limit(limit)
    .execute();

/** The version that a customer had accepted at a time; `undefined` if none. */
export const selectAcceptanceAt = (
  db: Db,
  userId: bigint,
  at: Date,
): Promise<Acceptance | undefined> =>
  db
    .selectFrom('terms_acceptances')
    .select(['label', 'accepted_at as at'])
    .where('user_id', '=', userId)
    .where('accepted_at', '<=', at)
    .orderBy('accepted_at', 'desc')
    .limit(1)
    .executeTakeFirst();

export async function eraseAcceptances(tx: Tx, userId: bigint): Promise<void> {
  await tx.deleteFrom('terms_acceptances').where('user_id', '=', userId).execute();
}
