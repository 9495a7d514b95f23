/** How staff handle display names and handles (decision 0067). */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { openUser, PASSWORD, signIn } from '../../../test/accounts.ts';
import { consoleAs, type ConsoleCaller } from '../../../test/console.ts';
import { refusalOf } from '../../../test/shop.ts';
import { createTestApp, type TestApp, type TestUser } from '../../../test/test-app.ts';
import { enqueueJob } from '../../platform/jobs/enqueue.ts';

const DAY_MS = 24 * 60 * 60_000;
const REASON = 'Passes for our ticket desk';
const TAKEN = { status: 409, code: 'handle_taken' };

let test: TestApp;
let support: ConsoleCaller;
beforeAll(async () => {
  test = await createTestApp();
});
// Time passes in these tests, which ends sessions.
beforeEach(async () => {
  support = await consoleAs(test, ['support']);
});
afterAll(() => test.close());

const choose = (user: TestUser, path: string, payload: object) =>
  test.request({ method: 'POST', url: `/api/account/${path}`, user, payload });
const setName = (user: TestUser, name: string | null) =>
  choose(user, 'display_name', { display_name: name, shows_name: true });
const setHandle = (user: TestUser, handle: string | null) =>
  choose(user, 'handle', { handle, is_findable: true });
const lookUp = async (user: TestUser, text: string) =>
  (await choose(user, 'recipient', { text })).body;

interface Removed {
  readonly display_name?: string;
  readonly handle?: string;
}
const remove = ({ uuid }: { uuid: string }, what: Removed, by: ConsoleCaller = support) =>
  by.call('removePublicNames', { params: { uuid }, body: { ...what, reason: REASON } });
const shown = async ({ uuid }: TestUser) =>
  (await support.call('customer', { params: { uuid } })).body.public_names;

let count = 0;
/** A handle that looks like no other in these tests. */
const newHandle = (): string =>
  `desk_${String((count += 1))
    .replaceAll('0', 'x')
    .replaceAll('1', 'y')}`;

describe('a display name that staff remove', () => {
  it('is gone at once, leaves the handle, and another one can be chosen', async () => {
    const [ada, ben] = [await test.createUser(), await test.createUser()];
    const handle = newHandle();
    await setName(ada, 'Ticket desk');
    await setHandle(ada, handle);
    expect(await shown(ada)).toEqual({
      display_name: 'Ticket desk',
      shows_name: true,
      handle,
      is_findable: true,
    });
    expect((await remove(ada, { display_name: 'Ticket desk' })).body).toEqual({ success: true });
    expect(await lookUp(ben, `@${handle}`)).toEqual({
      exists: true,
      uuid: ada.uuid,
      is_first_time: true,
    });
    expect(await shown(ada)).toMatchObject({ display_name: null, handle });
    await setName(ada, 'Ada');
    expect(await lookUp(ben, ada.uuid)).toMatchObject({ name: 'Ada' });
  });

  it('is what they saw: one that was chosen since stays, and nothing else is removed with it', async () => {
    const ada = await test.createUser();
    const handle = newHandle();
    await setName(ada, 'Ada');
    await setHandle(ada, handle);
    const both = await remove(ada, { display_name: 'Ticket desk', handle });
    expect(refusalOf(both)).toEqual({ status: 409, code: 'state_changed' });
    expect(await shown(ada)).toMatchObject({ display_name: 'Ada', handle });
    expect(refusalOf(await remove(ada, { handle: 'ticket_desk' })).code).toBe('state_changed');
  });
});

describe('a handle that staff remove', () => {
  it('finds nobody, and is for nobody again: not for its owner, and in no spelling', async () => {
    const [ada, ben] = [await test.createUser(), await test.createUser()];
    await setHandle(ada, 'b0x_office');
    expect((await remove(ada, { handle: 'b0x_office' })).status).toBe(200);
    expect(await lookUp(ben, '@b0x_office')).toEqual({ exists: false, uuid: null });
    expect((await shown(ada)).handle).toBeNull();
    expect(refusalOf(await setHandle(ben, 'box_0ffice'))).toEqual(TAKEN);
    // Advances beyond the year after which a handle that was given up is free, and runs the job that frees it.
    for (const days of [31, 400]) {
      test.clock.advance(days * DAY_MS);
      await enqueueJob(test.deps.db, 'profiles_prune', {});
      await test.runJobs();
      for (const handle of ['b0x_office', 'box_office', 'boxoff1ce']) {
        const [one, other] = [await test.createUser(), await test.createUser()];
        expect(refusalOf(await setHandle(one, handle))).toEqual(TAKEN);
        expect(refusalOf(await setHandle(other, handle))).toEqual(TAKEN);
      }
    }
  });

  it('stays blocked for its owner after 30 days, who then gets another one', async () => {
    const ada = await openUser(test);
    const handle = newHandle();
    await setHandle(ada, handle);
    await remove(ada, { handle });
    expect(refusalOf(await setHandle(ada, newHandle())).code).toBe('handle_changed_lately');
    test.clock.advance(31 * DAY_MS);
    const { body } = await signIn(test, ada.email);
    const again = { ...ada, token: String(body.token) };
    expect(refusalOf(await setHandle(again, handle))).toEqual(TAKEN);
    expect((await setHandle(again, newHandle())).status).toBe(200);
  });

  it('stays blocked after its owner has left, without a trace of whose it was', async () => {
    const [ada, ben] = [await openUser(test), await test.createUser()];
    const handle = newHandle();
    await setHandle(ada, handle);
    await remove(ada, { handle });
    expect((await choose(ada, 'delete', { password: PASSWORD })).status).toBe(200);
    await test.runJobs();
    const row = await test.admin
      .selectFrom('handles')
      .select(['user_id', 'handle'])
      .where('removed_at', 'is not', null)
      .orderBy('claimed_at', 'desc')
      .limit(1)
      .executeTakeFirst();
    expect(row).toEqual({ user_id: null, handle: null });
    expect(refusalOf(await setHandle(ben, handle))).toEqual(TAKEN);
  });

  it('at the moment its owner gives it up: it is removed, or they were first', async () => {
    for (let round = 0; round < 5; round += 1) {
      const ada = await test.createUser();
      const handle = newHandle();
      await setHandle(ada, handle);
      const [removed] = await Promise.all([remove(ada, { handle }), setHandle(ada, null)]);
      expect([200, 409]).toContain(removed.status);
      expect((await shown(ada)).handle).toBeNull();
    }
  });

  it('by two at once is removed once', async () => {
    const ada = await test.createUser();
    const handle = newHandle();
    await setHandle(ada, handle);
    const answers = await Promise.all([remove(ada, { handle }), remove(ada, { handle })]);
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(answers.filter(({ body }) => body.code === 'state_changed')).toHaveLength(1);
  });
});

it('needs a role that may place holds, a reason, and something that is not one’s own', async () => {
  const ada = await test.createUser();
  await setName(ada, 'Ada');
  for (const role of ['brand_manager', 'scanner_lead', 'auditor'] as const) {
    const caller = await consoleAs(test, [role]);
    expect(refusalOf(await remove(ada, { display_name: 'Ada' }, caller)).code).toBe(
      'permission_missing',
    );
  }
  const own = await consoleAs(test, ['support'], { walletUuid: ada.uuid });
  expect(refusalOf(await remove(ada, { display_name: 'Ada' }, own)).code).toBe('own_account');
  expect((await remove(ada, {})).status).toBe(400);
  expect((await remove(ada, { display_name: '' })).status).toBe(400);
  expect((await remove(ada, { handle: 'x'.repeat(300) })).status).toBe(400);
  expect((await remove({ uuid: randomUUID() }, { display_name: 'Ada' })).status).toBe(404);
  expect((await shown(ada)).display_name).toBe('Ada');
});

it('the audit says who removed what, and forgets it with the customer', async () => {
  const ada = await openUser(test);
  await setName(ada, 'Ticket desk');
  await remove(ada, { display_name: 'Ticket desk' });
  const auditor = await consoleAs(test, ['auditor']);
  const { body } = await auditor.call('auditEntries', { query: { subject_id: ada.uuid } });
  expect(body.items[0]).toMatchObject({
    action: 'names.remove',
    outcome: 'done',
    staff: { id: support.staffId },
  });
  const details = async () =>
    test.admin
      .selectFrom('audit_entries')
      .innerJoin('audit_details', 'audit_details.seq', 'audit_entries.seq')
      .select('details')
      .where('subject_id', '=', ada.uuid)
      .where('action', '=', 'names.remove')
      .executeTakeFirst();
  expect((await details())?.details).toContain('Ticket desk');
  expect((await choose(ada, 'delete', { password: PASSWORD })).status).toBe(200);
  await test.runJobs();
  expect(await details()).toEqual({ details: null });
});
