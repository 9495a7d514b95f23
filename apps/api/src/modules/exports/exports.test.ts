/** Lists and persons' data as files, and how long the files are kept. */
import { legal } from '@athos/brand/legal';
import { randomUUID } from 'node:crypto';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { inflateRawSync } from 'node:zlib';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { API_PREFIX } from '@athos/contract/call';
import type { ConsoleBodyOf } from '@athos/contract/console/calls';
import { consoleAs, type ConsoleCaller, pageHeaders, signInStaff } from '../../../test/console.ts';
import { ath } from '../../../test/shop.ts';
import { createTestApp, stopClock, type TestAnswer, type TestApp } from '../../../test/test-app.ts';
import { enqueueJob } from '../../platform/jobs/enqueue.ts';
import { csvHead, csvLines } from '../../platform/files/csv.ts';
import { endExportsOf } from './exports.sql.ts';

const HOUR_MS = 60 * 60_000;

let dir: string;
let test: TestApp;
let owner: ConsoleCaller;
let support: ConsoleCaller;
beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'exports-'));
  test = await createTestApp({ env: { EXPORT_DIR: dir } });
  owner = await consoleAs(test, ['provider_owner']);
  support = await consoleAs(test, ['support']);
});
afterAll(async () => {
  await test.close();
  await rm(dir, { recursive: true, force: true });
});

type Body = ConsoleBodyOf<'exportList'>;

async function exported(caller: ConsoleCaller, body: Body): Promise<string> {
  const asked = await caller.call('exportList', { body });
  expect([asked.status, asked.body.state]).toEqual([200, 'waiting']);
  await test.runJobs();
  return asked.body.id;
}

/** Creates a link and returns a function that follows it, as a browser would, at each call. */
async function download(caller: ConsoleCaller, id: string, look?: (url: URL) => Promise<void>) {
  const { body } = await caller.call('exportLink', { params: { id } });
  const url = new URL(String(body.path), 'http://console');
  await look?.(url);
  return () =>
    caller.ask(
      { method: 'GET', path: url.pathname.slice(API_PREFIX.length) as '/admin/exports' },
      { query: { code: url.searchParams.get('code') ?? '' } },
    );
}

/** The names of its files, also of those that a run has not completed. */
const filesOf = (id: string) => readdirSync(dir).filter((name) => name.startsWith(id));

const fileOf = async (caller: ConsoleCaller, id: string) => (await download(caller, id))();

describe('a cell', () => {
  it.each(['=1+1', '+1', '-1', '@SUM(A1)', '\t=1', '\r=1', "=cmd|' /C calc'!A0", '＝1'])(
    '[O-110] that a spreadsheet would take for a formula, %j, is escaped',
    (text) => {
      const [line = ''] = csvLines([[text]]).split('\r\n');
      expect(line.replace(/^"/, '').startsWith("'")).toBe(true);
    },
  );

  it('that is a number stays one, and quotes and lines stay inside of theirs', () => {
    expect(csvLines([[{ number: '-2.5' }, 'a"b,c\nd', null, '<script>']])).toBe(
      '-2.5,"a""b,c\nd",,<script>\r\n',
    );
    expect(csvHead(['=a'])).toBe("\ufeff'=a\r\n");
    // Without the quotes, the second line would be a row of its own, and a formula.
    expect(csvLines([['a\n=1+1', 'b\r=1']])).toBe('"a\n=1+1","b\r=1"\r\n');
  });
});

describe('a list', () => {
  it('[O-066] is exported with all rows of its filter, amounts in decimals and in units', async () => {
    await sql`
      insert into users (email, password_hash) select 'row-' || n || '@athos.example', 'none'
        from generate_series(1, 2100) n`.execute(test.deps.db);
    const rich = await test.createUser({ balance: ath(12), email: '=cmd@athos.example' });
    const { body: page } = await owner.call('customers', { query: { state: 'open' } });
    const id = await exported(owner, { list: 'customers', filters: { state: 'open' } });
    const { body } = await owner.call('export', { params: { id } });
    expect(body).toMatchObject({
      state: 'ready',
      rows_done: page.count.value,
      rows_total: page.count.value,
    });
    const { text, headers } = await fileOf(owner, id);
    const lines = text.trim().split('\r\n');
    expect(lines).toHaveLength(page.count.value + 1);
    expect(lines[0]).toContain(
      'uuid,status,email,created_at,closed_at,balance_ATH,balance_ATH_units',
    );
    expect(lines[1]?.split(',').slice(0, 3)).toEqual([rich.uuid, 'open', "'=•••@a•••.example"]);
    expect(lines[1]).toContain(',12,12000000,0,0,');
    expect(lines[1]?.split(',')[3]).toMatch(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/);
    expect(headers['content-type']).toBe('text/csv; charset=utf-8');
    expect(headers['content-disposition']).toMatch(
      /^attachment; filename="customers-[\d-]+\.csv"$/,
    );
    expect(headers['cache-control']).toBe('no-store');
  });

  it('has the permission and the masks of the list itself', async () => {
    const user = await test.createUser();
    const editor = await consoleAs(test, ['catalogue_editor']);
    const refused = await editor.call('exportList', { body: { list: 'customers', filters: {} } });
    expect([refused.status, refused.body.permission]).toEqual([403, 'customers.read']);
    const finance = await consoleAs(test, ['finance']);
    const filters = { from: new Date(test.clock.nowMs() - 60_000).toISOString() };
    const contact = { list: 'customers' as const, filters, with_contact: true };
    const masked = await finance.call('exportList', { body: contact });
    expect([masked.status, masked.body.permission]).toEqual([403, 'customers.contact']);
    const many = await support.call('exportList', { body: { ...contact, filters: {} } });
    expect([many.status, many.body.code]).toEqual([409, 'approval_required']);
    const later = { ...contact, filters: { from: (await joinedAt(user.uuid)).toISOString() } };
    const id = await exported(support, later);
    expect((await fileOf(support, id)).text).toContain(user.email);
  });

  it('with the addresses of more than 1,000 people takes the vote of an owner', async () => {
    const reason = 'For the letter about the new terms';
    const body = { list: 'customers' as const, filters: {}, with_contact: true, reason };
    const ask = (by: ConsoleCaller): Promise<TestAnswer> => by.call('exportList', { body });
    const listOf = async (by: ConsoleCaller) => (await by.call('exports')).body.items;
    const asking = await consoleAs(test, ['support']);
    const { body: request } = await ask(asking);
    expect(request.outcome).toBe('requested');
    expect(await listOf(asking)).toEqual([]);
    const params = { id: request.approval_id };
    const shown = await owner.call('approval', { params });
    expect(shown.body.after).toMatchObject({ list: 'customers', people: expect.any(Number) });
    const finance = await consoleAs(test, ['finance']);
    expect((await finance.call('approveRequest', { params })).body.code).toBe('permission_missing');
    expect((await owner.call('approveRequest', { params })).body.state).toBe('executed');
    await test.runJobs();
    const [ready] = await listOf(asking);
    expect(ready).toMatchObject({ content: 'customers', state: 'ready' });
    const { text } = await fileOf(asking, ready.id);
    expect(text).toContain('row-2100@athos.example');
    expect(await listOf(owner)).not.toContainEqual(ready);

    const leaving = await ask(asking);
    await test.deps.db.deleteFrom('staff_roles').where('staff_id', '=', asking.staffId).execute();
    const vote = await owner.call('approveRequest', { params: { id: leaving.body.approval_id } });
    expect(vote.body.state).toBe('failed');
  });

  it('is handed to nobody who may not read it any more, however it was asked for', async () => {
    const leaving = await consoleAs(test, ['support']);
    const user = await test.createUser();
    const from = (await joinedAt(user.uuid)).toISOString();
    const body = { list: 'customers' as const, filters: { from }, with_contact: true };
    const id = await exported(leaving, body);
    const open = await download(leaving, id);
    await leaving.prove();
    const person = await leaving.call('exportPerson', { params: { uuid: user.uuid } });
    await test.runJobs();
    const { db } = test.deps;
    await db
      .updateTable('staff_roles')
      .set({ role_id: 'finance' })
      .where('staff_id', '=', leaving.staffId)
      .execute();
    const refused = [
      await open(),
      await leaving.call('exportLink', { params: { id } }),
      await leaving.call('exportLink', { params: { id: person.body.id } }),
    ];
    expect(refused.map((answer) => [answer.status, answer.body.permission])).toEqual([
      [403, 'customers.contact'],
      [403, 'customers.contact'],
      [403, 'customers.export_person'],
    ]);
    const masked = await exported(leaving, { list: 'customers', filters: { from } });
    expect((await fileOf(leaving, masked)).text).not.toContain(user.email);
  });

  it('by one person counts all addresses of 24 hours, so that slices take a vote as well', async () => {
    const asking = await consoleAs(test, ['support']);
    const from = new Date(test.clock.nowMs() + 60_000);
    await sql`
      insert into users (email, password_hash, created_at)
      select 'slice-' || n || '@athos.example', 'none', ${from}::timestamptz + n * interval '1 second'
        from generate_series(0, 999) n`.execute(test.deps.db);
    const slice = (index: number) => ({
      list: 'customers' as const,
      filters: {
        from: new Date(from.getTime() + index * 250_000).toISOString(),
        to: new Date(from.getTime() + (index + 1) * 250_000).toISOString(),
      },
      with_contact: true,
      reason: 'For the letter about the new terms',
    });
    const asked = await Promise.all(
      [0, 1, 2, 3].map((index) => asking.call('exportList', { body: slice(index) })),
    );
    expect(asked.map(({ body }) => body.outcome)).toEqual(['done', 'done', 'done', 'done']);
    const more = await asking.call('exportList', { body: slice(0) });
    expect(more.body.outcome).toBe('requested');
    const masked = { list: 'customers' as const, filters: slice(0).filters };
    expect((await asking.call('exportList', { body: masked })).body.outcome).toBe('done');
    await test.runJobs();
  });

  it('of the journal and of requests names both sides, amounts and states', async () => {
    const [ada, ben] = [await test.createUser({ balance: ath(12) }), await test.createUser()];
    const key = randomUUID();
    await test.request({
      method: 'POST',
      url: '/api/account/transfer',
      payload: { amount: '2500000', to_uuid: ben.uuid },
      user: ada,
      key,
    });
    const journal = await exported(owner, { list: 'transfers', filters: { kind: 'send' } });
    const { text } = await fileOf(owner, journal);
    const [head, sent] = text.trim().split('\r\n');
    expect(head).toContain('transfer,at,kind,asset,amount,amount_units,debit,');
    expect(sent).toContain(`,send,ATH,2.5,2500000,${ada.uuid},`);
    expect(sent).toContain(`,9500000,${ben.uuid},`);
    expect(sent).toContain(key);

    const account = { account_id: text.match(/,ATH,2.5,2500000,[^,]+,(\d+),/)?.[1] ?? '' };
    const ofAda = await exported(owner, { list: 'transfers', filters: account });
    expect((await fileOf(owner, ofAda)).text.trim().split('\r\n').slice(1)).toEqual([
      sent,
      expect.stringContaining(',12,12000000,'),
    ]);

    const debit = { amount: '1000000', reason: 'A wrong credit last week' };
    const { body } = await support.call('debitCustomer', {
      params: { uuid: ada.uuid },
      body: debit,
    });
    const mine = await exported(support, { list: 'approvals', filters: { view: 'mine' } });
    const requests = (await fileOf(support, mine)).text.trim().split('\r\n');
    expect(requests).toHaveLength(2);
    expect(requests[1]).toContain(
      `${body.approval_id},customer.debit,customer,${ada.uuid},pending,ATH,1,1000000,`,
    );
    const refused = await support.call('exportList', { body: { list: 'transfers', filters: {} } });
    expect(refused.body.permission).toBe('ledger.read');
  });

  it('is read to its end, however many rows one step of the journal looks at', async () => {
    const { body: page } = await owner.call('ledgerTransfers', { query: { limit: 1 } });
    const id = await exported(owner, { list: 'transfers', filters: {} });
    expect((await owner.call('export', { params: { id } })).body.rows_done).toBe(page.count.value);
  });

  async function joinedAt(uuid: string): Promise<Date> {
    const { created_at: at } = await test.deps.db
      .selectFrom('users')
      .select('created_at')
      .where('uuid', '=', uuid)
      .executeTakeFirstOrThrow();
    return at;
  }

  it('is limited to ten in an hour', { tags: 'long' }, async () => {
    const eager = await consoleAs(test, ['auditor']);
    const body = { list: 'audit' as const, filters: { action: 'export.create' } };
    for (let count = 0; count < 10; count++) {
      expect((await eager.call('exportList', { body })).status).toBe(200);
    }
    expect((await eager.call('exportList', { body })).status).toBe(429);
    await test.runJobs();
  });
});

describe('a file', () => {
  it('is handed out once, within 60 s, to the person who asked for it', async () => {
    const advance = stopClock(test);
    const id = await exported(owner, { list: 'audit', filters: { action: 'no.such' } });
    const follow = await download(owner, id, async ({ pathname, search }) => {
      // A program that checks a link before following it must not use the link up.
      const headers = { ...pageHeaders(test), cookie: owner.setCookie.split(';')[0] ?? '' };
      const look = { method: 'HEAD', url: pathname + search, headers } as const;
      expect((await test.app.inject(look)).statusCode).toBe(404);
    });
    expect((await follow()).status).toBe(200);
    expect((await follow()).status).toBe(404);
    const late = await download(owner, id);
    advance(60_000);
    expect((await late()).status).toBe(404);
    const other = await consoleAs(test, ['provider_owner']);
    expect((await other.call('export', { params: { id } })).status).toBe(404);
    expect((await other.call('exportLink', { params: { id } })).status).toBe(404);
    const { body } = await other.call('exports');
    expect(body).toEqual({
      items: [],
      next_cursor: null,
      count: { value: 0, is_at_least: false },
    });
  });

  /** Takes the job like a worker that is killed during it, and frees the job as the keeper of another worker does. */
  async function killWorker(): Promise<void> {
    await sql`
      update graphile_worker._private_jobs set attempts = attempts + 1, locked_at = now(), locked_by = 'died'
       where attempts < max_attempts`.execute(test.deps.db);
    await sql`select graphile_worker.force_unlock_workers(array['died'])`.execute(test.deps.db);
  }
  const ask = async (): Promise<string> =>
    (
      await owner.call('exportList', {
        body: { list: 'audit', filters: { action: 'no.such' } },
      })
    ).body.id;
  const stateOf = async (id: string, caller = owner) =>
    (await caller.call('export', { params: { id } })).body.state;

  it('is written although the worker that began it was killed', async () => {
    const id = await ask();
    await killWorker();
    await test.runJobs();
    expect(await stateOf(id)).toBe('ready');
  });

  it.each([
    ['ends after it too', false],
    ['fails after it', true],
  ])(
    'stays the one whose size was noted if a second run completes it first, and the run before it %s',
    async (_how, isFailing) => {
      const { exportFiles } = test.deps;
      const write = exportFiles.write.bind(exportFiles);
      const [begun, held] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
      const writing = vi.spyOn(exportFiles, 'write').mockImplementationOnce((name, content) =>
        write(name, async (part) => {
          await part(Buffer.from('of the first run,'));
          begun.resolve();
          await held.promise;
          if (isFailing) throw new Error('the share is lost');
          await content(part);
        }),
      );
      const id = await ask();
      const first = test.runJobs();
      await begun.promise;
      // The keeper of another worker takes this one for dead.
      await sql`
      select graphile_worker.force_unlock_workers(array_agg(locked_by)) from graphile_worker._private_jobs
       where locked_by is not null`.execute(test.deps.db);
      await test.runJobs();
      const whole = (await fileOf(owner, id)).text;
      expect(whole).toContain('action');
      expect(whole).not.toContain('first run');
      held.resolve();
      await first;
      writing.mockRestore();
      const { body } = await owner.call('export', { params: { id } });
      expect(body).toMatchObject({ state: 'ready', byte_count: statSync(join(dir, id)).size });
      expect((await fileOf(owner, id)).text).toBe(whole);
      expect(filesOf(id)).toEqual([id]);
    },
  );

  it('fails, and leaves nothing behind, if the share gives it its name too late', async () => {
    const { exportFiles } = test.deps;
    const rename = exportFiles.rename.bind(exportFiles);
    // Longer than a transaction may be idle.
    const renaming = vi.spyOn(exportFiles, 'rename').mockImplementationOnce(async (...names) => {
      await pause(6_000);
      await rename(...names);
    });
    const id = await ask();
    const running = test.runJobs();
    await expect.poll(() => stateOf(id), { timeout: 5_000 }).toBe('failed');
    await running;
    renaming.mockRestore();
    expect(filesOf(id)).toEqual([]);
    const { body } = await owner.call('export', { params: { id } });
    expect(body).toMatchObject({ state: 'failed', byte_count: null, expires_at: null });
  });

  it('is given up after a day if no worker survives it', async () => {
    const advance = stopClock(test);
    const id = await ask();
    for (let count = 0; count < 25; count += 1) await killWorker();
    await test.runJobs();
    expect(await stateOf(id)).toBe('waiting');
    advance(24 * HOUR_MS);
    owner = await signInStaff(test, owner);
    await enqueueJob(test.deps.db, 'exports_delete_ended', {});
    await test.runJobs();
    expect(await stateOf(id)).toBe('failed');
  });

  it('[O-111] is deleted after 72 h, and so is what nothing names', async () => {
    const advance = stopClock(test);
    const id = await exported(owner, { list: 'audit', filters: { action: 'no.such' } });
    expect(statSync(join(dir, id)).mode & 0o077).toBe(0);
    const ofRun = `${id}.${randomUUID()}`;
    for (const name of [`${randomUUID()}.part`, `${ofRun}.part`, ofRun]) {
      await writeFile(join(dir, name), 'of a worker that died');
    }
    const prune = async () => {
      await test.deps.db.transaction().execute(async (tx) => {
        await sql`select graphile_worker.add_job('exports_delete_ended')`.execute(tx);
      });
      await test.runJobs();
    };
    advance(72 * HOUR_MS - 1);
    await prune();
    expect(filesOf(id)).toEqual([id]);
    expect(readdirSync(dir).filter((name) => name.endsWith('.part'))).toEqual([]);
    const session = await consoleAs(test, ['provider_owner']);
    advance(1);
    await prune();
    expect(readdirSync(dir)).not.toContain(id);
    const row = await test.deps.db
      .selectFrom('exports')
      .select('state')
      .where('id', '=', id)
      .executeTakeFirst();
    expect(row?.state).toBe('deleted');
    expect((await session.call('exportLink', { params: { id } })).status).toBe(404);
  });
});

/** Reads the files of an archive as an unpacker does: from the directory at its end. */
function unpack(archive: Buffer): Map<string, string> {
  const files = new Map<string, string>();
  const end = archive.length - 22;
  expect(archive.readUInt32LE(end)).toBe(0x06054b50);
  let at = archive.readUInt32LE(end + 16);
  for (let count = archive.readUInt16LE(end + 10); count > 0; count--) {
    expect(archive.readUInt32LE(at)).toBe(0x02014b50);
    const packed = archive.readUInt32LE(at + 20);
    const nameLength = archive.readUInt16LE(at + 28);
    const offset = archive.readUInt32LE(at + 42);
    const name = archive.subarray(at + 46, at + 46 + nameLength).toString();
    const from = offset + 30 + archive.readUInt16LE(offset + 26);
    const bytes = inflateRawSync(archive.subarray(from, from + packed));
    expect(bytes.length).toBe(archive.readUInt32LE(at + 24));
    files.set(name, bytes.toString());
    at += 46 + nameLength;
  }
  return files;
}

describe("a person's data", () => {
  // The clock was advanced, which ended the earlier session.
  beforeAll(async () => {
    support = await consoleAs(test, ['support']);
  });

  it('[O-080] is a ZIP of JSON and CSV, with notes as text and without the names of staff', async () => {
    const user = await test.createUser({ balance: ath(5) });
    const params = { uuid: user.uuid };
    const note = { text: '=HYPERLINK("http://x") <b>called</b>' };
    await support.call('addNote', { params, body: note });
    const payload = { version: legal.terms.version };
    await test.request({ method: 'POST', url: '/api/account/terms', user, payload });
    const asked = await support.call('exportPerson', { params });
    expect([asked.status, asked.body.content]).toEqual([200, 'person']);
    await test.runJobs();
    const { id } = asked.body;
    const ready = await support.call('export', { params: { id } });
    expect(ready.body).toMatchObject({ state: 'ready', rows_done: 4 });
    const [name] = readdirSync(dir).filter((file) => file === id);
    const files = unpack(readFileSync(join(dir, name ?? '')));
    expect([...files.keys()].toSorted()).toEqual(
      ['movement', 'payment', 'purchase', 'sign_in', 'scan', 'terms', 'mail', 'note']
        .flatMap((kind) => [`${kind}.csv`, `${kind}.json`])
        .concat('profile.json')
        .toSorted(),
    );
    expect(JSON.parse(files.get('profile.json') ?? '')).toMatchObject({
      uuid: user.uuid,
      email: user.email,
      balances: { ATH: '5000000' },
    });
    expect(JSON.parse(files.get('payment.json') ?? '')).toEqual([]);
    expect(files.get('terms.csv')).toContain(`,${legal.terms.version}`);
    const [written] = JSON.parse(files.get('note.json') ?? '');
    expect(written.data).toEqual({ text: note.text, staff: null });
    expect(files.get('note.csv')).toContain(`"'=HYPERLINK(""http://x"") <b>called</b>"`);
    expect(files.get('movement.csv')).toContain(',Reward,5,5000000,ATH,,');
    expect([...files.values()].join()).not.toContain(support.name);
  });

  it('is not kept if the person is erased while it is written', async () => {
    const user = await test.createUser();
    const { body } = await support.call('exportPerson', { params: { uuid: user.uuid } });
    const { db, exportFiles } = test.deps;
    const write = exportFiles.write.bind(exportFiles);
    const writing = vi.spyOn(exportFiles, 'write').mockImplementation(async (...given) => {
      const byteCount = await write(...given);
      await db.transaction().execute((tx) => endExportsOf(tx, user.userId));
      return byteCount;
    });
    await test.runJobs();
    writing.mockRestore();
    const { body: ended } = await support.call('export', { params: { id: body.id } });
    expect(ended).toMatchObject({ state: 'failed', byte_count: null, expires_at: null });
    expect(filesOf(body.id)).toEqual([]);
  });

  it('is for those who may, with a proof, and never of themselves', async () => {
    const user = await test.createUser();
    const params = { uuid: user.uuid };
    const finance = await consoleAs(test, ['finance']);
    expect((await finance.call('exportPerson', { params })).status).toBe(403);
    const own = await consoleAs(test, ['support'], { walletUuid: user.uuid });
    expect((await own.call('exportPerson', { params })).body.code).toBe('own_account');
    const unknown = { uuid: randomUUID() };
    expect((await support.call('exportPerson', { params: unknown })).status).toBe(404);
  });
});
