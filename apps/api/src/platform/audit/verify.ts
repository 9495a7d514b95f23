/**
 * Verifies the audit from its rows alone: that entries are numbered without a gap, that each hash follows from the row and the
 * hash before it, and that details are those of their entry unless they were emptied. Names the first entry that was altered,
 * removed or inserted. It can run while the console is in use: only the end is read in one snapshot.
 */
import { createHash } from 'node:crypto';
import pg from 'pg';
import { connectTo } from '../database/address.ts';
import { KEEP_ALIVE } from '../database/connection.ts';

const ENTRIES_PER_READ = 5_000;
/** Less than every possible number, even a forged one. */
const BEFORE_ALL = -(2n ** 63n);

export interface AuditReport {
  /** `undefined` if nothing is wrong. */
  readonly fault: string | undefined;
  readonly entryCount: bigint;
  /** Entries whose details were emptied when the person they were about was erased. */
  readonly emptiedCount: bigint;
  /** The last verified hash in hexadecimal. A copy kept elsewhere proves later that nothing before it was rewritten. */
  readonly head: string;
}

interface VerifyOptions {
  readonly databaseUrl: string;
  /** The `head` of an earlier report: the chain must still contain it. */
  readonly knownHead?: string | undefined;
}

class AuditFault extends Error {}

interface EntryRow {
  /** The columns as text, in the order in which `audit_append` hashes them. */
  readonly fields: readonly (string | null)[];
  readonly digest: Buffer;
  readonly hash: Buffer;
  readonly hasDetails: boolean;
  readonly salt: Buffer | null;
  readonly details: string | null;
}

const sha256 = (...parts: readonly (Buffer | string)[]): Buffer => {
  const hash = createHash('sha256');
  for (const part of parts) hash.update(part);
  return hash.digest();
};

const rowText = (fields: EntryRow['fields']): string =>
  fields.map((field) => (field === null ? '-' : `${Buffer.byteLength(field)}:${field}`)).join('|');

/** Follows the chain from its beginning. */
class ChainWalk {
  seq = 0n;
  hash = sha256('audit');
  emptiedCount = 0n;
  hasKnownHead: boolean;
  readonly #knownHead: string | undefined;

  constructor(knownHead: string | undefined) {
    this.#knownHead = knownHead;
    this.hasKnownHead = knownHead === undefined || knownHead === this.hash.toString('hex');
  }

  follow(row: EntryRow): void {
    const seq = BigInt(row.fields[0] ?? '');
    const expected = this.seq + 1n;
    if (seq < expected) throw new AuditFault(`entry ${seq} was put in`);
    if (seq > expected) throw new AuditFault(`entry ${expected} was removed`);
    if (!sha256(this.hash, rowText(row.fields)).equals(row.hash)) {
      throw new AuditFault(`entry ${seq} was altered`);
    }
    if (!row.hasDetails) throw new AuditFault(`the details of entry ${seq} were removed`);
    if (row.details === null || row.salt === null) this.emptiedCount += 1n;
    else if (!sha256(row.salt, row.details).equals(row.digest)) {
      throw new AuditFault(`the details of entry ${seq} were altered`);
    }
    this.seq = seq;
    this.hash = row.hash;
    this.hasKnownHead ||= row.hash.toString('hex') === this.#knownHead;
  }

  finish(head: { readonly seq: bigint; readonly hash: Buffer } | undefined): void {
    if (head === undefined) throw new AuditFault('the head was removed');
    if (head.seq > this.seq) throw new AuditFault(`entry ${this.seq + 1n} was removed`);
    if (head.seq < this.seq) throw new AuditFault(`entry ${head.seq + 1n} was put in`);
    if (!head.hash.equals(this.hash)) throw new AuditFault('the head was altered');
    if (!this.hasKnownHead) {
      throw new AuditFault(`no entry has the hash ${this.#knownHead}: the chain was rebuilt`);
    }
  }
}

/** Throws only if the database cannot be read. */
export async function verifyAudit({ databaseUrl, knownHead }: VerifyOptions): Promise<AuditReport> {
  const client = new pg.Client({
    ...connectTo(databaseUrl),
    application_name: 'athos-audit-verify',
    ...KEEP_ALIVE,
  });
  // Without a listener, a lost connection would end the process. The query that runs fails, or the next one does.
  client.on('error', () => undefined);
  await client.connect();
  const walk = new ChainWalk(knownHead?.toLowerCase());
  try {
    const fault = await faultOf(() => verifyAll(client, walk));
    const { seq: entryCount, emptiedCount, hash } = walk;
    return { fault, entryCount, emptiedCount, head: hash.toString('hex') };
  } finally {
    await client.end();
  }
}

async function faultOf(check: () => Promise<void>): Promise<string | undefined> {
  try {
    await check();
    return undefined;
  } catch (error) {
    if (error instanceof AuditFault) return error.message;
    throw error;
  }
}

async function verifyAll(client: pg.Client, walk: ChainWalk): Promise<void> {
  await followEntries(client, walk);
  await client.query('begin isolation level repeatable read, read only');
  try {
    await followEntries(client, walk);
    walk.finish(await selectHead(client));
    const stray = await selectStrayDetails(client);
    if (stray !== undefined) throw new AuditFault(`the details of entry ${stray} were put in`);
  } finally {
    await client.query('rollback');
  }
}

async function followEntries(client: pg.Client, walk: ChainWalk): Promise<void> {
  let after = walk.seq === 0n ? BEFORE_ALL : walk.seq;
  for (;;) {
    const rows = await selectEntriesAfter(client, after);
    for (const row of rows) walk.follow(row);
    if (rows.length === 0) return;
    after = walk.seq;
  }
}

/** Reads the columns as text, so that nothing is rounded or trimmed. */
async function selectEntriesAfter(client: pg.Client, after: bigint): Promise<EntryRow[]> {
  const { rows } = await client.query<(string | Buffer | boolean | null)[]>({
    text: `select e.digest, e.hash, d.seq is not null, d.salt, d.details,
                  e.seq::text, ((extract(epoch from e.at) * 1000000)::bigint)::text, e.staff_id::text, e.session_id::text,
                  e.organisation, e.action, e.subject_type, e.subject_id, e.outcome, e.request_id, e.approval_id::text,
                  e.ledger_key::text, encode(e.digest, 'hex')
             from audit_entries e left join audit_details d on d.seq = e.seq
            where e.seq > $1::bigint order by e.seq limit $2::int`,
    values: [after.toString(), ENTRIES_PER_READ],
    rowMode: 'array',
  });
  return rows.map(([digest, hash, hasDetails, salt, details, ...fields]) => ({
    digest: digest as Buffer,
    hash: hash as Buffer,
    hasDetails: hasDetails as boolean,
    salt: salt as Buffer | null,
    details: details as string | null,
    fields: fields as (string | null)[],
  }));
}

async function selectStrayDetails(client: pg.Client): Promise<string | undefined> {
  const { rows } = await client.query<{ seq: string }>(
    `select d.seq::text from audit_details d
      where not exists (select from audit_entries e where e.seq = d.seq) order by d.seq limit 1`,
  );
  return rows[0]?.seq;
}

async function selectHead(
  client: pg.Client,
): Promise<{ readonly seq: bigint; readonly hash: Buffer } | undefined> {
  const { rows } = await client.query<{ seq: string; hash: Buffer }>(
    'select seq::text, hash from audit_head',
  );
  return rows[0] && { seq: BigInt(rows[0].seq), hash: rows[0].hash };
}
