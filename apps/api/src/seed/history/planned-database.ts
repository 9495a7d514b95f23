/**
 * A database connection that plans each statement once. Planning takes longer than running most of them, and a past has a quarter of a
 * million statements.
 */
import type pg from 'pg';
import { openDatabase, type Database } from '../../platform/database/database.ts';
import type { Log } from '../../platform/log/log.ts';

type Query = (text: unknown, values: unknown) => unknown;

/**
 * Gives each text that kysely passes to the client with values a name, under which PostgreSQL keeps its plan. A text without values may
 * contain several statements, which cannot be prepared together.
 */
function nameStatements(client: pg.PoolClient, nameOf: (text: string) => string): void {
  const query = client.query.bind(client) as Query;
  const named: Query = (text, values) =>
    typeof text === 'string' && Array.isArray(values) && values.length > 0
      ? query({ name: nameOf(text), text, values }, undefined)
      : query(text, values);
  Object.assign(client, { query: named });
}

export function openPlannedDatabase(databaseUrl: string, log: Log): Database {
  const database = openDatabase(databaseUrl, log);
  const names = new Map<string, string>();
  const nameOf = (text: string): string => {
    const name = names.get(text) ?? `past_${names.size}`;
    names.set(text, name);
    return name;
  };
  database.pool.on('connect', (client) => nameStatements(client, nameOf));
  return database;
}
