import { mkdirSync } from 'node:fs';
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { SQLInputValue } from 'node:sqlite';
import type Stripe from 'stripe';

/** The stored objects, by the value of their `object` field. */
export interface StoredKinds {
  payment_intent: Stripe.PaymentIntent;
  payment_method: Stripe.PaymentMethod;
  charge: Stripe.Charge;
  refund: Stripe.Refund;
  dispute: Stripe.Dispute;
  'radar.early_fraud_warning': Stripe.Radar.EarlyFraudWarning;
  file: Stripe.File;
  balance_transaction: Stripe.BalanceTransaction;
  payout: Stripe.Payout;
  event: Stripe.Event;
  webhook_endpoint: Stripe.WebhookEndpoint;
}
export type Kind = keyof StoredKinds;

/** Data stored with an object that no response contains. */
type Hidden = Record<string, string | null>;

interface Stored<K extends Kind> {
  object: StoredKinds[K];
  hidden: Hidden;
}

export interface ListQuery {
  limit: number;
  /** Id of an object: return only older, or only newer, objects. */
  after?: string;
  before?: string;
  createdFrom?: number;
  createdTo?: number;
  /** Top-level fields that must have one of these values. */
  equals?: Record<string, readonly string[]>;
  /** Fields of the hidden data that must have this value. */
  hiddenEquals?: Record<string, string>;
}

export interface Store {
  readonly db: DatabaseSync;
  /** Secret salt of this data directory, for the fingerprints of cards and requests. */
  readonly salt: string;
  transaction<T>(run: () => T): T;
  insert<K extends Kind>(kind: K, object: StoredKinds[K], hidden?: Hidden): void;
  update<K extends Kind>(kind: K, object: StoredKinds[K], hidden?: Hidden): void;
  remove(kind: Kind, id: string): void;
  find<K extends Kind>(kind: K, id: string): Stored<K> | undefined;
  /** Finds an object of any kind; ids are unique across kinds. */
  findAny(id: string): StoredKinds[Kind] | undefined;
  list<K extends Kind>(kind: K, query: ListQuery): { data: StoredKinds[K][]; hasMore: boolean };
  count(kind: Kind): number;
  readSetting(name: string): string | undefined;
  writeSetting(name: string, value: string): void;
  clear(): void;
  close(): void;
}

const schema = `
  create table if not exists objects (
    seq integer primary key autoincrement,
    id text not null unique,
    kind text not null,
    created integer not null,
    body text not null,
    hidden text not null
  );
  create index if not exists objects_by_age on objects (kind, created, seq);
  create table if not exists idempotency_keys (
    key text primary key,
    fingerprint text not null,
    status integer not null,
    body text not null,
    request_id text not null,
    created_ms integer not null
  );
  create table if not exists outbox (
    seq integer primary key autoincrement,
    event_id text not null,
    endpoint_id text not null,
    attempt_count integer not null,
    due_ms integer not null,
    state text not null,
    last_answer text
  );
  create index if not exists outbox_by_due on outbox (state, due_ms);
  create table if not exists timers (
    seq integer primary key autoincrement,
    kind text not null,
    object_id text not null,
    due_ms integer not null
  );
  create table if not exists settings (name text primary key, value text not null);
`;

/**
 * Opens or creates the sandbox's database. It uses WAL with full sync, so an acknowledged request survives kill -9.
 * One process holds the lock at a time, and the system releases it when the process dies. Throws ERR_SQLITE_ERROR
 * ("database is locked") if another sandbox uses the folder.
 */
export function openStore(dataDir: string): Store {
  mkdirSync(dataDir, { recursive: true });
  const db = new DatabaseSync(join(dataDir, 'sandbox.sqlite'));
  db.exec(
    `pragma busy_timeout = 2000; pragma locking_mode = exclusive; pragma journal_mode = wal; pragma synchronous = full; ${schema}`,
  );
  const readSetting = (name: string): string | undefined => {
    const row = db.prepare('select value from settings where name = ?').get(name);
    return row === undefined ? undefined : String(row['value']);
  };
  const writeSetting = (name: string, value: string): void => {
    db.prepare('insert or replace into settings (name, value) values (?, ?)').run(name, value);
  };
  if (readSetting('salt') === undefined) writeSetting('salt', randomBytes(32).toString('hex'));
  return {
    db,
    salt: readSetting('salt') ?? '',
    transaction: (run) => inTransaction(db, run),
    ...createObjects(db),
    readSetting,
    writeSetting,
    clear: () => {
      for (const table of ['objects', 'idempotency_keys', 'outbox', 'timers'])
        db.exec(`delete from ${table}`);
    },
    close: () => db.close(),
  };
}

function inTransaction<T>(db: DatabaseSync, run: () => T): T {
  db.exec('begin immediate');
  try {
    const result = run();
    db.exec('commit');
    return result;
  } catch (error) {
    db.exec('rollback');
    throw error;
  }
}

type Objects = Pick<Store, 'insert' | 'update' | 'remove' | 'find' | 'findAny' | 'list' | 'count'>;

function createObjects(db: DatabaseSync): Objects {
  const insert = db.prepare(
    'insert into objects (id, kind, created, body, hidden) values (?, ?, ?, ?, ?)',
  );
  const update = db.prepare(
    'update objects set body = ?, hidden = coalesce(?, hidden) where kind = ? and id = ?',
  );
  const find = db.prepare('select body, hidden from objects where kind = ? and id = ?');
  const findAny = db.prepare('select body from objects where id = ?');
  return {
    insert: (kind, object, hidden = {}) => {
      insert.run(object.id, kind, object.created, JSON.stringify(object), JSON.stringify(hidden));
    },
    update: (kind, object, hidden) => {
      const hiddenText = hidden === undefined ? null : JSON.stringify(hidden);
      update.run(JSON.stringify(object), hiddenText, kind, object.id);
    },
    remove: (kind, id) => {
      db.prepare('delete from objects where kind = ? and id = ?').run(kind, id);
    },
    find: (kind, id) => {
      const row = find.get(kind, id);
      if (row === undefined) return undefined;
      return { object: JSON.parse(String(row['body'])), hidden: JSON.parse(String(row['hidden'])) };
    },
    findAny: (id) => {
      const row = findAny.get(id);
      return row === undefined ? undefined : JSON.parse(String(row['body']));
    },
    list: (kind, query) => listObjects(db, kind, query),
    count: (kind) =>
      Number(db.prepare('select count(*) as n from objects where kind = ?').get(kind)?.['n'] ?? 0),
  };
}

/** Lists newest first, by order of creation within a second. `before` selects the page just before that object. */
function listObjects<K extends Kind>(db: DatabaseSync, kind: K, query: ListQuery) {
  const where = ['kind = ?'];
  const values: SQLInputValue[] = [kind];
  const also = (condition: string, ...more: SQLInputValue[]): void => {
    where.push(condition);
    values.push(...more);
  };
  const place = '(select created, seq from objects where id = ?)';
  if (query.after !== undefined) also(`(created, seq) < ${place}`, query.after);
  if (query.before !== undefined) also(`(created, seq) > ${place}`, query.before);
  if (query.createdFrom !== undefined) also('created >= ?', query.createdFrom);
  if (query.createdTo !== undefined) also('created <= ?', query.createdTo);
  for (const [field, wanted] of Object.entries(query.equals ?? {})) {
    const marks = wanted.map(() => '?').join(', ');
    also(`json_extract(body, ?) in (${marks})`, `$.${field}`, ...wanted);
  }
  for (const [field, wanted] of Object.entries(query.hiddenEquals ?? {})) {
    also('json_extract(hidden, ?) = ?', `$.${field}`, wanted);
  }
  const direction = query.before === undefined ? 'desc' : 'asc';
  const rows = db
    .prepare(
      `select body from objects where ${where.join(' and ')}
       order by created ${direction}, seq ${direction} limit ?`,
    )
    .all(...values, query.limit + 1);
  const page: StoredKinds[K][] = rows
    .slice(0, query.limit)
    .map((row) => JSON.parse(String(row['body'])));
  if (direction === 'asc') page.reverse();
  return { data: page, hasMore: rows.length > query.limit };
}
