/** The writes of staff by Idempotency-Key, each with the answer that a replay gets. */
import { sql } from 'kysely';
import type { Db, Tx } from '../database/database.ts';
import { deleteInBatches } from '../database/delete-in-batches.ts';

interface ConsoleActs {
  staff_id: string;
  key: string;
  call: string;
  request_digest: Buffer;
  answer: Buffer | null;
  created_at: Date;
}

declare module '../database/tables.ts' {
  interface Tables {
    console_acts: ConsoleActs;
  }
}

export interface Act {
  readonly staffId: string;
  readonly key: string;
  /** Method and path of the call. */
  readonly call: string;
  readonly requestDigest: Buffer;
}

/** Claims the key, or returns the act that already has it. Waits while another transaction claims the same key. */
export async function claimAct(
  tx: Tx,
  act: Act,
  now: Date,
): Promise<Pick<ConsoleActs, 'call' | 'request_digest' | 'answer'> | undefined> {
  const { numInsertedOrUpdatedRows = 0n } = await tx
    .insertInto('console_acts')
    .values({
      staff_id: act.staffId,
      key: act.key,
      call: act.call,
      request_digest: act.requestDigest,
      answer: null,
      created_at: now,
    })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirstOrThrow();
  if (numInsertedOrUpdatedRows > 0n) return undefined;
  return tx
    .selectFrom('console_acts')
    .select(['call', 'request_digest', 'answer'])
    .where('staff_id', '=', act.staffId)
    .where('key', '=', act.key)
    .executeTakeFirstOrThrow();
}

export async function storeAnswer(tx: Tx, { staffId, key }: Act, answer: Buffer): Promise<void> {
  await tx
    .updateTable('console_acts')
    .set({ answer })
    .where('staff_id', '=', staffId)
    .where('key', '=', key)
    .execute();
}

export async function deleteOldActs(db: Db, before: Date): Promise<void> {
  await deleteInBatches(db, 'console_acts', sql`created_at < ${before}`);
}
