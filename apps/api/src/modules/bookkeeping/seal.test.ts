import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import {
  consoleAs,
  createStaffMember,
  signInStaff,
  type TestStaff,
} from '../../../test/console.ts';
import { expectBooksBalance } from '../../../test/expect-books-balance.ts';
import { recordLog } from '../../../test/recorded-log.ts';
import { ath } from '../../../test/shop.ts';
import { createTestApp, type TestApp } from '../../../test/test-app.ts';
import { createTasks } from '../../capabilities.ts';
import { verifyLedger } from '../../ledger/verify.ts';
import { verifyAudit } from '../../platform/audit/verify.ts';
import { enqueueJob } from '../../platform/jobs/enqueue.ts';
import { MailRefusedError } from '../../platform/mail/mailer.ts';

const DAY_MS = 24 * 60 * 60_000;
const { log, lines } = recordLog();
const alarms = () =>
  lines.map((line) => JSON.parse(line)).filter(({ alarm }) => alarm === 'seal_not_mailed');

let test: TestApp;
let staff: TestStaff;
beforeAll(async () => {
  test = await createTestApp({ log, env: { SEAL_MAIL_TO: 'seals@kept.example' } });
  staff = await createStaffMember(test, ['finance']);
  await test.createUser({ balance: ath(12) });
  await (await finance()).call('verifyLedger');
});
afterAll(async () => {
  await expectBooksBalance(test.deps.config.databaseUrl);
  await test.close();
});

const sealMails = () => test.mails.filter(({ to }) => to === 'seals@kept.example');
/** A new session, since days pass between the tests. */
const finance = () => signInStaff(test, staff);
const seals = async () => (await (await finance()).call('ledgerSeals')).body;
async function seal(): Promise<void> {
  await enqueueJob(test.deps.db, 'ledger_seal', {}, { key: 'ledger_seal' });
  await test.runJobs();
}
const headIn = (text: string, command: string): string =>
  new RegExp(`npm run ${command} -- --head ([0-9a-f]{64})`).exec(text)?.[1] ?? '';

describe('the seal of a day', () => {
  it('[O-162] mails the heads of ledger and audit, which both commands accept later', async () => {
    await seal();
    const [mail] = sealMails();
    expect(sealMails()).toHaveLength(1);
    expect(mail?.text).toContain('ATH, issuance: -12.00');
    expect(mail?.text).toContain('ATH, all customers: 12.00');
    expect(mail?.text).toContain('Trial balance: every asset sums to 0');
    expect(mail?.text).toContain('Card money: not compared yet');

    await test.createUser({ balance: ath(5) });
    await (await finance()).call('verifyLedger');
    const { databaseUrl } = test.deps.config;
    const ledgerHead = headIn(mail?.text ?? '', 'ledger:verify');
    const auditHead = headIn(mail?.text ?? '', 'audit:verify');
    const books = await verifyLedger({ databaseUrl, knownHead: ledgerHead });
    expect(books).toMatchObject({ fault: undefined });
    expect(books.head).not.toBe(ledgerHead);
    const audit = await verifyAudit({ databaseUrl, knownHead: auditHead });
    expect(audit).toMatchObject({ fault: undefined });
    expect(audit.head).not.toBe(auditHead);
    expect((await verifyAudit({ databaseUrl, knownHead: ledgerHead })).fault).toContain('rebuilt');

    const { items, count } = await seals();
    expect(count.value).toBe(1);
    expect(items[0]).toMatchObject({
      books_head: ledgerHead,
      audit_head: auditHead,
      audit_entry_count: 1,
      reconciliation: null,
      mailed_at: expect.any(String),
    });
    expect(items[0].assets[0]).toEqual({
      asset: 'ATH',
      accounts: [{ code: 'issuance', balance: '-12000000' }],
      customers: '12000000',
      sum: '0',
    });
  });

  it('is made and mailed once, however many workers ask', async () => {
    test.clock.advance(DAY_MS);
    const task = createTasks(test.deps).upkeep['ledger_seal'];
    await Promise.all(Array.from({ length: 20 }, async () => task?.({}, undefined as never)));
    await test.runJobs();
    await seal();
    expect((await seals()).count.value).toBe(2);
    expect(sealMails()).toHaveLength(2);
  });

  it('is mailed after the mail server is back, and again under the same id if the worker died before it noted the mail', async () => {
    test.clock.advance(DAY_MS);
    const send = vi.spyOn(test.deps.mailer, 'send').mockRejectedValueOnce(new Error('away'));
    await seal();
    expect(sealMails()).toHaveLength(2);
    expect((await seals()).items[0].mailed_at).toBeNull();
    await sql`update graphile_worker._private_jobs set run_at = now()`.execute(test.deps.db);
    await test.runJobs();
    expect(sealMails()).toHaveLength(3);
    const { day, mailed_at: mailedAt } = (await seals()).items[0];
    expect(mailedAt).not.toBeNull();

    await enqueueJob(test.deps.db, 'ledger_seal_mail', { day });
    await test.runJobs();
    expect(sealMails()).toHaveLength(3);
    await sql`update seals set mailed_at = null where day = ${day}::date`.execute(test.deps.db);
    await enqueueJob(test.deps.db, 'ledger_seal_mail', { day });
    await test.runJobs();
    const [first, second] = sealMails().slice(-2);
    expect(second).toEqual(first);
    expect(second?.id).toBe(`seal-${day}`);
    send.mockRestore();
  });

  it('raises an alarm if its mail is refused, and again the day after', async () => {
    test.clock.advance(DAY_MS);
    expect(alarms()).toEqual([]);
    const send = vi.spyOn(test.deps.mailer, 'send');
    send.mockRejectedValueOnce(new MailRefusedError('no such mailbox'));
    await seal();
    const [{ day }] = (await seals()).items;
    expect(alarms()).toEqual([expect.objectContaining({ day })]);
    send.mockRestore();
    test.clock.advance(DAY_MS);
    await seal();
    expect(alarms()).toHaveLength(2);
    expect(alarms()[1]).toMatchObject({ day });
  });

  it('is made without an address as well, and names the card money of the newest day', async () => {
    test.clock.advance(DAY_MS);
    const { console } = test.deps.config;
    const { sealMailTo } = console;
    Object.assign(console, { sealMailTo: undefined });
    await test.deps.db
      .insertInto('card_days')
      .values({
        day: '2031-03-02',
        provider_usd_cents: 0n as never,
        nets_usd_cents: 0n as never,
        clearing_usd_cents: 0n as never,
        in_flight_usd_cents: 0n as never,
        is_agreed: false,
        checked_at: new Date(),
      })
      .execute();
    const count = sealMails().length;
    await seal();
    Object.assign(console, { sealMailTo });
    expect(sealMails()).toHaveLength(count);
    const { items } = await seals();
    expect(items[0]).toMatchObject({
      mailed_at: null,
      reconciliation: { day: '2031-03-02', is_agreed: false },
    });
  });

  it('is listed page by page, newest first', async () => {
    const caller = await finance();
    const first = await caller.call('ledgerSeals', { query: { limit: 3 } });
    const rest = await caller.call('ledgerSeals', {
      query: { limit: 3, cursor: first.body.next_cursor },
    });
    const days: string[] = [...first.body.items, ...rest.body.items].map(({ day }) => day);
    expect(days).toEqual(days.toSorted((a, b) => (a < b ? 1 : -1)));
    expect(new Set(days).size).toBe(first.body.count.value);
    const support = await consoleAs(test, ['support']);
    expect((await support.call('ledgerSeals')).status).toBe(403);
  });
});
