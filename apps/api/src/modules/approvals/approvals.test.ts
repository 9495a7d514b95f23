import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import {
  consoleAs,
  createStaffMember,
  signInStaff,
  type ConsoleCaller,
} from '../../../test/console.ts';
import { refusalOf, twenty } from '../../../test/shop.ts';
import { createTestApp, stopClock, type TestAnswer, type TestApp } from '../../../test/test-app.ts';
import { enqueueJob } from '../../platform/jobs/enqueue.ts';

let test: TestApp;
/** The requester: brand staff, who may change settings only by the provider's vote. */
let manager: ConsoleCaller;
/** The voter: provider staff. */
let finance: ConsoleCaller;
beforeAll(async () => {
  test = await createTestApp();
});
// Some tests advance the clock, which ends proofs and sessions.
beforeEach(async () => {
  manager = await consoleAs(test, ['brand_manager'], { organisation: 'brand' });
  finance = await consoleAs(test, ['finance']);
});
afterAll(() => test.close());

const HOUR_MS = 3_600_000;
const REASON = 'As agreed with the brand';

const ask = (
  value: unknown,
  {
    by = manager,
    key = randomUUID(),
    reason = REASON,
  }: { by?: ConsoleCaller; key?: string; reason?: string } = {},
): Promise<TestAnswer> =>
  by.call('changeSetting', {
    params: { id: 'sends_per_day_max' },
    body: { value: value as number, reason },
    key,
  });

const requested = async (value: unknown, by?: ConsoleCaller): Promise<string> => {
  const { status, body } = await ask(value, by === undefined ? {} : { by });
  expect([status, body.outcome]).toEqual([200, 'requested']);
  return body.approval_id;
};
const approve = (
  id: string,
  by: ConsoleCaller = finance,
  key: string = randomUUID(),
): Promise<TestAnswer> => by.call('approveRequest', { params: { id }, key });
const detail = async (id: string, by: ConsoleCaller = finance) =>
  (await by.call('approval', { params: { id } })).body;
async function valueOf(key: string): Promise<unknown> {
  const { body } = await finance.call('settings');
  return body.items.find((setting: { key: string }) => setting.key === key).value;
}
const sendsPerDay = (): Promise<unknown> => valueOf('sends_per_day_max');
/** Waits until the process has been notified of the change. */
const votesArePolicy = (votes: number): Promise<boolean> =>
  vi.waitUntil(async () => (await test.deps.programme()).settingPolicy.votes === votes, 10_000);
const inbox = async (
  by: ConsoleCaller,
  view: 'decide' | 'mine' | 'all' = 'decide',
): Promise<string[]> =>
  (await by.call('approvals', { query: { view } })).body.items.map(({ id }: { id: string }) => id);

/** Another member of the provider's finance team, whose limit of calls per second is unused. */
const another = () => consoleAs(test, ['finance']);

async function auditOf(approvalId: string): Promise<unknown[]> {
  const rows = await test.deps.db
    .selectFrom('audit_entries')
    .select(['action', 'outcome', 'staff_id'])
    .where('approval_id', '=', approvalId)
    .orderBy('seq')
    .execute();
  return rows.map(({ action, outcome, staff_id: staffId }) => [action, outcome, staffId]);
}

describe('the settings', () => {
  it('are answered with their bounds, who changed them, and the request that waits', async () => {
    const id = await requested(6_500);
    const settingOf = async (key: string) =>
      (await finance.call('settings')).body.items.find((item: { key: string }) => item.key === key);
    expect(await settingOf('sends_per_day_max')).toMatchObject({
      bounds: [{ member: '', min: 1, max: 1_000_000_000 }],
      changed: null,
      approval_id: id,
    });
    expect((await approve(id)).body.state).toBe('executed');
    expect(await settingOf('sends_per_day_max')).toMatchObject({
      value: 6_500,
      is_default: false,
      changed: { by: manager.name },
      approval_id: null,
    });
    const votes = { member: 'votes', min: 1, max: 5 };
    const fixed = { member: 'direct_max', min: 0, max: 0 };
    expect((await settingOf('policy_setting')).bounds).toEqual(
      expect.arrayContaining([votes, fixed]),
    );
    expect((await settingOf('policy_credit')).bounds).not.toContainEqual(fixed);
    expect((await finance.call('settings')).body.installation).toEqual({
      time_zone: 'UTC',
      seal_mail_to: null,
    });
  });
});

describe('a request', () => {
  it('[O-143] [O-151] waits, changes nothing, and shows what it would change', async () => {
    const before = await sendsPerDay();
    const id = await requested(1_234);
    expect(await sendsPerDay()).toBe(before);
    expect(await detail(id)).toMatchObject({
      state: 'pending',
      action: 'setting.change',
      subject: { type: 'setting', id: 'sends_per_day_max' },
      reason: REASON,
      after: { value: 1_234 },
      votes_needed: 1,
      votes_given: 0,
      voters: 'other',
      obstacle: null,
      requested_by: { id: manager.staffId, organisation: 'brand' },
    });
    expect((await detail(id)).voter_count).toBeGreaterThan(0);
    expect(await inbox(finance)).toContain(id);
    expect(await inbox(manager)).not.toContain(id);
    expect(await inbox(manager, 'mine')).toContain(id);
  });

  it.each([undefined, '', 'too short', ' '.repeat(20)])(
    '[O-150] is refused with the reason %j',
    async (reason) => {
      const answer = await manager.ask(
        { method: 'POST', path: '/admin/settings/:id' },
        { params: { id: 'sends_per_day_max' }, body: { value: 5, reason } },
      );
      expect(refusalOf(answer)).toEqual({ status: 400, code: 'invalid_request' });
    },
  );

  it('is found by what it is about', async () => {
    const id = await requested(1_500);
    const about = async (subject: string) =>
      (await finance.call('approvals', { query: { view: 'all', subject_id: subject } })).body;
    const { items, count } = await about('sends_per_day_max');
    expect(items[0]).toMatchObject({ id, subject: { type: 'setting', id: 'sends_per_day_max' } });
    expect(count.value).toBe(items.length);
    expect((await about('policy_setting')).items).toEqual([]);
  });

  it('is refused for an invalid value and for an unknown setting', async () => {
    expect(refusalOf(await ask(-1))).toEqual({ status: 400, code: 'invalid_request' });
    const unknown = await manager.call('changeSetting', {
      params: { id: 'no_such_setting' },
      body: { value: 1, reason: REASON },
    });
    expect(refusalOf(unknown)).toEqual({ status: 404, code: 'not_found' });
  });

  it('is made once per key, and a different request with that key is refused', async () => {
    const key = randomUUID();
    const [first, second] = [await ask(77, { key }), await ask(77, { key })];
    expect(second.body).toEqual(first.body);
    expect(refusalOf(await ask(78, { key }))).toEqual({
      status: 409,
      code: 'idempotency_key_reused',
    });
    const other = await consoleAs(test, ['brand_manager'], { organisation: 'brand' });
    expect(refusalOf(await ask(77, { key, by: other }))).toEqual({
      status: 409,
      code: 'idempotency_key_reused',
    });
  });
});

describe('a vote', () => {
  it('carries the request out as its requester, and names who approved it', async () => {
    const id = await requested(1_111);
    expect((await approve(id)).body).toEqual({ state: 'executed', votes_given: 1 });
    expect(await sendsPerDay()).toBe(1_111);
    expect(await auditOf(id)).toEqual([
      ['setting.change', 'requested', manager.staffId],
      ['approval.approve', 'done', finance.staffId],
      ['setting.change', 'done', manager.staffId],
    ]);
    expect((await detail(id)).votes).toMatchObject([
      { staff: { id: finance.staffId }, is_approved: true },
    ]);
    expect(refusalOf(await approve(id))).toEqual({ status: 409, code: 'request_ended' });
  });

  it('[O-147] is refused on a request of one’s own', async () => {
    const owner = await consoleAs(test, ['provider_owner']);
    const id = await requested(2_222, owner);
    expect((await detail(id, owner)).obstacle).toBe('own_request');
    expect(refusalOf(await approve(id, owner))).toEqual({ status: 403, code: 'own_request' });
    const rejected = await owner.call('rejectRequest', {
      params: { id },
      body: { reason: REASON },
    });
    expect(refusalOf(rejected)).toEqual({ status: 403, code: 'own_request' });
  });

  it('[O-148] is refused without a fresh proof', async () => {
    const id = await requested(2_333);
    const stale = await another();
    const advance = stopClock(test);
    advance(6 * 60_000);
    expect(refusalOf(await approve(id, stale))).toEqual({
      status: 403,
      code: 'confirmation_required',
    });
    await stale.prove();
    expect((await approve(id, stale)).body.state).toBe('executed');
  });

  it('[O-154] is refused from the requester’s organisation, and from staff who may not decide', async () => {
    const id = await requested(3_333);
    const colleague = await consoleAs(test, ['brand_manager'], { organisation: 'brand' });
    expect((await detail(id, colleague)).obstacle).toBe('foreign_organisation');
    expect(refusalOf(await approve(id, colleague))).toEqual({
      status: 403,
      code: 'foreign_organisation',
    });
    const support = await consoleAs(test, ['support']);
    expect(refusalOf(await approve(id, support))).toEqual({
      status: 403,
      code: 'permission_missing',
    });
    expect((await approve(id)).body.state).toBe('executed');
  });

  it('[O-153] carries a request out once when twenty votes come at the same time', async () => {
    const id = await requested(4_444);
    const voters = await Promise.all(Array.from({ length: 20 }, another));
    const answers = await twenty((index) => approve(id, voters[index]));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    for (const answer of answers.filter(({ status }) => status !== 200)) {
      expect(refusalOf(answer)).toEqual({ status: 409, code: 'request_ended' });
    }
    const done = (await auditOf(id)).filter((entry) => (entry as string[])[0] === 'setting.change');
    expect(done).toHaveLength(2);
  });

  it('is answered once under one key', async () => {
    const id = await requested(5_555);
    const key = randomUUID();
    // The calls of one person are limited per second.
    test.clock.advance(1_000);
    const answers = await twenty(() => approve(id, finance, key));
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
    expect(answers[0]?.body.state).toBe('executed');
  });

  it('[O-152] ends the request as stale when its subject has changed', async () => {
    const [first, second] = [await requested(6_001), await requested(6_002)];
    expect((await approve(first)).body.state).toBe('executed');
    expect((await approve(second)).body).toEqual({ state: 'stale', votes_given: 1 });
    expect(await sendsPerDay()).toBe(6_001);
    expect((await detail(second)).state).toBe('stale');
  });

  it('counts once per person until the policy’s number is reached', async () => {
    const policy = { direct_max: 0, votes: 2, voters: 'other' };
    const change = await manager.call('changeSetting', {
      params: { id: 'policy_setting' },
      body: { value: policy, reason: REASON },
    });
    expect((await approve(change.body.approval_id, await another())).body.state).toBe('executed');
    await votesArePolicy(2);
    const id = await requested(7_777);
    const [ada, ben, cleo] = [await another(), await another(), await another()];
    expect((await approve(id, cleo)).body).toEqual({ state: 'pending', votes_given: 1 });
    // The vote of somebody who may no longer decide does not count.
    await test.deps.db
      .updateTable('staff')
      .set({ state: 'suspended' })
      .where('id', '=', cleo.staffId)
      .execute();
    expect((await detail(id)).votes_given).toBe(0);
    expect((await approve(id, ada)).body).toEqual({ state: 'pending', votes_given: 1 });
    expect(refusalOf(await approve(id, ada))).toEqual({ status: 409, code: 'already_voted' });
    expect((await approve(id, ben)).body).toEqual({ state: 'executed', votes_given: 2 });
    const back = await manager.call('changeSetting', {
      params: { id: 'policy_setting' },
      body: { value: null, reason: REASON },
    });
    for (const voter of [ada, ben]) await approve(back.body.approval_id, voter);
    await votesArePolicy(1);
  });
});

describe('the end of a request', () => {
  it('comes by the vote if its requester may not ask for it any more', async () => {
    const person = await createStaffMember(test, ['brand_manager'], { organisation: 'brand' });
    const before = await sendsPerDay();
    const id = await requested(8_000, await signInStaff(test, person));
    await test.deps.db
      .updateTable('staff_roles')
      .set({ role_id: 'support' })
      .where('staff_id', '=', person.staffId)
      .execute();
    expect((await approve(id)).body.state).toBe('failed');
    expect((await detail(id)).failure).toBe('permission_missing');
    expect(await sendsPerDay()).toBe(before);
  });

  it('comes by one vote against it, with a reason', async () => {
    const before = await sendsPerDay();
    const id = await requested(8_001);
    const answer = await finance.call('rejectRequest', {
      params: { id },
      body: { reason: 'Not agreed with us' },
    });
    expect(answer.body).toEqual({ state: 'rejected', votes_given: 0 });
    expect((await detail(id)).votes).toMatchObject([
      { is_approved: false, reason: 'Not agreed with us' },
    ]);
    expect(refusalOf(await approve(id))).toEqual({ status: 409, code: 'request_ended' });
    expect(await sendsPerDay()).toBe(before);
  });

  it('comes when its requester, and nobody else, withdraws it', async () => {
    const id = await requested(8_002);
    const other = await finance.call('withdrawRequest', { params: { id } });
    expect(refusalOf(other)).toEqual({ status: 404, code: 'not_found' });
    const answer = await manager.call('withdrawRequest', { params: { id } });
    expect(answer.body.state).toBe('withdrawn');
    expect(refusalOf(await approve(id))).toEqual({ status: 409, code: 'request_ended' });
  });

  it("[O-149] comes by itself after '72 h'", async () => {
    const advance = stopClock(test);
    const id = await requested(8_003);
    advance(72 * HOUR_MS - 1);
    const early = await another();
    expect((await detail(id, early)).obstacle).toBeNull();
    advance(1);
    const late = await another();
    expect(refusalOf(await approve(id, late))).toEqual({ status: 409, code: 'request_ended' });
    await enqueueJob(test.deps.db, 'approvals_end_expired', {});
    await test.runJobs();
    expect((await detail(id, late)).state).toBe('expired');
  });

  it('comes when its requester is suspended', async () => {
    const person = await createStaffMember(test, ['brand_manager'], { organisation: 'brand' });
    const id = await requested(8_004, await signInStaff(test, person));
    const owner = await consoleAs(test, ['provider_owner']);
    const suspended = await owner.call('suspendStaff', {
      params: { id: person.staffId },
      body: { reason: 'Has left the company' },
    });
    expect(suspended.status).toBe(200);
    expect((await detail(id, owner)).state).toBe('withdrawn');
  });
});
