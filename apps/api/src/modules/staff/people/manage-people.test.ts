import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { consoleAs, createStaffMember, type ConsoleCaller } from '../../../../test/console.ts';
import { waitForLock } from '../../../../test/wait-for-lock.ts';
import { askAsGuest, enrolPerson, STAFF_PASSWORD } from '../../../../test/staff-accounts.ts';
import {
  createTestApp,
  stopClock,
  type TestAnswer,
  type TestApp,
} from '../../../../test/test-app.ts';

const REASON = 'Decided by the steering group.';
const STEP_MS = 30_000;

let test: TestApp;
let advance: (byMs: number) => void;
let owner: ConsoleCaller;
beforeAll(async () => {
  test = await createTestApp();
});
beforeEach(async () => {
  advance = stopClock(test);
  await test.deps.db.updateTable('staff').set({ state: 'left' }).execute();
  owner = await consoleAs(test, ['provider_owner']);
});
afterAll(() => test.close());

const outcomeOf = ({ status, body }: TestAnswer) => [status, body.code ?? 'ok'];
const OK = [200, 'ok'];

type Act = 'suspendStaff' | 'reactivateStaff' | 'endStaff' | 'resetStaff';
const act = (by: ConsoleCaller, name: Act, { staffId }: { staffId: string }): Promise<TestAnswer> =>
  by.call(name, { params: { id: staffId }, body: { reason: REASON } });

async function give(
  by: ConsoleCaller,
  { staffId }: { staffId: string },
  roleIds: string[],
): Promise<TestAnswer> {
  const { body } = await by.call('staffMember', { params: { id: staffId } });
  return by.call('changeStaffRoles', {
    params: { id: staffId },
    version: body.version,
    body: { role_ids: roleIds, venue_ids: [], reason: REASON },
  });
}
/** Has another owner approve a request. */
async function agree({ body }: TestAnswer): Promise<string> {
  expect(body.outcome).toBe('requested');
  const second = await consoleAs(test, ['provider_owner']);
  const voted = await second.call('approveRequest', { params: { id: body.approval_id } });
  return voted.body.state;
}
const stateOf = async ({ staffId }: { staffId: string }): Promise<string> =>
  (await owner.call('staffMember', { params: { id: staffId } })).body.state;

describe('suspending a person', () => {
  it('[O-022] ends all their sessions at once, and records who did it and why', async () => {
    const ada = await enrolPerson(test, ['support']);
    advance(STEP_MS);
    await ada.signIn();
    expect(outcomeOf(await act(owner, 'suspendStaff', ada))).toEqual(OK);
    expect(outcomeOf(await ada.caller.call('me'))).toEqual([401, 'session_ended']);
    advance(STEP_MS);
    expect((await ada.signIn()).status).toBe(401);
    const { items } = (await owner.call('auditEntries', { query: { subject_id: ada.staffId } }))
      .body;
    expect(items[0]).toMatchObject({ action: 'staff.suspend', staff: { id: owner.staffId } });
    const entry = await owner.call('auditEntry', { params: { id: items[0].id } });
    expect(entry.body).toMatchObject({
      before: { state: 'active' },
      after: { state: 'suspended', reason: REASON },
    });
    expect(outcomeOf(await act(owner, 'suspendStaff', ada))).toEqual([409, 'staff_state']);
  });

  it('brings no session back when they are let in again', async () => {
    const ada = await enrolPerson(test, ['support']);
    await act(owner, 'suspendStaff', ada);
    expect(outcomeOf(await act(owner, 'reactivateStaff', ada))).toEqual(OK);
    expect(outcomeOf(await ada.caller.call('me'))).toEqual([401, 'session_ended']);
    advance(STEP_MS);
    expect((await ada.signIn()).status).toBe(200);
  });

  it('works only on others: nobody suspends, resets or changes themselves', async () => {
    for (const name of ['suspendStaff', 'resetStaff'] as const) {
      expect(outcomeOf(await act(owner, name, owner))).toEqual([403, 'own_account']);
    }
    expect(outcomeOf(await give(owner, owner, ['auditor']))).toEqual([403, 'own_account']);
  });
});

describe('the last provider owner', () => {
  it('[O-023] is not suspended, demoted, reset or removed', async () => {
    // A custom role whose holder may manage everybody.
    await test.deps.db
      .insertInto('roles')
      .values({
        id: 'people_lead',
        title: 'People',
        grants: { 'staff.manage': '◐✔', 'staff.read': '●' },
      })
      .onConflict((conflict) => conflict.doNothing())
      .execute();
    const lead = await consoleAs(test, ['people_lead']);
    for (const name of ['suspendStaff', 'resetStaff', 'endStaff'] as const) {
      expect(outcomeOf(await act(lead, name, owner))).toEqual([409, 'last_owner']);
    }
    expect(outcomeOf(await give(lead, owner, ['finance']))).toEqual([409, 'last_owner']);
    expect(outcomeOf(await act(owner, 'endStaff', owner))).toEqual([409, 'last_owner']);
    const second = await consoleAs(test, ['provider_owner']);
    expect(outcomeOf(await act(second, 'endStaff', second))).toEqual(OK);
    expect(await stateOf(owner)).toBe('active');
  });

  it('[O-023] stays when twenty owners leave at once', async () => {
    const owners = [owner];
    while (owners.length < 20) owners.push(await consoleAs(test, ['provider_owner']));
    const answers = await Promise.all(owners.map((one) => act(one, 'endStaff', one)));
    expect(answers.filter(({ body }) => body.code === 'last_owner')).toHaveLength(1);
    expect(answers.filter(({ status }) => status >= 500)).toEqual([]);
    const active = await test.deps.db
      .selectFrom('staff')
      .select('id')
      .where('state', '=', 'active')
      .execute();
    expect(active).toHaveLength(1);
  });
});

describe('brand staff', () => {
  it('[O-034] manage brand staff only, and no role that they do not hold themselves', async () => {
    const manager = await consoleAs(test, ['brand_manager'], { organisation: 'brand' });
    const editor = await createStaffMember(test, ['catalogue_editor'], { organisation: 'brand' });
    const support = await createStaffMember(test, ['support']);
    expect(outcomeOf(await act(manager, 'suspendStaff', support))).toEqual([403, 'foreign_staff']);
    expect(outcomeOf(await give(manager, support, ['catalogue_editor']))).toEqual([
      403,
      'foreign_staff',
    ]);
    expect(outcomeOf(await act(manager, 'suspendStaff', editor))).toEqual(OK);
    expect(outcomeOf(await give(manager, editor, ['catalogue_editor', 'finance']))).toEqual([
      403,
      'permission_not_held',
    ]);
    expect(await agree(await give(manager, editor, ['brand_manager']))).toBe('executed');
    const invite = (organisation: 'brand' | 'provider', roleId: string) =>
      manager.call('inviteStaff', {
        body: {
          email: `new-${randomUUID()}@athos.example`,
          name: 'New',
          organisation,
          role_ids: [roleId],
          venue_ids: [],
          reason: REASON,
        },
      });
    expect(outcomeOf(await invite('provider', 'catalogue_editor'))).toEqual([403, 'foreign_staff']);
    expect(outcomeOf(await invite('brand', 'provider_owner'))).toEqual([
      403,
      'permission_not_held',
    ]);
    expect(outcomeOf(await invite('brand', 'catalogue_editor'))).toEqual(OK);
  });
});

describe('roles of a person', () => {
  it('change under the version that was seen, and apply from the next call', async () => {
    const ada = await consoleAs(test, ['support']);
    expect(outcomeOf(await ada.call('staffList'))).toEqual([403, 'permission_missing']);
    const before = (await owner.call('staffMember', { params: { id: ada.staffId } })).body;
    expect(outcomeOf(await give(owner, ada, ['support', 'auditor']))).toEqual([
      409,
      'roles_conflict',
    ]);
    expect(outcomeOf(await give(owner, ada, ['auditor']))).toEqual(OK);
    expect(outcomeOf(await ada.call('staffList'))).toEqual(OK);
    const stale = await owner.call('changeStaffRoles', {
      params: { id: ada.staffId },
      version: before.version,
      body: { role_ids: ['finance'], venue_ids: [], reason: REASON },
    });
    expect(outcomeOf(stale)).toEqual([412, 'version_conflict']);
    expect(stale.body.present).toMatchObject({ roles: [{ id: 'auditor' }] });
  });

  it('cannot make anybody outside the provider an owner', async () => {
    const brand = await createStaffMember(test, ['brand_manager'], { organisation: 'brand' });
    expect(outcomeOf(await give(owner, brand, ['provider_owner']))).toEqual([
      409,
      'roles_conflict',
    ]);
  });
});

describe('custom roles', () => {
  const role = (grants: object, more: object = {}) => ({
    id: `role_${randomUUID().slice(0, 8).replaceAll('-', '')}`,
    title: 'Night desk',
    grants,
    reason: REASON,
    ...more,
  });
  const create = (by: ConsoleCaller, body: object): Promise<TestAnswer> =>
    by.ask({ method: 'POST', path: '/admin/roles' }, { body });

  it('[O-033] grant nothing that their maker does not hold', async () => {
    const refused = await create(owner, role({ 'customers.read': '●', 'catalogue.edit': '●' }));
    expect(outcomeOf(refused)).toEqual([403, 'permission_not_held']);
    expect(refused.body.permission).toBe('catalogue.edit');
    const body = role({ 'customers.read': '●' });
    expect(await agree(await create(owner, body))).toBe('executed');
    expect(outcomeOf(await create(owner, body))).toEqual([409, 'role_exists']);
    const change = await owner.call('changeRole', {
      params: { id: body.id },
      version: 1,
      body: { title: 'Day desk', grants: { 'campaigns.edit': '●' }, reason: REASON },
    });
    expect(outcomeOf(change)).toEqual([403, 'permission_not_held']);
    const ada = await createStaffMember(test, ['support']);
    expect(await agree(await give(owner, ada, ['support', body.id]))).toBe('executed');
  });

  it('can decide on requests only if their maker can', async () => {
    const manager = await consoleAs(test, ['brand_manager'], { organisation: 'brand' });
    const refused = await create(manager, role({ 'staff.manage': '◐✔' }));
    expect(outcomeOf(refused)).toEqual([403, 'permission_not_held']);
    expect(await agree(await create(manager, role({ 'staff.manage': '◐' })))).toBe('executed');
  });

  it('accept only marks of the same kind as the built-in ones', async () => {
    expect(outcomeOf(await create(owner, role({ 'customers.adjust': '●' })))).toEqual([
      400,
      'invalid_request',
    ]);
    expect(outcomeOf(await create(owner, role({ 'no.such': '●' })))).toEqual([
      400,
      'invalid_request',
    ]);
  });

  it('change for everybody who holds them, and can be deleted once nobody does', async () => {
    const body = role({ 'customers.read': '●' });
    await agree(await create(owner, body));
    const ada = await consoleAs(test, ['auditor', body.id]);
    const change = (grants: object, version: number) =>
      owner.ask(
        { method: 'PUT', path: '/admin/roles/:id' },
        { params: { id: body.id }, version, body: { title: 'Desk', grants, reason: REASON } },
      );
    expect(outcomeOf(await change({ 'customers.note': '●' }, 1))).toEqual([409, 'roles_conflict']);
    const widened = await change({ 'jobs.read': '●', 'system.read': '●' }, 1);
    const params = { id: widened.body.approval_id };
    const shown = (await owner.call('approval', { params })).body;
    expect([shown.before, shown.after]).toEqual([
      { title: 'Night desk', 'customers.read': '●' },
      { title: 'Desk', 'jobs.read': '●', 'system.read': '●' },
    ]);
    expect(await agree(widened)).toBe('executed');
    expect((await ada.call('me')).body.grants).toMatchObject({ 'jobs.read': '●' });
    expect(outcomeOf(await change({ 'jobs.read': '●' }, 1))).toEqual([412, 'version_conflict']);
    // Removing a permission needs no vote.
    const changed = await change({ 'jobs.read': '●' }, 2);
    expect(changed.body).toEqual({ outcome: 'done', version: 3 });
    const remove = (id: string) => owner.call('deleteRole', { params: { id } });
    expect(outcomeOf(await remove(body.id))).toEqual([409, 'role_in_use']);
    await give(owner, ada, ['auditor']);
    expect(outcomeOf(await remove(body.id))).toEqual(OK);
    expect(outcomeOf(await remove('support'))).toEqual([409, 'built_in_role']);
    expect(outcomeOf(await remove('no_such_role'))).toEqual([404, 'not_found']);
    const { items } = (await owner.call('roleList')).body;
    expect(items.map(({ id }: { id: string }) => id)).not.toContain(body.id);
    expect(items[0]).toMatchObject({ is_built_in: true });
  });
});

describe('giving roles that can move money', () => {
  const invite = (by: ConsoleCaller, roleId: string) =>
    by.call('inviteStaff', {
      body: {
        email: `new-${randomUUID()}@athos.example`,
        name: 'New',
        organisation: 'provider',
        role_ids: [roleId],
        venue_ids: [],
        reason: REASON,
      },
    });

  it.each(['support', 'finance', 'brand_manager', 'provider_owner'] as const)(
    'takes the vote of another owner: %s',
    async (roleId) => {
      const ada = await createStaffMember(test, ['catalogue_editor']);
      const rolesOf = async () =>
        (await owner.call('staffMember', { params: { id: ada.staffId } })).body.roles;
      const answer = await give(owner, ada, [roleId]);
      expect(answer.body.outcome).toBe('requested');
      const id: string = answer.body.approval_id;
      expect(outcomeOf(await owner.call('approveRequest', { params: { id } }))).toEqual([
        403,
        'own_request',
      ]);
      expect(await rolesOf()).toMatchObject([{ id: 'catalogue_editor' }]);
      expect(await agree(answer)).toBe('executed');
      expect(await rolesOf()).toMatchObject([{ id: roleId }]);
    },
  );

  it('is done at once for roles that move none, and for what the person holds already', async () => {
    const ada = await createStaffMember(test, ['finance']);
    expect(outcomeOf(await give(owner, ada, ['finance', 'catalogue_editor']))).toEqual(OK);
    expect(outcomeOf(await give(owner, ada, ['scanner_lead']))).toEqual(OK);
    expect(outcomeOf(await invite(owner, 'auditor'))).toEqual(OK);
  });

  it('invites nobody under the id of somebody else', async () => {
    const ada = await createStaffMember(test, ['finance']);
    const body = {
      email: `new-${randomUUID()}@athos.example`,
      name: 'New',
      organisation: 'provider' as const,
      role_ids: ['auditor'],
      venue_ids: [],
      reason: REASON,
    };
    const answer = await owner.call('inviteStaff', { body, key: ada.staffId });
    expect(outcomeOf(answer)).toEqual([409, 'staff_exists']);
  });

  it('invites a person only once another owner has agreed', async () => {
    await test.runJobs();
    test.mails.length = 0;
    const answer = await invite(owner, 'finance');
    await test.runJobs();
    expect(test.mails).toEqual([]);
    expect(await agree(answer)).toBe('executed');
    await test.runJobs();
    expect(test.mails).toHaveLength(1);
    expect(await stateOf({ staffId: answer.body.approval_id })).toBe('invited');
  });

  it('is decided by nobody for themselves, and by nobody who only asks', async () => {
    const second = await consoleAs(test, ['provider_owner']);
    const manager = await consoleAs(test, ['brand_manager'], { organisation: 'brand' });
    const { body } = await give(owner, second, ['provider_owner', 'finance']);
    for (const [voter, code] of [
      [second, 'own_account'],
      [manager, 'permission_missing'],
    ] as const) {
      const vote = await voter.call('approveRequest', { params: { id: body.approval_id } });
      expect(outcomeOf(vote)).toEqual([403, code]);
      const inbox = (await voter.call('approvals')).body.items;
      expect(inbox.map(({ id }: { id: string }) => id)).not.toContain(body.approval_id);
    }
  });

  it('is decided by nobody who holds the role that is to grant more', async () => {
    const maker = await consoleAs(test, ['provider_owner', 'support']);
    const id = 'desk_lead';
    const body = { title: 'Desk lead', grants: { 'customers.read': '●' as const }, reason: REASON };
    const created = await maker.call('createRole', { body: { id, ...body } });
    expect(await agree(created)).toBe('executed');
    const holder = await consoleAs(test, ['provider_owner']);
    expect(await agree(await give(owner, holder, ['provider_owner', id]))).toBe('executed');
    const widened = await maker.call('changeRole', {
      params: { id },
      version: 1,
      body: { ...body, grants: { 'customers.read': '●', 'customers.note': '●' } },
    });
    const params = { id: widened.body.approval_id };
    expect(outcomeOf(await holder.call('approveRequest', { params }))).toEqual([
      403,
      'own_account',
    ]);
    expect((await holder.call('approval', { params })).body.obstacle).toBe('own_account');
    const inbox = (await holder.call('approvals')).body.items;
    expect(inbox.map((request: { id: string }) => request.id)).not.toContain(params.id);
    expect(await agree(widened)).toBe('executed');
  });

  it('ends as stale once the person, or a role of the programme, is another than was shown', async () => {
    const ada = await createStaffMember(test, ['catalogue_editor']);
    const request = await give(owner, ada, ['support']);
    await give(owner, ada, ['scanner_lead']);
    expect(await agree(request)).toBe('stale');
  });

  it('fails if whoever asked may not ask any more', async () => {
    const lead = await consoleAs(test, ['provider_owner']);
    const ada = await createStaffMember(test, ['catalogue_editor']);
    const request = await give(lead, ada, ['support']);
    expect(outcomeOf(await give(owner, lead, ['auditor']))).toEqual(OK);
    expect(await agree(request)).toBe('failed');
  });

  it('gives it once when twenty owners vote while the person is suspended', async () => {
    const ada = await createStaffMember(test, ['catalogue_editor']);
    const { body } = await give(owner, ada, ['support']);
    const voters: ConsoleCaller[] = [];
    while (voters.length < 20) voters.push(await consoleAs(test, ['provider_owner']));
    const params = { id: body.approval_id };
    const [suspended, ...votes] = await Promise.all([
      act(owner, 'suspendStaff', ada),
      ...voters.map((voter) => voter.call('approveRequest', { params })),
    ]);
    expect(outcomeOf(suspended)).toEqual(OK);
    expect(votes.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(votes.filter(({ status }) => status >= 500)).toEqual([]);
    const entries = await owner.call('auditEntries', {
      query: { subject_id: ada.staffId, action: 'staff.roles', outcome: 'done' },
    });
    // Once suspended, the person differs from what the voters were shown.
    const executed = votes.filter(({ body: vote }) => vote.state === 'executed');
    expect(entries.body.items).toHaveLength(executed.length);
  });

  it('cannot be done by an only owner', async () => {
    const ada = await createStaffMember(test, ['catalogue_editor']);
    const { body } = await give(owner, ada, ['support']);
    const request = await owner.call('approval', { params: { id: body.approval_id } });
    expect(request.body).toMatchObject({ state: 'pending', voter_count: 0 });
    const othersDeciding = async () => (await owner.call('approvals')).body.other_decider_count;
    expect(await othersDeciding()).toBe(0);
    await consoleAs(test, ['provider_owner']);
    expect(await othersDeciding()).toBe(1);
  });
});

describe('a person who lost everything, or leaves', () => {
  it('is reset by an owner, and can come back only by a new invite', async () => {
    const ada = await enrolPerson(test, ['support']);
    await test.runJobs();
    advance(STEP_MS);
    expect(outcomeOf(await act(owner, 'resetStaff', ada))).toEqual(OK);
    expect(outcomeOf(await ada.caller.call('me'))).toEqual([401, 'session_ended']);
    expect((await ada.signIn()).status).toBe(401);
    test.mails.length = 0;
    await test.runJobs();
    expect(test.mails.map(({ to }) => to)).toEqual([ada.email]);
    expect(await stateOf(ada)).toBe('invited');
  });

  it('regains no session with the new invite, not even one in use during the reset', async () => {
    const ada = await enrolPerson(test, ['support']);
    await test.runJobs();
    await test.deps.db.transaction().execute(async (tx) => {
      const own = tx.selectFrom('staff_sessions').select('id').where('staff_id', '=', ada.staffId);
      await own.forUpdate().execute();
      expect(outcomeOf(await act(owner, 'resetStaff', ada))).toEqual(OK);
    });
    test.mails.length = 0;
    await test.runJobs();
    const [, code = ''] = /invite#([\w-]+)/.exec(test.mails[0]?.text ?? '') ?? [];
    const body = { code, name: ada.name, password: STAFF_PASSWORD };
    expect((await askAsGuest(test, 'acceptInvite', body)).status).toBe(200);
    expect(outcomeOf(await ada.caller.call('me'))).toEqual([401, 'session_ended']);
  });

  it('keeps neither password nor factors after leaving, and cannot come back', async () => {
    const ada = await enrolPerson(test, ['support']);
    expect(outcomeOf(await act(owner, 'endStaff', ada))).toEqual(OK);
    const factors = await test.deps.db
      .selectFrom('staff_factors')
      .select('id')
      .where('staff_id', '=', ada.staffId)
      .execute();
    expect(factors).toEqual([]);
    for (const name of ['reactivateStaff', 'resetStaff', 'suspendStaff', 'endStaff'] as const) {
      expect(outcomeOf(await act(owner, name, ada))).toEqual([409, 'staff_state']);
    }
    expect(outcomeOf(await give(owner, ada, ['support']))).toEqual([409, 'staff_state']);
  });
});

describe('sessions of others', () => {
  it('end one by one, or all at once', async () => {
    const ada = await enrolPerson(test, ['support']);
    advance(STEP_MS);
    await ada.signIn();
    const { sessions } = (await owner.call('staffMember', { params: { id: ada.staffId } })).body;
    expect(sessions).toHaveLength(2);
    const one = { id: ada.staffId, session_id: ada.caller.sessionId };
    expect(outcomeOf(await owner.call('endStaffSession', { params: one }))).toEqual(OK);
    expect(outcomeOf(await owner.call('endStaffSession', { params: one }))).toEqual([
      404,
      'not_found',
    ]);
    expect(outcomeOf(await ada.caller.call('me'))).toEqual([401, 'session_ended']);
    expect(
      outcomeOf(await owner.call('endStaffSessions', { params: { id: ada.staffId } })),
    ).toEqual(OK);
    const member = await owner.call('staffMember', { params: { id: ada.staffId } });
    expect(member.body.sessions).toEqual([]);
  });

  it('end after an act that is under way, which nothing holds up meanwhile', async () => {
    const ada = await consoleAs(test, ['support']);
    const end = await test.deps.db.transaction().execute(async (tx) => {
      // Takes the locks of an act in their order: the session for its proof, then the person.
      await sql`select from staff_sessions where id = ${ada.sessionId} for update`.execute(tx);
      const ending = owner.call('endStaffSessions', { params: { id: ada.staffId } });
      await waitForLock(test);
      await sql`select from staff where id = ${ada.staffId}::uuid for no key update nowait`.execute(
        tx,
      );
      return { ending };
    });
    // The wait for a lock is limited.
    expect([OK, [503, 'try_again']]).toContainEqual(outcomeOf(await end.ending));
    await owner.call('endStaffSessions', { params: { id: ada.staffId } });
    expect(outcomeOf(await ada.call('me'))).toEqual([401, 'session_ended']);
  });

  it('are named by somebody else, also after the person has named one', async () => {
    const user = await test.createUser();
    const ada = await consoleAs(test, ['support'], { walletUuid: user.uuid });
    const set = (uuid: string | null) =>
      owner.call('setStaffWallet', {
        params: { id: ada.staffId },
        body: { wallet_uuid: uuid, reason: REASON },
      });
    expect(outcomeOf(await set(randomUUID()))).toEqual([404, 'recipient_not_found']);
    expect(outcomeOf(await set(null))).toEqual(OK);
    expect((await ada.call('me')).body.wallet_uuid).toBeNull();
  });
});

it('lists people by name in pages, filtered by state, role and organisation', async () => {
  const names = ['Zoe', 'Ada', 'Ben'];
  for (const name of names) {
    await createStaffMember(test, ['finance'], {
      name,
      email: `${name.toLowerCase()}-${randomUUID()}@athos.example`,
    });
  }
  await createStaffMember(test, ['catalogue_editor'], { organisation: 'brand' });
  const query = { role: 'finance', state: 'active', limit: 2 } as const;
  const first = (await owner.call('staffList', { query })).body;
  expect(first.items.map(({ name }: { name: string }) => name)).toEqual(['Ada', 'Ben']);
  expect(first.count).toEqual({ value: 3, is_at_least: false });
  const second = (await owner.call('staffList', { query: { ...query, cursor: first.next_cursor } }))
    .body;
  expect(second.items.map(({ name }: { name: string }) => name)).toEqual(['Zoe']);
  expect(second.next_cursor).toBeNull();
  const brand = (
    await owner.call('staffList', { query: { organisation: 'brand', state: 'active' } })
  ).body;
  expect(brand.items).toHaveLength(1);
});
