/** How staff handle a customer whose lost second step is about to be removed (decision 0072). */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { latestCodeTo, mailsTo, signIn } from '../../../test/accounts.ts';
import { consoleAs, type ConsoleCaller } from '../../../test/console.ts';
import { beginRecoveryOf, cancelRecovery, passTime, subjectsTo } from '../../../test/recovery.ts';
import { openProtected, post } from '../../../test/second-step.ts';
import { refusalOf } from '../../../test/shop.ts';
import { createTestApp, type TestApp } from '../../../test/test-app.ts';

let test: TestApp;
/** May refuse, and may request that a wait be shortened. */
let support: ConsoleCaller;
/** May request and decide. */
let finance: ConsoleCaller;
beforeAll(async () => {
  test = await createTestApp();
});
// Time passes in these tests, which ends sessions and proofs.
beforeEach(async () => {
  [support, finance] = [await consoleAs(test, ['support']), await consoleAs(test, ['finance'])];
});
afterAll(() => test.close());

const HOUR_MS = 60 * 60_000;
const REASON = 'Came to the desk with a passport';
const NEEDS_CODE = { status: 403, code: 'second_factor_required' };
const NOT_FOUND = { status: 404, code: 'not_found' };

interface Waiting {
  readonly email: string;
  readonly token: string;
  readonly uuid: string;
  /** The code in the mail about the beginning of the wait. */
  readonly stopCode: string;
}

async function openWaiting(): Promise<Waiting> {
  const { email, token } = await openProtected(test, `lost-${randomUUID()}@athos.example`);
  const { uuid } = await test.deps.db
    .selectFrom('users')
    .select('uuid')
    .where('email', '=', email)
    .executeTakeFirstOrThrow();
  return { email, token, uuid, stopCode: await beginRecoveryOf(test, email) };
}

const refuse = ({ uuid }: Pick<Waiting, 'uuid'>, by: ConsoleCaller = support) =>
  by.call('refuseRecovery', { params: { uuid }, body: { reason: REASON } });
const shorten = ({ uuid }: Pick<Waiting, 'uuid'>, hours: number, by: ConsoleCaller = support) =>
  by.call('shortenRecovery', { params: { uuid }, body: { hours, reason: REASON } });
const approve = (id: string, by: ConsoleCaller = finance) =>
  by.call('approveRequest', { params: { id } });
const shown = async ({ uuid }: Pick<Waiting, 'uuid'>) =>
  (await finance.call('customer', { params: { uuid } })).body.recovery;

async function requested(customer: Pick<Waiting, 'uuid'>, hours: number): Promise<string> {
  const { status, body } = await shorten(customer, hours);
  expect([status, body.outcome]).toEqual([200, 'requested']);
  return body.approval_id;
}

async function auditOf(uuid: string): Promise<unknown[]> {
  const auditor = await consoleAs(test, ['auditor']);
  const { body } = await auditor.call('auditEntries', { query: { subject_id: uuid } });
  return body.items
    .filter(({ action }: { action: string }) => action.startsWith('recovery.'))
    .map(({ action, outcome, staff }: { action: string; outcome: string; staff: unknown }) => [
      action,
      outcome,
      (staff as { id: string } | null)?.id,
    ]);
}

describe('a customer who waits for the removal of a second step', () => {
  it('is shown with begin, end and reminder, and without a wait there is nothing to show', async () => {
    const ada = await openWaiting();
    const before = await shown(ada);
    expect(Date.parse(before.ends_at) - Date.parse(before.begun_at)).toBe(72 * HOUR_MS);
    expect(before).toMatchObject({ reminded_at: null, approval_id: null });
    await passTime(test, 24 * HOUR_MS);
    finance = await consoleAs(test, ['finance']);
    const { reminded_at: remindedAt } = await shown(ada);
    expect(Date.parse(remindedAt) - Date.parse(before.begun_at)).toBeGreaterThanOrEqual(
      24 * HOUR_MS,
    );
    expect(await shown(await test.createUser())).toBeNull();
  });
});

describe('staff who refuse', () => {
  it('end the wait as its owner does, once, with a mail and an entry of the audit', async () => {
    const ada = await openWaiting();
    expect((await refuse(ada)).body).toEqual({ success: true });
    expect(await shown(ada)).toBeNull();
    await test.runJobs();
    const mail = mailsTo(test, ada.email).at(-1);
    expect(mail?.subject).toMatch(/stays$/);
    expect(mail?.text).toContain('our support refused');
    expect(mail?.text).not.toContain(REASON);
    expect(await auditOf(ada.uuid)).toEqual([['recovery.refuse', 'done', support.staffId]]);
    expect(refusalOf(await cancelRecovery(test, ada.stopCode))).toEqual({
      status: 422,
      code: 'invalid_code',
    });
    await passTime(test, 80 * HOUR_MS);
    expect(refusalOf(await signIn(test, ada.email))).toEqual(NEEDS_CODE);
  });

  it('leave the customer free to ask again', async () => {
    const ada = await openWaiting();
    await refuse(ada);
    await beginRecoveryOf(test, ada.email);
    expect(await shown(ada)).not.toBeNull();
  });

  it('at the same moment are one refusal', async () => {
    const ada = await openWaiting();
    const answers = await Promise.all([refuse(ada), refuse(ada, finance), refuse(ada)]);
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(answers.filter(({ status }) => status === 404)).toHaveLength(2);
    await test.runJobs();
    const told = subjectsTo(test, ada.email).filter((subject) => subject.endsWith('stays'));
    expect(told).toHaveLength(1);
    const entries = await auditOf(ada.uuid);
    expect(entries.filter((entry) => (entry as string[])[1] === 'done')).toHaveLength(1);
  });

  it('need a role that may place holds, a reason, and a customer who waits', async () => {
    const ada = await openWaiting();
    for (const role of ['brand_manager', 'catalogue_editor', 'scanner_lead', 'auditor'] as const) {
      const caller = await consoleAs(test, [role]);
      expect(refusalOf(await refuse(ada, caller))).toEqual({
        status: 403,
        code: 'permission_missing',
      });
    }
    const params = { uuid: ada.uuid };
    expect((await support.call('refuseRecovery', { params, body: { reason: 'No' } })).status).toBe(
      400,
    );
    expect(refusalOf(await refuse(await test.createUser()))).toEqual(NOT_FOUND);
    expect(refusalOf(await refuse({ uuid: randomUUID() }))).toEqual(NOT_FOUND);
    const own = await consoleAs(test, ['support'], { walletUuid: ada.uuid });
    expect(refusalOf(await refuse(ada, own)).code).toBe('own_account');
    expect(await shown(ada)).not.toBeNull();
  });

  it('do not use up a link that was mailed and has not begun a wait', async () => {
    const { email } = await openProtected(test, `lost-${randomUUID()}@athos.example`);
    const user = await test.deps.db
      .selectFrom('users')
      .select('uuid')
      .where('email', '=', email)
      .executeTakeFirstOrThrow();
    const { body } = await signIn(test, email);
    await post(test, 'recovery/ask', { challenge_id: body.challenge_id });
    await test.runJobs();
    const code = latestCodeTo(test, email);
    expect(refusalOf(await refuse(user))).toEqual(NOT_FOUND);
    expect((await post(test, 'recovery/begin', { code })).status).toBe(200);
  });
});

describe('staff who shorten', () => {
  it('need a second person, and tell the customer the new end with the link that stops it', async () => {
    const ada = await openWaiting();
    const before = await shown(ada);
    const id = await requested(ada, 6);
    expect(await shown(ada)).toEqual({ ...before, approval_id: id });
    expect(refusalOf(await approve(id, support)).code).toBe('own_request');
    test.clock.advance(60_000);
    const votedAtMs = test.clock.nowMs();
    expect((await approve(id)).body.state).toBe('executed');
    const after = await shown(ada);
    expect(Date.parse(after.ends_at) - votedAtMs).toBeGreaterThanOrEqual(6 * HOUR_MS);
    expect(Date.parse(after.ends_at) - votedAtMs).toBeLessThan(6 * HOUR_MS + 60_000);
    expect(after).toMatchObject({ begun_at: before.begun_at, approval_id: null });
    await test.runJobs();
    expect(subjectsTo(test, ada.email).at(-1)).toMatch(/is removed sooner$/);
    expect(latestCodeTo(test, ada.email)).toBe(ada.stopCode);
    expect(await auditOf(ada.uuid)).toEqual([
      ['recovery.shorten', 'done', support.staffId],
      ['recovery.shorten', 'requested', support.staffId],
    ]);

    await passTime(test, 6 * HOUR_MS - 60_000);
    expect(refusalOf(await signIn(test, ada.email))).toEqual(NEEDS_CODE);
    await passTime(test, 120_000);
    expect((await signIn(test, ada.email)).status).toBe(200);
    const limit = await test.deps.db
      .selectFrom('send_limits')
      .innerJoin('users', 'users.id', 'send_limits.user_id')
      .select('limited_until')
      .where('users.uuid', '=', ada.uuid)
      .executeTakeFirstOrThrow();
    expect(limit.limited_until.getTime() - test.clock.nowMs()).toBeGreaterThan(71 * HOUR_MS);
  });

  it('never leave less than an hour after the vote, however long the vote took', async () => {
    const ada = await openWaiting();
    for (const hours of [0, -1, 0.5, 72, 1e9]) {
      expect((await shorten(ada, hours)).status).toBe(400);
    }
    const id = await requested(ada, 1);
    test.clock.advance(40 * HOUR_MS);
    finance = await consoleAs(test, ['finance']);
    expect((await approve(id)).body.state).toBe('executed');
    const { ends_at: endsAt } = await shown(ada);
    expect(Date.parse(endsAt) - test.clock.nowMs()).toBeGreaterThan(HOUR_MS - 60_000);
    await passTime(test, HOUR_MS - 60_000);
    expect(refusalOf(await signIn(test, ada.email))).toEqual(NEEDS_CODE);
  });

  it('never lengthen a wait', async () => {
    const ada = await openWaiting();
    const id = await requested(ada, 24);
    test.clock.advance(50 * HOUR_MS);
    [support, finance] = [await consoleAs(test, ['support']), await consoleAs(test, ['finance'])];
    const before = await shown(ada);
    expect(refusalOf(await shorten(ada, 23))).toEqual({
      status: 409,
      code: 'recovery_ends_sooner',
    });
    expect((await approve(id)).body.state).toBe('failed');
    expect((await finance.call('approval', { params: { id } })).body.failure).toBe(
      'recovery_ends_sooner',
    );
    expect(await shown(ada)).toEqual({ ...before, approval_id: null });
    await test.runJobs();
    expect(subjectsTo(test, ada.email).at(-1)).not.toMatch(/sooner$/);
  });

  it('cannot approve themselves, and neither can the customer', async () => {
    const ada = await openWaiting();
    const { body } = await shorten(ada, 1, finance);
    expect(refusalOf(await approve(body.approval_id)).code).toBe('own_request');
    const own = await consoleAs(test, ['finance'], { walletUuid: ada.uuid });
    expect(refusalOf(await approve(body.approval_id, own)).code).toBe('own_account');
    expect(refusalOf(await shorten(ada, 1, own)).code).toBe('own_account');
    for (const role of ['brand_manager', 'scanner_lead', 'auditor'] as const) {
      const caller = await consoleAs(test, [role]);
      expect(refusalOf(await shorten(ada, 1, caller)).code).toBe('permission_missing');
      expect(refusalOf(await approve(body.approval_id, caller)).code).toBe('permission_missing');
    }
    expect(Date.parse((await shown(ada)).ends_at) - test.clock.nowMs()).toBeGreaterThan(
      71 * HOUR_MS,
    );
  });

  it(
    'change nothing if the wait was stopped or refused before the vote',
    { tags: 'long' },
    async () => {
      for (const end of [
        ({ stopCode }: Waiting) => cancelRecovery(test, stopCode),
        ({ token }: Waiting) => post(test, 'recovery/stop', { token }),
        (customer: Waiting) => refuse(customer),
      ]) {
        const ada = await openWaiting();
        const id = await requested(ada, 1);
        expect((await end(ada)).status).toBe(200);
        expect((await approve(id)).body.state).toBe('failed');
        expect(await shown(ada)).toBeNull();
        await passTime(test, 2 * HOUR_MS);
        [support, finance] = [
          await consoleAs(test, ['support']),
          await consoleAs(test, ['finance']),
        ];
        expect(refusalOf(await signIn(test, ada.email))).toEqual(NEEDS_CODE);
      }
    },
  );

  it('change nothing about a wait that began after they asked', async () => {
    const ada = await openWaiting();
    const id = await requested(ada, 1);
    await cancelRecovery(test, ada.stopCode);
    test.clock.advance(60_000);
    await beginRecoveryOf(test, ada.email);
    const before = await shown(ada);
    expect((await approve(id)).body.state).toBe('stale');
    expect(await shown(ada)).toEqual({ ...before, approval_id: null });
  });

  it('change nothing once the wait has ended', async () => {
    const ada = await openWaiting();
    await passTime(test, 30 * HOUR_MS);
    [support, finance] = [await consoleAs(test, ['support']), await consoleAs(test, ['finance'])];
    const id = await requested(ada, 1);
    await passTime(test, 42 * HOUR_MS);
    finance = await consoleAs(test, ['finance']);
    expect((await approve(id)).body.state).toBe('failed');
    expect((await signIn(test, ada.email)).status).toBe(200);
  });

  it('are overruled by the owner, with any mail, also that of the shortening', async () => {
    const ada = await openWaiting();
    expect((await approve(await requested(ada, 1))).body.state).toBe('executed');
    await test.runJobs();
    expect((await cancelRecovery(test, latestCodeTo(test, ada.email))).status).toBe(200);
    await passTime(test, 2 * HOUR_MS);
    expect(refusalOf(await signIn(test, ada.email))).toEqual(NEEDS_CODE);
  });

  it(
    'and an owner who stops it at the moment of the vote: it stays stopped',
    { tags: 'long' },
    async () => {
      for (let round = 0; round < 4; round += 1) {
        const ada = await openWaiting();
        const id = await requested(ada, 1);
        const [voted, stopped] = await Promise.all([
          approve(id),
          cancelRecovery(test, ada.stopCode),
        ]);
        expect(stopped.status).toBe(200);
        expect(['executed', 'failed']).toContain(voted.body.state);
        expect(await shown(ada)).toBeNull();
      }
    },
  );
});

it('the timeline shows what staff did and what was mailed', async () => {
  const ada = await openWaiting();
  await refuse(ada);
  await test.runJobs();
  const { body } = await support.call('customerTimeline', {
    params: { uuid: ada.uuid },
    query: {},
  });
  const told = body.items.map(
    ({ kind, data }: { kind: string; data: { template?: string; action?: string } }) =>
      `${kind} ${data.template ?? data.action ?? ''}`,
  );
  expect(told).toContain('mail recovery');
  expect(told).toContain('staff recovery.refuse');
});
