import { sql } from 'kysely';
import type { ConsoleTopic } from '@athos/contract/console/events';
import type { Db, Tx } from '../database/database.ts';

/** The PostgreSQL `notify` channel. Payloads are topics, or `sessions` after sessions of staff have ended. */
export const CONSOLE_CHANGED = 'console_changed';

/**
 * Tells the console's open screens in every process, after the commit. PostgreSQL commits transactions that notify one after
 * another, so what customers do all day must not call this.
 */
export async function notifyConsole(tx: Tx | Db, topic: ConsoleTopic | 'sessions'): Promise<void> {
  await sql`select pg_notify(${CONSOLE_CHANGED}, ${topic})`.execute(tx);
}
