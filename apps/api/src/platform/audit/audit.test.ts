import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { consoleAs, type ConsoleCaller } from '../../../test/console.ts';
import { createTestApp, type TestApp } from '../../../test/test-app.ts';
import { appendAudit, emptyAuditDetails, type AuditEntry } from './audit.sql.ts';
import { verifyAudit } from './verify.ts';

let test: TestApp;
let auditor: ConsoleCaller;
beforeAll(async () => {
  test = await createTestApp();
  auditor = await consoleAs(test, ['auditor'], { name: 'Audrey' });
});
beforeEach(() => tamper(...EMPTYING));
afterAll(() => test.close());

const entry = (over: Partial<AuditEntry> = {}): AuditEntry => ({
  at: new Date(test.clock.nowMs()),
  staff: { staffId: auditor.staffId, sessionId: auditor.sessionId, organisation: 'provider' },
  requestId: randomUUID(),
  action: 'customer.hold',
  subject: { type: 'customer', id: 'ada' },
  outcome: 'done',
  before: { holds: [] },
  after: { holds: ['send'] },
  ...over,
});

/** Six entries about two customers, with every kind of column set and unset. */
async function writeEntries(): Promise<void> {
  const { db } = test.deps;
  await appendAudit(db, entry());
  await appendAudit(db, entry({ staff: undefined, outcome: 'failed', after: undefined }));
  await appendAudit(
    db,
    entry({ subject: { type: 'customer', id: 'ben' }, approvalId: randomUUID() }),
  );
  await appendAudit(db, entry({ ledgerKey: randomUUID(), after: { note: 'ü|5:x\n' } }));
  await appendAudit(
    db,
    entry({ subject: { type: 'cüstomer', id: '3:a|-' }, outcome: 'requested' }),
  );
  await appendAudit(db, entry({ at: new Date(0), outcome: 'refused' }));
}

const verify = (knownHead?: string) =>
  verifyAudit({ databaseUrl: test.deps.config.databaseUrl, knownHead });

/** Tampers as an attacker with full rights over the database, without triggers. */
async function tamper(...statements: string[]): Promise<void> {
  const client = new pg.Client({ connectionString: test.adminUrl });
  await client.connect();
  try {
    await client.query('set session_replication_role = replica');
    for (const statement of statements) await client.query(statement);
  } finally {
    await client.end();
  }
}

const EMPTYING = [
  'delete from audit_details',
  'delete from audit_entries',
  'delete from audit_head',
  "insert into audit_head (hash) values (sha256('audit'))",
];

describe('audit:verify', () => {
  it('passes an empty audit and one with entries, and prints the head', async () => {
    expect(await verify()).toMatchObject({ fault: undefined, entryCount: 0n });
    await writeEntries();
    const report = await verify();
    expect(report).toEqual({
      fault: undefined,
      entryCount: 6n,
      emptiedCount: 0n,
      head: expect.stringMatching(/^[0-9a-f]{64}$/),
    });
    const { body } = await auditor.call('auditHead');
    expect(body).toMatchObject({ entry_count: 6, hash: report.head });
  });

  it.each([
    ['at', "at + interval '1 microsecond'"],
    ['staff_id', 'null'],
    ['session_id', 'gen_random_uuid()'],
    ['organisation', "'brand'"],
    ['action', "'customer.release'"],
    ['subject_type', "'order'"],
    ['subject_id', "'eve'"],
    ['outcome', "'refused'"],
    ['request_id', "'another'"],
    ['approval_id', 'gen_random_uuid()'],
    ['ledger_key', 'gen_random_uuid()'],
    ['digest', "sha256('else')"],
    ['hash', "sha256('else')"],
  ])('[O-160] names the first entry whose %s was altered', async (column, value) => {
    await writeEntries();
    await tamper(`update audit_entries set ${column} = ${value} where seq in (4, 6)`);
    expect((await verify()).fault).toBe('entry 4 was altered');
  });

  it.each([
    ['an entry was removed', ['delete from audit_entries where seq = 3'], 'entry 3 was removed'],
    [
      'the last entry was removed',
      ['delete from audit_entries where seq = 6'],
      'entry 6 was removed',
    ],
    [
      'an entry was removed and the others numbered anew',
      [
        'delete from audit_entries where seq = 3',
        // Shifted in two steps: a unique index checks row by row, in an order that PostgreSQL chooses.
        'update audit_entries set seq = -seq where seq > 3',
        'update audit_entries set seq = -seq - 1 where seq < 0',
      ],
      'entry 3 was altered',
    ],
    [
      'an entry was put in behind the last',
      [
        'insert into audit_entries select 7, at, staff_id, session_id, organisation, action, subject_type, subject_id, outcome, ' +
          'request_id, approval_id, ledger_key, digest, hash from audit_entries where seq = 6',
      ],
      'entry 7 was altered',
    ],
    [
      'an entry was put in before the first',
      ['update audit_entries set seq = 0 where seq = 5'],
      'entry 0 was put in',
    ],
    [
      'the details were altered',
      ["update audit_details set details = '{}' where seq = 2"],
      'the details of entry 2 were altered',
    ],
    [
      'the details were removed',
      ['delete from audit_details where seq = 2'],
      'the details of entry 2 were removed',
    ],
    [
      'details were put in',
      ["insert into audit_details values (9, '', '{}')"],
      'the details of entry 9 were put in',
    ],
    ['the head was altered', ["update audit_head set hash = sha256('x')"], 'the head was altered'],
    ['the head was set back', ['update audit_head set seq = 5'], 'entry 6 was put in'],
    ['the head was removed', ['delete from audit_head'], 'the head was removed'],
  ])('[O-160] says that %s', async (_what, statements, fault) => {
    await writeEntries();
    await tamper(...statements);
    expect((await verify()).fault).toBe(fault);
  });

  it('[O-160] detects a rebuilt chain by a hash that was kept', async () => {
    await writeEntries();
    const { head } = await verify();
    expect((await verify(head.toUpperCase())).fault).toBeUndefined();
    await appendAudit(test.deps.db, entry());
    expect((await verify(head)).fault).toBeUndefined();
    await tamper(...EMPTYING);
    await writeEntries();
    expect((await verify()).fault).toBeUndefined();
    expect((await verify(head)).fault).toBe(`no entry has the hash ${head}: the chain was rebuilt`);
  });

  it('[O-161] passes after the details of an erased customer were emptied', async () => {
    await writeEntries();
    const { head } = await verify();
    const { db } = test.deps;
    const subject = { type: 'customer', id: 'ada' };
    await db.transaction().execute((tx) => emptyAuditDetails(tx, [subject]));
    expect(await verify(head)).toMatchObject({
      fault: undefined,
      entryCount: 6n,
      emptiedCount: 4n,
    });
    const emptied = await auditor.call('auditEntry', { params: { id: 1 } });
    expect(emptied.body).toMatchObject({ before: null, after: null, is_emptied: true });
    const other = await auditor.call('auditEntry', { params: { id: 3 } });
    expect(other.body).toMatchObject({ after: { holds: ['send'] }, is_emptied: false });
  });

  it('finds no gap after twenty entries were written at once and some were rolled back', async () => {
    const { db } = test.deps;
    const write = (index: number) =>
      db.transaction().execute(async (tx) => {
        await appendAudit(tx, entry());
        if (index % 3 === 0) throw new Error('rolled back');
      });
    await Promise.allSettled(Array.from({ length: 20 }, (_, index) => write(index)));
    expect(await verify()).toMatchObject({ fault: undefined, entryCount: 13n });
  });
});

it('the console verifies the audit and names the first wrong entry', async () => {
  await writeEntries();
  const verifyNow = async (head?: string) => {
    const asked = await auditor.call('verifyAudit', { body: head === undefined ? {} : { head } });
    expect(asked.body).toMatchObject({ finished_at: null, entry_count: null, fault: null });
    await test.runJobs();
    return auditor.call('auditVerification', { params: { id: asked.body.id } });
  };
  const right = await verifyNow();
  expect(right.body).toMatchObject({
    entry_count: 7,
    fault: null,
    finished_at: expect.any(String),
  });
  expect((await verifyNow(right.body.head)).body).toMatchObject({ entry_count: 8, fault: null });
  await tamper("update audit_entries set subject_id = 'eve' where seq = 2");
  expect((await verifyNow()).body).toMatchObject({ fault: 'entry 2 was altered', entry_count: 1 });
  const { body } = await auditor.call('auditHead');
  expect(body.verifications).toHaveLength(3);
  expect(body.verifications[0].fault).toBe('entry 2 was altered');
  const wrong = await auditor.call('verifyAudit', { body: { head: 'seven' } });
  expect(wrong.status).toBe(400);
});

it('[O-159] the database refuses changes and deletions of entries', async () => {
  await writeEntries();
  const client = new pg.Client({ connectionString: test.adminUrl });
  await client.connect();
  const refused = [
    "update audit_entries set action = 'x.y'",
    'delete from audit_entries',
    'truncate audit_entries',
    "update audit_details set details = '{}'",
    'update audit_details set details = null where seq = 1',
    'delete from audit_details',
    'truncate audit_details, audit_entries',
    'delete from audit_head',
  ];
  for (const statement of refused) {
    await expect(client.query(statement), statement).rejects.toThrow(/only grows/);
  }
  await client.end();
  expect(await verify()).toMatchObject({ fault: undefined, entryCount: 6n, emptiedCount: 0n });
});

it('is verified once at a time, however often it is asked for', async () => {
  const asked = await Promise.all([1, 2, 3].map(() => auditor.call('verifyAudit', { body: {} })));
  const statuses = asked.map(({ status }) => status).toSorted((one, other) => one - other);
  expect(statuses).toEqual([200, 409, 409]);
  await test.runJobs();
  expect((await auditor.call('verifyAudit', { body: {} })).status).toBe(200);
  await test.runJobs();
});

it('[O-158] shows before and after of a change', async () => {
  await writeEntries();
  const { body } = await auditor.call('auditEntry', { params: { id: 1 } });
  expect(body).toMatchObject({
    id: 1,
    staff: { id: auditor.staffId, name: 'Audrey' },
    action: 'customer.hold',
    subject: { type: 'customer', id: 'ada' },
    before: { holds: [] },
    after: { holds: ['send'] },
  });
  expect((await auditor.call('auditEntry', { params: { id: 7 } })).status).toBe(404);
});
