import { sql } from 'kysely';
import type { Tx } from './database.ts';

/** Does the work, rolls it back and returns its result: what would happen now. An error of the work ends the transaction. */
export async function tryOut<T>(tx: Tx, work: () => Promise<T>): Promise<T> {
  await sql`savepoint tried`.execute(tx);
  const answer = await work();
  await sql`rollback to savepoint tried`.execute(tx);
  return answer;
}
