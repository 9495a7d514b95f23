import { sql } from 'kysely';
import type { ConsoleTopic } from '@athos/contract/console/events';
import type { Db, Tx } from '../database/database.ts';

/** The PostgreSQL `notify` channel. Payloads are topics, or `sessions` after sessions of staff have ended. */
export const CONSOLE_CHANGED = 'console_changed';

/**
 * Notifies the console's open screens in every process, after the commit. PostgreSQL serializes the commits of transactions that notify,
 * so frequent actions of customers must not call this.
 */
export async function notifyConsole(tx: Tx | Db, topic: ConsoleTopic | 'sessions'): Promise<void> {
  await sql`select pg_notify(${CONSOLE_CHANGED}, ${topic})`.execute(tx);
}
