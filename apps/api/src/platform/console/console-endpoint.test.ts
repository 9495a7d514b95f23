/** The protocol that all calls of the console share, tested with calls that exist only here. */
import { createHash, randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import type { ConsoleCall } from '@athos/contract/console/console-call';
import type { Permission } from '@athos/contract/console/permissions';
import {
  consoleAs,
  createStaffMember,
  signInStaff,
  type ConsoleCaller,
} from '../../../test/console.ts';
import { recordLog } from '../../../test/recorded-log.ts';
import { openSecondApp } from '../../../test/second-app.ts';
import { createTestApp, stopClock, type TestAnswer, type TestApp } from '../../../test/test-app.ts';
import { deleteSessions } from '../../modules/staff/sessions/staff-sessions.sql.ts';
import { AppError } from '../errors.ts';
import { endedCookie } from './console-cookie.ts';
import { consoleEndpoint } from './console-endpoint.ts';
import { may, requireOthersAccount } from './signed-in-staff.ts';
import { requireVersion } from './versions.ts';

const MINUTE_MS = 60_000;

const note = {
  method: 'POST',
  path: '/admin/test_notes',
  auth: 'console',
  permission: 'customers.note',
  summary: 'Writes a note',
  audit: { action: 'note.write', subject: 'customer' },
  body: z.object({ text: z.string().max(100) }),
  answer: z.object({ number: z.int() }),
} as const satisfies ConsoleCall;

const edit = {
  method: 'PATCH',
  path: '/admin/test_rows/:id',
  auth: 'console',
  permission: 'customers.note',
  summary: 'Changes a row',
  versioned: true,
  audit: { action: 'row.change', subject: 'row' },
  params: z.object({ id: z.string() }),
  body: z.object({ title: z.string() }),
  answer: z.object({ title: z.string(), version: z.int() }),
} as const satisfies ConsoleCall;

const risky = {
  ...note,
  path: '/admin/test_payouts',
  summary: 'Moves value',
  proof: true,
  audit: { action: 'payout.make', subject: 'customer' },
  body: z.object({ usd_cents: z.int() }),
} as const satisfies ConsoleCall;

const silent = { ...note, path: '/admin/test_silent' } as const satisfies ConsoleCall;
const talkative = { ...note, path: '/admin/test_talkative' } as const satisfies ConsoleCall;

const look = {
  method: 'GET',
  path: '/admin/test_customers/:id',
  auth: 'console',
  permission: 'customers.read',
  summary: 'Opens a customer',
  audit: { action: 'customer.open', subject: 'customer' },
  params: z.object({ id: z.string() }),
  answer: z.object({ email: z.string() }),
} as const satisfies ConsoleCall;

const search = {
  ...look,
  path: '/admin/test_search/:id',
  limit: 'search',
} as const satisfies ConsoleCall;

const slow = { ...look, path: '/admin/test_slow/:id' } as const satisfies ConsoleCall;

const hourly = {
  ...look,
  path: '/admin/test_codes/:id',
  limit: 'code_look_up',
} as const satisfies ConsoleCall;

const open = {
  ...look,
  path: '/admin/test_opened/:id',
  limit: 'customer_open',
} as const satisfies ConsoleCall;

const mine = {
  method: 'GET',
  path: '/admin/test_mine',
  auth: 'console',
  permission: 'enrol',
  summary: 'Something of one’s own',
  answer: z.object({ is_enrolled: z.boolean() }),
} as const satisfies ConsoleCall;

const { log, lines } = recordLog();
let test: TestApp;
let support: ConsoleCaller;
let advance: (byMs: number) => void;
/** The one row that the test calls edit. */
let row = { title: 'First', version: 1 };

function register(app: TestApp['app'], deps: TestApp['deps']): void {
  consoleEndpoint(app, deps, note, async ({ body, tx, record }) => {
    if (body.text === 'refused') throw new AppError('account_restricted');
    await tx.insertInto('venues').values({ name: body.text, address: '' }).execute();
    await record({ subjectId: 'ada', before: null, after: { text: body.text } });
    if (body.text === 'refused late') throw new AppError('insufficient_balance');
    if (body.text === 'broken') throw new Error('a fault of ours');
    return { number: await countVenues(body.text, tx) };
  });
  consoleEndpoint(app, deps, edit, async ({ body, params, version, record }) => {
    requireVersion(version, row);
    const before = row;
    row = { title: body.title, version: version + 1 };
    await record({ subjectId: params.id, before, after: row });
    return row;
  });
  consoleEndpoint(app, deps, risky, async ({ body, record }) => {
    await record({ subjectId: 'ada', movedUsdCents: BigInt(body.usd_cents) });
    return { number: body.usd_cents };
  });
  consoleEndpoint(app, deps, silent, async ({ body, tx }) => {
    await tx.insertInto('venues').values({ name: body.text, address: '' }).execute();
    return { number: 1 };
  });
  consoleEndpoint(app, deps, talkative, async ({ record }) => {
    await record({ subjectId: 'ada' });
    await record({ subjectId: 'ben' });
    return { number: 2 };
  });
  consoleEndpoint(app, deps, look, ({ params, staff }) => {
    if (params.id === 'nobody') throw new AppError('not_found');
    return { email: may(staff, 'customers.contact') ? 'ada@athos.example' : 'a…@athos.example' };
  });
  consoleEndpoint(app, deps, search, () => ({ email: '' }));
  consoleEndpoint(app, deps, slow, () =>
    deps.db.transaction().execute(async (tx) => {
      await sql`set local statement_timeout = 20`.execute(tx);
      return sql`select pg_sleep(60)`.execute(tx).then(() => ({ email: '' }));
    }),
  );
  consoleEndpoint(app, deps, hourly, () => ({ email: '' }));
  consoleEndpoint(app, deps, open, () => ({ email: '' }));
  consoleEndpoint(app, deps, mine, ({ staff }) => ({ is_enrolled: staff.isEnrolled }));
}

async function countVenues(name: string, db = test.deps.db): Promise<number> {
  const rows = await db.selectFrom('venues').select('id').where('name', '=', name).execute();
  return rows.length;
}

/** The newest audit entries as the auditor reads them, in the order in which they were written. */
async function newestEntries(count: number) {
  const rows = await test.deps.db
    .selectFrom('audit_entries')
    .selectAll()
    .orderBy('seq', 'desc')
    .limit(count)
    .execute();
  return rows.toReversed();
}

const countEntries = async (): Promise<number> =>
  (await test.deps.db.selectFrom('audit_entries').select('seq').execute()).length;

/** Runs while writing to the audit fails. */
async function withoutAudit(run: () => Promise<void>): Promise<void> {
  await sql`alter table audit_head rename to audit_head_away`.execute(test.admin);
  try {
    await run();
  } finally {
    await sql`alter table audit_head_away rename to audit_head`.execute(test.admin);
  }
}

const alarms = (name: string): number =>
  lines.filter((line) => line.includes(`"alarm":"${name}"`)).length;

const outcomeOf = ({ status, body }: TestAnswer) => [status, body.code];

beforeAll(async () => {
  test = await createTestApp({ log });
  register(test.app, test.deps);
  await test.app.ready();
});
beforeEach(async () => {
  support = await consoleAs(test, ['support'], { name: 'Sam' });
  row = { title: 'First', version: 1 };
});
afterAll(() => test.close());

describe('the start', () => {
  const registering = (call: object) => () =>
    consoleEndpoint(test.app, test.deps, call as typeof look, () => ({ email: '' }));

  it('[O-037] stops when a console route has no permission', () => {
    expect(registering({ ...look, permission: undefined })).toThrow('has no permission');
  });

  it('[O-038] stops when a console route that writes has no audit action', () => {
    for (const method of ['POST', 'PUT', 'PATCH', 'DELETE']) {
      expect(registering({ ...note, method, audit: undefined })).toThrow('has no audit action');
    }
  });
});

describe('a session', () => {
  it('[O-015] is an HttpOnly, SameSite=Strict cookie, and over https a Secure one that is bound to its host', async () => {
    const second = await openSecondApp(test, { env: { CONSOLE_URL: 'https://console.example' } });
    const secure = await consoleAs({ deps: second.deps, request: second.request }, ['support']);
    expect(secure.setCookie).toBe(
      `__Host-console=${secure.token}; Path=/; HttpOnly; SameSite=Strict; Secure`,
    );
    expect(support.setCookie).toBe(`console=${support.token}; Path=/; HttpOnly; SameSite=Strict`);
    expect(endedCookie(second.deps.config.console)).toBe(
      '__Host-console=; Path=/; HttpOnly; SameSite=Strict; Secure; Max-Age=0',
    );
    expect((await secure.call('consoleDocument')).status).toBe(200);
    await second.close();
  });

  it('[O-016] is stored as its hash and never as itself', async () => {
    const rows = await test.deps.db.selectFrom('staff_sessions').selectAll().execute();
    expect(rows.length).toBeGreaterThan(0);
    expect(rows.some((session) => Object.values(session).includes(support.token))).toBe(false);
    expect(rows.every(({ token_hash: hash }) => hash.length === 32)).toBe(true);
  });

  it('[O-017] ends 30 min after the last call that somebody asked for, and not before', async () => {
    advance = stopClock(test);
    const person = await consoleAs(test, ['support']);
    for (let call = 0; call < 4; call += 1) {
      advance(29.8 * MINUTE_MS);
      expect((await person.ask(mine)).status).toBe(200);
    }
    advance(20 * MINUTE_MS);
    expect((await person.ask(mine, { headers: { 'x-background': '1' } })).status).toBe(200);
    advance(10 * MINUTE_MS);
    expect(outcomeOf(await person.ask(mine))).toEqual([401, 'session_ended']);
  });

  it('[O-018] ends after 12 h at the latest', async () => {
    advance = stopClock(test);
    const person = await consoleAs(test, ['support']);
    for (let quarter = 1; quarter < 48; quarter += 1) {
      advance(15 * MINUTE_MS);
      expect((await person.ask(mine)).status).toBe(200);
    }
    advance(15 * MINUTE_MS);
    expect(outcomeOf(await person.ask(mine))).toEqual([401, 'session_ended']);
    await test.runJobs();
  });

  it('[O-019] is refused at its next call in every process once it was revoked', async () => {
    const second = await openSecondApp(test);
    const person = await consoleAs(test, ['support']);
    const elsewhere = { headers: { cookie: `console=${person.token}` } };
    const ask = () =>
      second.request({ method: 'GET', url: '/api/admin/openapi.json', ...elsewhere });
    expect((await ask()).status).toBe(200);
    expect((await person.ask(mine)).status).toBe(200);
    expect(await deleteSessions(test.deps.db, person.staffId, { id: person.sessionId })).toBe(1);
    expect(outcomeOf(await ask())).toEqual([401, 'session_ended']);
    expect(outcomeOf(await person.ask(mine))).toEqual([401, 'session_ended']);
    await second.close();
  });

  it('is refused at its next call once the person is suspended', async () => {
    expect((await support.ask(mine)).status).toBe(200);
    await test.deps.db
      .updateTable('staff')
      .set({ state: 'suspended' })
      .where('id', '=', support.staffId)
      .execute();
    expect(outcomeOf(await support.ask(mine))).toEqual([401, 'session_ended']);
  });

  it('[O-020] gains or loses a role with its next call', async () => {
    const { db } = test.deps;
    const person = await consoleAs(test, ['catalogue_editor']);
    expect(outcomeOf(await person.ask(look))).toEqual([403, 'permission_missing']);
    const role = { staff_id: person.staffId, role_id: 'support' };
    const grant = { ...role, granted_at: new Date(test.clock.nowMs()), granted_by: null };
    await db.insertInto('staff_roles').values(grant).execute();
    expect((await person.ask(look)).body).toEqual({ email: 'ada@athos.example' });
    await db.deleteFrom('staff_roles').where('staff_id', '=', person.staffId).execute();
    expect(outcomeOf(await person.ask(look))).toEqual([403, 'permission_missing']);
  });

  it('has the permissions of a custom role', async () => {
    const grants = { 'customers.read': '●' } as const;
    await test.deps.db
      .insertInto('roles')
      .values({ id: 'night_desk', title: 'Night desk', grants })
      .execute();
    const person = await consoleAs(test, ['night_desk']);
    expect((await person.ask(look)).body).toEqual({ email: 'a…@athos.example' });
    expect(outcomeOf(await person.ask(note))).toEqual([403, 'permission_missing']);
  });

  it('without a second factor may only enrol', async () => {
    const member = await createStaffMember(test, ['support']);
    const person = await signInStaff(test, member, { isEnrolled: false });
    expect((await person.ask(mine)).body).toEqual({ is_enrolled: false });
    expect(outcomeOf(await person.ask(look))).toEqual([403, 'enrolment_required']);
    expect(outcomeOf(await person.call('consoleDocument'))).toEqual([403, 'enrolment_required']);
  });
});

describe('a write', () => {
  it('[O-155] leaves one entry in the transaction of its change, with before and after', async () => {
    const { status, headers } = await support.ask(note, { body: { text: 'one entry' } });
    expect([status, headers['cache-control']]).toEqual([200, 'no-store']);
    const [entry] = await newestEntries(1);
    expect(entry).toMatchObject({
      staff_id: support.staffId,
      session_id: support.sessionId,
      organisation: 'provider',
      action: 'note.write',
      subject_type: 'customer',
      subject_id: 'ada',
      outcome: 'done',
      request_id: headers['x-request-id'],
    });
    const auditor = await consoleAs(test, ['auditor']);
    const { body } = await auditor.call('auditEntry', { params: { id: Number(entry?.seq) } });
    expect(body).toMatchObject({
      staff: { id: support.staffId, name: 'Sam' },
      before: null,
      after: { text: 'one entry' },
      is_emptied: false,
    });
  });

  it.each([
    ['before its entry', 'refused', 'account_restricted'],
    ['after its entry', 'refused late', 'insufficient_balance'],
  ])(
    '[O-156] that is refused %s changes nothing and leaves one entry that says so',
    async (_when, text, code) => {
      const count = await countEntries();
      expect(outcomeOf(await support.ask(note, { body: { text } }))).toEqual([422, code]);
      expect(await countVenues(text)).toBe(0);
      expect(await countEntries()).toBe(count + 1);
      const [entry] = await newestEntries(1);
      expect(entry).toMatchObject({ action: 'note.write', outcome: 'refused' });
    },
  );

  it.each<[string, Parameters<ConsoleCaller['ask']>[1], string]>([
    ['has another shape', { body: { text: 1 } }, 'invalid_request'],
    [
      'has no key',
      { body: { text: 'x' }, headers: { 'idempotency-key': undefined } },
      'idempotency_key_required',
    ],
  ])('[O-156] that %s leaves an entry', async (_what, given, code) => {
    const { status, body } = await support.ask(note, given);
    expect([status, body.code]).toEqual([400, code]);
    const [entry] = await newestEntries(1);
    expect(entry).toMatchObject({
      action: 'note.write',
      outcome: 'refused',
      staff_id: support.staffId,
    });
  });

  it('[O-156] leaves an entry when the person may not make it', async () => {
    const editor = await consoleAs(test, ['catalogue_editor']);
    await editor.ask(edit, { params: { id: 'seven' }, version: 1, body: { title: 'x' } });
    const [entry] = await newestEntries(1);
    expect(entry).toMatchObject({
      staff_id: editor.staffId,
      action: 'row.change',
      subject_id: 'seven',
      outcome: 'refused',
    });
  });

  it('is still refused, with an alarm, when its entry cannot be written', async () => {
    await withoutAudit(async () => {
      const answer = await support.ask(note, { body: { text: 'refused' } });
      expect(outcomeOf(answer)).toEqual([422, 'account_restricted']);
      expect((await support.ask(note, { body: { text: 'unaudited' } })).status).toBe(500);
    });
    expect(await countVenues('unaudited')).toBe(0);
    expect(alarms('audit_failed')).toBeGreaterThan(0);
  });

  it('is rolled back and leaves an entry when the server fails', async () => {
    expect((await support.ask(note, { body: { text: 'broken' } })).status).toBe(500);
    expect(await countVenues('broken')).toBe(0);
    expect(await newestEntries(1)).toMatchObject([{ action: 'note.write', outcome: 'failed' }]);
  });

  it.each([
    ['nothing', silent],
    ['twice', talkative],
  ])('that records %s is a broken invariant and changes nothing', async (_what, call) => {
    const { status } = await support.ask(call, { body: { text: 'unheard' } });
    expect(status).toBe(500);
    expect(await countVenues('unheard')).toBe(0);
  });

  it('takes JSON and nothing else', async () => {
    const cookie = `console=${support.token}`;
    for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data']) {
      const { status } = await support.ask(note, {
        headers: { cookie, 'content-type': type },
        body: JSON.stringify({ text: 'plain' }),
      });
      expect([type, status]).toEqual([type, 415]);
    }
    expect(await countVenues('plain')).toBe(0);
  });
});

describe('a key', () => {
  it('[O-051] is required for every POST', async () => {
    const headers = { 'idempotency-key': undefined };
    const answer = await support.ask(note, { headers, body: { text: 'keyless' } });
    expect(outcomeOf(answer)).toEqual([400, 'idempotency_key_required']);
    const wrong = await support.ask(note, { key: 'seven', body: { text: 'keyless' } });
    expect(outcomeOf(wrong)).toEqual([400, 'invalid_idempotency_key']);
    expect(await countVenues('keyless')).toBe(0);
  });

  it('[O-052] runs its write once and answers every repeat, twenty at once included', async () => {
    const given = { key: randomUUID(), body: { text: 'once' } };
    const count = await countEntries();
    const answers = await Promise.all(Array.from({ length: 19 }, () => support.ask(note, given)));
    const answered = answers.filter(({ status }) => status === 200);
    // Requests that waited too long for the first one are refused with 503.
    expect(answers.every(({ status }) => status === 200 || status === 503)).toBe(true);
    expect(answered.map(({ body }) => body.number)).toEqual(answered.map(() => 1));
    expect((await support.ask(note, given)).body).toEqual({ number: 1 });
    expect(await countVenues('once')).toBe(1);
    expect(await countEntries()).toBe(count + 1);
  });

  it('belongs to one request, and to one person', async () => {
    const key = randomUUID();
    expect((await support.ask(note, { key, body: { text: 'mine' } })).status).toBe(200);
    const other = await support.ask(note, { key, body: { text: 'another' } });
    expect(outcomeOf(other)).toEqual([409, 'idempotency_key_reused']);
    const elsewhere = await support.ask(silent, { key, body: { text: 'mine' } });
    expect(outcomeOf(elsewhere)).toEqual([409, 'idempotency_key_reused']);
    const colleague = await consoleAs(test, ['support']);
    expect((await colleague.ask(note, { key, body: { text: 'theirs' } })).status).toBe(200);
  });

  it('keeps the answer sealed, and nothing of the request', async () => {
    const key = randomUUID();
    await support.ask(note, { key, body: { text: 'between us' } });
    const act = await test.deps.db
      .selectFrom('console_acts')
      .selectAll()
      .where('key', '=', key)
      .executeTakeFirstOrThrow();
    expect(act.answer?.toString('latin1')).not.toContain('number');
    expect(act.answer?.length).toBeGreaterThan(20);
    const text = JSON.stringify({
      query: undefined,
      params: undefined,
      body: { text: 'between us' },
    });
    expect(act.request_digest).not.toEqual(createHash('sha256').update(text).digest());
    expect((await support.ask(note, { key, body: { text: 'between us' } })).body).toEqual({
      number: 1,
    });
  });

  it('can be used again after a refusal', async () => {
    const key = randomUUID();
    expect((await support.ask(note, { key, body: { text: 'refused' } })).status).toBe(422);
    expect((await support.ask(note, { key, body: { text: 'better' } })).status).toBe(200);
  });

  it('is forgotten after a week', async () => {
    const key = randomUUID();
    await support.ask(note, { key, body: { text: 'old' } });
    test.clock.advance(8 * 24 * 60 * MINUTE_MS);
    await sql`select graphile_worker.add_job('staff_prune')`.execute(test.deps.db);
    await test.runJobs();
    const acts = await test.deps.db.selectFrom('console_acts').select('key').execute();
    expect(acts).toEqual([]);
    test.clock.advance(-8 * 24 * 60 * MINUTE_MS);
  });
});

describe('a version', () => {
  const params = { id: 'seven' };

  it('[O-048] is required for an edit', async () => {
    const answer = await support.ask(edit, { params, body: { title: 'Second' } });
    expect(outcomeOf(answer)).toEqual([428, 'version_required']);
    const weak = { params, headers: { 'if-match': '*' }, body: { title: 'Second' } };
    expect(outcomeOf(await support.ask(edit, weak))).toEqual([400, 'invalid_request']);
    expect(row).toEqual({ title: 'First', version: 1 });
  });

  it('[O-049] is refused with the present row if it is older', async () => {
    const first = await support.ask(edit, { params, version: 1, body: { title: 'Second' } });
    expect([first.status, first.headers['etag']]).toEqual([200, '"2"']);
    const stale = await support.ask(edit, { params, version: 1, body: { title: 'Third' } });
    expect(outcomeOf(stale)).toEqual([412, 'version_conflict']);
    expect(stale.body.present).toEqual({ title: 'Second', version: 2 });
    expect(row.title).toBe('Second');
  });

  it('is the first answer’s when an edit is repeated with its key', async () => {
    const given = { params, version: 1, key: randomUUID(), body: { title: 'Second' } };
    await support.ask(edit, given);
    const again = await support.ask(edit, given);
    expect([again.status, again.headers['etag']]).toEqual([200, '"2"']);
  });
});

describe('a proof', () => {
  const pay = (caller: ConsoleCaller, usdCents: number, key = randomUUID()) =>
    caller.ask(risky, { key, body: { usd_cents: usdCents } });

  it('[O-024] is required for a risky action when the last one is older than 5 min', async () => {
    advance = stopClock(test);
    const person = await consoleAs(test, ['support']);
    advance(5 * MINUTE_MS - 1);
    expect((await pay(person, 1)).status).toBe(200);
    advance(1);
    expect(outcomeOf(await pay(person, 1))).toEqual([403, 'confirmation_required']);
    expect((await person.ask(note, { body: { text: 'not risky' } })).status).toBe(200);
  });

  it('lets the same request with the same key go on', async () => {
    advance = stopClock(test);
    const person = await consoleAs(test, ['support']);
    const key = randomUUID();
    advance(6 * MINUTE_MS);
    expect((await pay(person, 1, key)).status).toBe(403);
    await person.prove();
    expect((await pay(person, 1, key)).status).toBe(200);
  });

  it('[O-026] is required again once more value than the configured sum was moved', async () => {
    const person = await consoleAs(test, ['support']);
    expect((await pay(person, 30_000)).status).toBe(200);
    expect((await pay(person, 20_001)).status).toBe(200);
    expect(outcomeOf(await pay(person, 1))).toEqual([403, 'confirmation_required']);
    await person.prove();
    expect((await pay(person, 1)).status).toBe(200);
  });

  it('does not keep other calls of the session waiting while an act runs', async () => {
    advance = stopClock(test);
    const person = await consoleAs(test, ['support']);
    advance(MINUTE_MS);
    await test.deps.db.transaction().execute(async (tx) => {
      await sql`select from staff_sessions where id = ${person.sessionId} for update`.execute(tx);
      expect((await person.ask(mine)).status).toBe(200);
    });
  });

  it('covers its sum once when several acts come at once', async () => {
    const person = await consoleAs(test, ['support']);
    const answers = await Promise.all(Array.from({ length: 15 }, () => pay(person, 30_000)));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(2);
  });
});

describe('a limit', () => {
  it('[O-055] of 20 requests a second stops one person and nobody else', async () => {
    advance = stopClock(test);
    const person = await consoleAs(test, ['support']);
    for (let call = 0; call < 20; call += 1) expect((await person.ask(mine)).status).toBe(200);
    const entries = await countEntries();
    expect(outcomeOf(await person.ask(mine))).toEqual([429, 'too_many_requests']);
    expect(outcomeOf(await person.ask(note, { body: { text: 'x' } }))).toEqual([
      429,
      'too_many_requests',
    ]);
    expect(await countEntries()).toBe(entries);
    expect((await support.ask(mine)).status).toBe(200);
    advance(1_000);
    expect((await person.ask(mine)).status).toBe(200);
  });

  it('applies to searches by the second, and to some other calls by the hour', async () => {
    advance = stopClock(test);
    const person = await consoleAs(test, ['support']);
    const searches = await Promise.all(Array.from({ length: 6 }, () => person.ask(search)));
    expect(searches.filter(({ status }) => status === 429)).toHaveLength(1);
    for (let call = 0; call < 30; call += 1) {
      advance(1_000);
      expect((await person.ask(hourly)).status).toBe(200);
    }
    advance(1_000);
    expect((await person.ask(hourly)).status).toBe(429);
    advance(60 * MINUTE_MS);
    await person.prove();
    const later = await signInStaff(test, person);
    expect((await later.ask(hourly)).status).toBe(200);
  });
});

it('above 300 customers opened within an hour, one alarm is raised and nobody is stopped', async () => {
  advance = stopClock(test);
  const person = await consoleAs(test, ['support']);
  for (let call = 0; call < 302; call += 1) {
    advance(1_000);
    expect((await person.ask(open)).status).toBe(200);
    if (call === 299) expect(alarms('console_reads')).toBe(0);
  }
  expect(alarms('console_reads')).toBe(1);
});

describe('a slow read', () => {
  it('is ended on connections that the wallet does not use, with an error of its own', async () => {
    expect(test.deps.consoleDb).not.toBe(test.deps.db);
    expect(outcomeOf(await support.ask(slow))).toEqual([503, 'too_slow']);
  });
});

describe('a sensitive read', () => {
  it('[O-157] writes its entry before it is answered, and does not answer without it', async () => {
    const params = { id: 'ada' };
    expect((await support.ask(look, { params })).status).toBe(200);
    expect(await newestEntries(1)).toMatchObject([
      { action: 'customer.open', subject_id: 'ada', outcome: 'done', staff_id: support.staffId },
    ]);
    const count = await countEntries();
    await withoutAudit(async () => {
      const unwritten = await support.ask(look, { params });
      expect(unwritten.status).toBe(500);
      expect(unwritten.text).not.toContain('ada@athos.example');
    });
    expect(await countEntries()).toBe(count);
  });

  it('leaves no entry when there is nothing to read', async () => {
    const count = await countEntries();
    expect((await support.ask(look, { params: { id: 'nobody' } })).status).toBe(404);
    expect(await countEntries()).toBe(count);
  });
});

it('[O-027] nobody acts on their own account, by its uuid or its address', async () => {
  const customer = { uuid: randomUUID(), email: 'Ada@Athos.Example' };
  const staff = {
    staffId: randomUUID(),
    sessionId: randomUUID(),
    email: 'ada@athos.example',
    name: 'Ada',
    organisation: 'provider',
    walletUuid: customer.uuid,
    grants: {} as Partial<Record<Permission, '●'>>,
    isEnrolled: true,
  } as const;
  const asked = (over: object) => () => requireOthersAccount({ ...staff, ...over }, customer);
  expect(asked({ email: 'other@athos.example' })).toThrow('own_account');
  expect(asked({ walletUuid: randomUUID() })).toThrow('own_account');
  expect(asked({ walletUuid: null, email: 'other@athos.example' })).not.toThrow();
});
