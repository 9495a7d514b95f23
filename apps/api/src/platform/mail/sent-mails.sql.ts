/** Which mails a user was sent, without their texts, for staff who are asked about them. */
import { sql, type Generated } from 'kysely';
import type { MailTemplate } from '@athos/contract/console/customers';
import type { Db, Tx } from '../database/database.ts';
import { deleteInBatches } from '../database/delete-in-batches.ts';

interface SentMails {
  id: Generated<bigint>;
  user_id: bigint;
  template: MailTemplate;
  sent_at: Date;
}

declare module '../database/tables.ts' {
  interface Tables {
    sent_mails: SentMails;
  }
}

export async function insertSentMail(
  db: Db,
  userId: bigint,
  { template, sentAt }: { readonly template: MailTemplate; readonly sentAt: Date },
): Promise<void> {
  await db
    .insertInto('sent_mails')
    .values({ user_id: userId, template, sent_at: sentAt })
    .execute();
}

/** Newest first. */
export const selectSentMails = (
  db: Db,
  userId: bigint,
  { beforeId, limit }: { readonly beforeId: bigint | undefined; readonly limit: number },
) =>
  db
    .selectFrom('sent_mails')
    .select(['id', 'template', 'sent_at as sentAt'])
    .where('user_id', '=', userId)
    .$if(beforeId !== undefined, (query) => query.where('id', '<', beforeId ?? 0n))
    .orderBy('id', 'desc')
    .limit(limit)
    .execute();

export const deleteOldSentMails = (db: Db, before: Date): Promise<void> =>
  deleteInBatches(db, 'sent_mails', sql`sent_at < ${before}`);

export async function eraseSentMails(tx: Tx, userId: bigint): Promise<void> {
  await tx.deleteFrom('sent_mails').where('user_id', '=', userId).execute();
}
