/** Which mails a user was sent or the mail server refused, without their texts, so that staff can answer questions about them. */
import { sql, type Generated } from 'kysely';
import type { MailTemplate } from '@athos/contract/console/customers';
import type { ListCount } from '@athos/contract/console/lists';
import { dateOf, type Clock } from '../clock.ts';
import { countRows } from '../console/list-count.sql.ts';
import type { Db, Tx } from '../database/database.ts';
import { deleteInBatches } from '../database/delete-in-batches.ts';
import { failureWords } from '../jobs/failure-words.ts';
import { MailRefusedError, type Mail, type Mailer } from './mailer.ts';

interface SentMails {
  id: Generated<bigint>;
  user_id: bigint;
  template: MailTemplate;
  sent_at: Date;
  refusal: string | null;
}

declare module '../database/tables.ts' {
  interface Tables {
    sent_mails: SentMails;
  }
}

interface MailDeps {
  readonly db: Db;
  readonly clock: Clock;
  readonly mailer: Pick<Mailer, 'send'>;
}

interface OwnMail {
  readonly userId: bigint;
  readonly template: MailTemplate;
}

/**
 * Notes a mail to a user and sends it. The note comes first: a job whose note failed after its mail would send the mail again with each
 * attempt, for as long as the database's disk is full. A permanent refusal is noted too, and thrown; a mail that may be sent later is not.
 */
export async function sendNoted(
  { db, clock, mailer }: MailDeps,
  { userId, template }: OwnMail,
  mail: Mail,
): Promise<void> {
  const id = await insertSentMail(db, userId, { template, sentAt: dateOf(clock) });
  try {
    await mailer.send(mail);
  } catch (error) {
    if (error instanceof MailRefusedError) await updateRefusal(db, id, refusalWords(error));
    else await deleteSentMail(db, id);
    throw error;
  }
}

const refusalWords = ({ message, cause }: MailRefusedError): string =>
  failureWords(cause instanceof Error ? cause.message : message);

export async function insertSentMail(
  db: Db,
  userId: bigint,
  mail: {
    readonly template: MailTemplate;
    readonly sentAt: Date;
  },
): Promise<bigint> {
  const { template, sentAt } = mail;
  const { id } = await db
    .insertInto('sent_mails')
    .values({ user_id: userId, template, sent_at: sentAt, refusal: null })
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}

async function updateRefusal(db: Db, id: bigint, refusal: string): Promise<void> {
  await db.updateTable('sent_mails').set({ refusal }).where('id', '=', id).execute();
}

async function deleteSentMail(db: Db, id: bigint): Promise<void> {
  await db.deleteFrom('sent_mails').where('id', '=', id).execute();
}

interface MailFilters {
  readonly userId: bigint | undefined;
  readonly template: MailTemplate | undefined;
  readonly state: 'sent' | 'refused' | undefined;
}

const listed = (db: Db, { userId, template, state }: MailFilters) =>
  db
    .selectFrom('sent_mails as mail')
    .$if(userId !== undefined, (rows) => rows.where('mail.user_id', '=', userId ?? 0n))
    .$if(template !== undefined, (rows) => rows.where('mail.template', '=', template ?? 'reset'))
    .$if(state !== undefined, (rows) =>
      rows.where('mail.refusal', state === 'sent' ? 'is' : 'is not', null),
    );

export type MailRow = Awaited<ReturnType<typeof selectMails>>[number];

/** Reads the mails to all users, newest first: one row more than `limit` if there is a next page. */
export const selectMails = (
  db: Db,
  filters: MailFilters,
  { limit, beforeId }: { readonly limit: number; readonly beforeId: bigint | undefined },
) =>
  listed(db, filters)
    .innerJoin('users as customer', 'customer.id', 'mail.user_id')
    .select([
      'mail.id',
      'mail.template',
      'mail.sent_at as sentAt',
      'mail.refusal',
      'customer.uuid as customerUuid',
    ])
    .$if(beforeId !== undefined, (rows) => rows.where('mail.id', '<', beforeId ?? 0n))
    .orderBy('mail.id', 'desc')
    .limit(limit + 1)
    .execute();

export const countMails = (db: Db, filters: MailFilters): Promise<ListCount> =>
  countRows(db, listed(db, filters).select('mail.id'));

/** Reads the mails to one user, newest first. */
export const selectSentMails = (
  db: Db,
  userId: bigint,
  { beforeId, limit }: { readonly beforeId: bigint | undefined; readonly limit: number },
) =>
  db
    .selectFrom('sent_mails')
    .select(['id', 'template', 'sent_at as sentAt'])
    .where('user_id', '=', userId)
    .where('refusal', 'is', null)
    .$if(beforeId !== undefined, (query) => query.where('id', '<', beforeId ?? 0n))
    .orderBy('id', 'desc')
    .limit(limit)
    .execute();

export const deleteOldSentMails = (db: Db, before: Date): Promise<void> =>
  deleteInBatches(db, 'sent_mails', sql`sent_at < ${before}`);

export async function eraseSentMails(tx: Tx, userId: bigint): Promise<void> {
  await tx.deleteFrom('sent_mails').where('user_id', '=', userId).execute();
}
