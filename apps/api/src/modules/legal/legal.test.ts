/** Legal texts as versions, and customers who must accept the terms in force before they move value. */
import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { legal as builtIn } from '@athos/brand/legal';
import { api } from '@athos/contract/api';
import type { Call } from '@athos/contract/call';
import type { LegalKind } from '@athos/contract/legal';
import { codeIn, mailsTo, PASSWORD, register, verify } from '../../../test/accounts.ts';
import { consoleAs, type ConsoleCaller } from '../../../test/console.ts';
import { expectBooksBalance } from '../../../test/expect-books-balance.ts';
import { openSecondApp, type SecondApp } from '../../../test/second-app.ts';
import { ath, balanceOf, refusalOf, twenty } from '../../../test/shop.ts';
import {
  createTestApp,
  type TestAnswer,
  type TestApp,
  type TestUser,
} from '../../../test/test-app.ts';

const HOUR_MS = 60 * 60_000;
const DAY_MS = 24 * HOUR_MS;
const REASON = 'Our lawyers have written them anew';
const bodyOf = (label: string): string =>
  `These are the terms ${label}.\n\n## Your account\n\nYou may open one.\n\nIt is yours.`;

let test: TestApp;
let second: SecondApp;
let manager: ConsoleCaller;
let owner: ConsoleCaller;
beforeAll(async () => {
  test = await createTestApp();
  second = await openSecondApp(test);
  for (const { notifications } of [test.deps, second.deps]) {
    await vi.waitFor(() => expect(notifications.isListening()).toBe(true), 10_000);
  }
});
beforeEach(async () => {
  manager = await consoleAs(test, ['brand_manager'], { organisation: 'brand' });
  owner = await consoleAs(test, ['provider_owner']);
});
afterAll(async () => {
  await expectBooksBalance(test.deps.config.databaseUrl);
  await second.close();
  await test.close();
});

let labelCount = 1;
/** A version that no other test uses. */
const nextLabel = (): string => `${(labelCount += 1)}.0`;

const draft = (
  label: string,
  more: { kind?: LegalKind; body?: string; by?: ConsoleCaller } = {},
): Promise<TestAnswer> =>
  (more.by ?? manager).call('draftLegalText', {
    body: { kind: more.kind ?? 'terms', label, body: more.body ?? bodyOf(label) },
  });
const requestOf = (id: number, inForceFrom: string | null = null): Promise<TestAnswer> =>
  manager.call('publishLegalText', {
    params: { id },
    body: { in_force_from: inForceFrom, reason: REASON },
  });
const approve = (id: string, by = owner): Promise<TestAnswer> =>
  by.call('approveRequest', { params: { id } });
const read = (kind: LegalKind, from: Pick<TestApp, 'request'> = test): Promise<TestAnswer> =>
  from.request({ method: 'GET', url: `/api/legal/${kind}` });

/** Waits until every process reports that this version is in force. */
async function inEveryProcess(kind: LegalKind, label: string): Promise<void> {
  for (const from of [test, second]) {
    await expect
      .poll(async () => (await read(kind, from)).body.version, { timeout: 10_000 })
      .toBe(label);
  }
}

/** Publishes a version at once, and returns its id. */
async function publish(label: string, kind: LegalKind = 'terms'): Promise<number> {
  const { id } = (await draft(label, { kind })).body;
  const { body } = await requestOf(id);
  expect((await approve(body.approval_id)).body.state).toBe('executed');
  await inEveryProcess(kind, label);
  return id;
}

const send = (
  from: TestUser,
  to: Pick<TestUser, 'uuid'>,
  { key = randomUUID(), app = test }: { key?: string; app?: Pick<TestApp, 'request'> } = {},
): Promise<TestAnswer> =>
  app.request({
    method: 'POST',
    url: '/api/account/transfer',
    user: from,
    key,
    payload: { amount: '1000000', to_uuid: to.uuid },
  });
const accept = (user: TestUser, version: string): Promise<TestAnswer> =>
  test.request({ method: 'POST', url: '/api/account/terms', user, payload: { version } });
const terms = async (user: TestUser) =>
  (await test.request({ method: 'GET', url: '/api/account/terms', user })).body;
const acceptances = (user: TestUser) =>
  test.deps.db
    .selectFrom('terms_acceptances')
    .innerJoin('users', 'users.id', 'terms_acceptances.user_id')
    .select(['label', 'accepted_at'])
    .where('users.uuid', '=', user.uuid)
    .orderBy('label')
    .execute();

const REFUSED = { status: 403, code: 'terms_not_accepted' };

describe('until staff publish a text', () => {
  it.each(['terms', 'privacy', 'deletion'] as const)('%s are those of the brand', async (kind) => {
    const { status, body, headers } = await read(kind);
    const { version, intro, sections } = builtIn[kind];
    expect(status).toBe(200);
    expect(body).toMatchObject({ version, intro, sections });
    expect(headers['cache-control']).toContain('public');
  });

  it('nobody has to accept anything, whatever they accepted at their sign-up', async () => {
    const [user, friend] = [await test.createUser({ balance: ath(5) }), await test.createUser()];
    expect((await terms(user)).must_accept).toBeNull();
    expect((await send(user, friend)).status).toBe(200);
  });
});

it('the calls that need the terms are those that move value of the caller', () => {
  const calls: [string, Call][] = Object.entries(api);
  expect(
    calls
      .filter(([, call]) => call.needsTerms === true)
      .map(([name]) => name)
      .toSorted(),
  ).toEqual(['createPaymentIntent', 'purchase', 'redeemReward', 'tip', 'transfer']);
});

describe('new terms', () => {
  it('[O-109] are asked for in every process before value moves, and for nothing else', async () => {
    const [user, friend] = [await test.createUser({ balance: ath(5) }), await test.createUser()];
    const label = nextLabel();
    await publish(label);
    expect((await read('terms')).body).toMatchObject({
      version: label,
      intro: `These are the terms ${label}.`,
      sections: [{ heading: 'Your account', paragraphs: ['You may open one.', 'It is yours.'] }],
    });
    for (const app of [test, second]) {
      expect(refusalOf(await send(user, friend, { app }))).toEqual(REFUSED);
    }
    expect(await balanceOf(test, user)).toBe(ath(5).toString());
    expect((await test.request({ method: 'GET', url: '/api/all_history', user })).status).toBe(200);
    expect(await terms(user)).toMatchObject({ must_accept: label });

    const { status, body } = await accept(user, label);
    expect([status, body.version]).toEqual([200, label]);
    expect(await terms(user)).toEqual({
      accepted_version: label,
      accepted_at: body.accepted_at,
      must_accept: null,
    });
    for (const app of [test, second]) {
      expect((await send(user, friend, { app })).status).toBe(200);
    }
  });

  it('refuse every call that moves value before it looks at anything', async () => {
    await publish(nextLabel());
    const user = await test.createUser();
    const calls: [string, Call][] = Object.entries(api);
    for (const [, call] of calls.filter(([, { needsTerms }]) => needsTerms === true)) {
      const payload = {
        transfer: { amount: '1000000', to_uuid: randomUUID() },
        purchase: { offer_ids: [1], offer_counts: [1] },
        tip: { offer_id: 1, amount: '1000000', tip_from: '', note: '' },
        redeemReward: undefined,
        createPaymentIntent: {
          exchangeRate: 0.1683,
          subtotal: 16.83,
          athosFee: 0.84,
          processingFee: 1.01,
          total: 18.68,
          description: '16.83 USD into $ATH',
        },
      }[calls.find(([, other]) => other === call)?.[0] ?? ''];
      const answer = await test.request({
        method: call.method,
        url: `/api${call.path.replace(':id', 'AAAA-AAAA-AAAA-AAAA')}`,
        user,
        ...(payload !== undefined && { payload }),
      });
      expect([call.path, refusalOf(answer)]).toEqual([call.path, REFUSED]);
    }
  });

  it('turn away even the retry of what was done before, which succeeds once they are accepted', async () => {
    const before = (await read('terms')).body.version as string;
    const [user, friend] = [await test.createUser({ balance: ath(5) }), await test.createUser()];
    await accept(user, before);
    const key = randomUUID();
    const first = await send(user, friend, { key });
    expect(first.status).toBe(200);
    const label = nextLabel();
    await publish(label);
    expect(refusalOf(await send(user, friend, { key }))).toEqual(REFUSED);
    await accept(user, label);
    expect((await send(user, friend, { key })).body).toEqual(first.body);
    expect(await balanceOf(test, friend)).toBe(ath(1).toString());
  });

  it('are accepted as they are in force: neither an older nor a later version counts', async () => {
    const user = await test.createUser();
    const old = nextLabel();
    await publish(old);
    const label = nextLabel();
    await publish(label);
    const later = nextLabel();
    const { id } = (await draft(later)).body;
    const at = new Date(test.clock.nowMs() + HOUR_MS).toISOString();
    await approve((await requestOf(id, at)).body.approval_id);
    const changed = { status: 409, code: 'terms_changed' };
    for (const version of [builtIn.terms.version, old, later, 'no-such']) {
      expect([version, refusalOf(await accept(user, version))]).toEqual([version, changed]);
    }
    expect((await accept(user, 'x'.repeat(41))).status).toBe(400);
    expect((await accept(user, label)).status).toBe(200);
    expect((await terms(user)).must_accept).toBeNull();

    test.clock.advance(HOUR_MS);
    await inEveryProcess('terms', later);
    expect((await terms(user)).must_accept).toBe(later);
    expect((await accept(user, later)).status).toBe(200);
  });

  it('are accepted once by twenty requests at once, and a repeat has the first time', async () => {
    const before = (await read('terms')).body.version as string;
    const user = await test.createUser();
    await accept(user, before);
    const label = nextLabel();
    await publish(label);
    const answers = await twenty(() => accept(user, label));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    const times = new Set(answers.map(({ body }) => body.accepted_at));
    expect(times.size).toBe(1);
    test.clock.advance(1_000);
    expect(times.has((await accept(user, label)).body.accepted_at)).toBe(true);
    const rows = await acceptances(user);
    expect(rows.map((row) => row.label).toSorted()).toEqual([before, label].toSorted());
  });

  it('count as accepted by a sign-up that shows them, and not by one that names them too early', async () => {
    const label = nextLabel();
    const { id } = (await draft(label)).body;
    const at = new Date(test.clock.nowMs() + HOUR_MS).toISOString();
    await approve((await requestOf(id, at)).body.approval_id);
    const open = async (email: string, version?: string): Promise<TestUser> => {
      const payload = { email, password: PASSWORD, tenant_id: 1, mode: 'production' };
      await test.request({
        method: 'POST',
        url: '/api/account/register',
        payload: { ...payload, ...(version !== undefined && { terms_version: version }) },
      });
      await test.runJobs();
      const { body } = await verify(test, codeIn(mailsTo(test, email).at(-1)));
      return { uuid: body.uuid, token: body.token } as TestUser;
    };
    const early = await open('early@athos.example', label);
    test.clock.advance(HOUR_MS);
    await inEveryProcess('terms', label);
    expect((await terms(early)).must_accept).toBe(label);
    const fresh = await open('fresh@athos.example');
    expect(await terms(fresh)).toMatchObject({ accepted_version: label, must_accept: null });
  });

  it('that were accepted are erased with the account', async () => {
    const label = nextLabel();
    await publish(label);
    const email = 'leaver@athos.example';
    await register(test, email);
    await test.runJobs();
    const { body } = await verify(test, codeIn(mailsTo(test, email).at(-1)));
    const next = nextLabel();
    await publish(next);
    await accept(body, next);
    expect(await acceptances(body)).toHaveLength(2);
    const { status } = await test.request({
      method: 'POST',
      url: '/api/account/delete',
      user: body,
      payload: { password: PASSWORD },
    });
    expect(status).toBe(200);
    await test.runJobs();
    expect(await acceptances(body)).toEqual([]);
  });
});

describe('publishing', () => {
  it('takes a vote of the other organisation', async () => {
    const { id } = (await draft(nextLabel(), { kind: 'privacy' })).body;
    const { body } = await requestOf(id);
    expect(body).toMatchObject({ outcome: 'requested', votes_needed: 1 });
    expect(refusalOf(await approve(body.approval_id, manager))).toMatchObject({ status: 403 });
    const detail = (await manager.call('legalTextVersion', { params: { id } })).body;
    expect(detail).toMatchObject({ state: 'draft', approval_id: body.approval_id });
    expect(detail.before.label).toBe(builtIn.privacy.version);
    await approve(body.approval_id);
    expect((await manager.call('legalTextVersion', { params: { id } })).body).toMatchObject({
      state: 'current',
      published_by: manager.name,
      approval_id: null,
    });
  });

  it('of two versions at once publishes one, and the other must be looked at again', async () => {
    const labels = [nextLabel(), nextLabel()];
    const drafts = await Promise.all(labels.map((label) => draft(label)));
    const requests = [];
    for (const { body } of drafts) requests.push((await requestOf(body.id)).body.approval_id);
    const other = await consoleAs(test, ['provider_owner']);
    const votes = await Promise.all([
      approve(requests[0] as string),
      approve(requests[1] as string, other),
    ]);
    expect(votes.map(({ body }): string => body.state).toSorted()).toEqual(['executed', 'stale']);
  });

  it('what was edited after the request takes a new request', async () => {
    const label = nextLabel();
    const { id, version } = (await draft(label)).body;
    const { body } = await requestOf(id);
    const edited = await manager.call('editLegalText', {
      params: { id },
      body: { label, body: `${bodyOf(label)}\n\nAnd we may sell it.` },
      version,
    });
    expect(edited.status).toBe(200);
    expect((await approve(body.approval_id)).body.state).toBe('stale');
  });

  it('ends all changes of a version, in the database too', async () => {
    const label = nextLabel();
    const id = await publish(label);
    const { version } = (await manager.call('legalTextVersion', { params: { id } })).body;
    const refused = { status: 409, code: 'legal_text_published' };
    const edit = { params: { id }, body: { label, body: bodyOf('other') }, version };
    expect(refusalOf(await manager.call('editLegalText', edit))).toEqual(refused);
    expect(refusalOf(await manager.call('discardLegalText', { params: { id } }))).toEqual(refused);
    expect(refusalOf(await requestOf(id))).toEqual(refused);
    for (const change of [
      sql`update legal_texts set body = 'x' where id = ${id}`,
      sql`delete from legal_texts where id = ${id}`,
      sql`truncate legal_texts`,
    ]) {
      await expect(change.execute(test.admin)).rejects.toThrow('what was published stays');
    }
  });

  it('refuses a time that is over or too far away', async () => {
    const { id } = (await draft(nextLabel())).body;
    for (const ms of [-1_000, 400 * DAY_MS]) {
      const at = new Date(test.clock.nowMs() + ms).toISOString();
      expect(refusalOf(await requestOf(id, at))).toMatchObject({ code: 'invalid_request' });
    }
  });
});

describe('a draft', () => {
  it.each([
    ['', 'invalid_request'],
    ['Only an introduction.', 'invalid_request'],
    ['Introduction.\n\n## Empty', 'invalid_request'],
    ['x'.repeat(60_001), 'invalid_request'],
  ])('is refused without the parts of a legal text: %#', async (body, code) => {
    expect(refusalOf(await draft(nextLabel(), { body }))).toMatchObject({ code });
  });

  it('has a name that no other version has', async () => {
    const taken = { status: 409, code: 'legal_text_exists' };
    expect(refusalOf(await draft(builtIn.terms.version))).toEqual(taken);
    const label = nextLabel();
    const { id } = (await draft(label)).body;
    expect(refusalOf(await draft(label))).toEqual(taken);
    expect((await draft(label, { kind: 'deletion' })).status).toBe(200);
    expect((await manager.call('discardLegalText', { params: { id } })).status).toBe(200);
    expect((await draft(label)).status).toBe(200);
  });

  it('is edited as it was read, and shows its difference to the text that it replaces', async () => {
    const label = nextLabel();
    const { id, version, before } = (await draft(label)).body;
    expect(before.label).toBe((await read('terms')).body.version);
    const change = { params: { id }, body: { label, body: bodyOf('again') } };
    expect((await manager.call('editLegalText', { ...change, version })).status).toBe(200);
    expect(refusalOf(await manager.call('editLegalText', { ...change, version }))).toEqual({
      status: 412,
      code: 'version_conflict',
    });
  });

  it('is for managers of the brand, and at most twenty wait', async () => {
    for (const role of ['provider_owner', 'finance', 'catalogue_editor'] as const) {
      const by = await consoleAs(test, [role]);
      expect(refusalOf(await draft(nextLabel(), { by }))).toMatchObject({
        code: 'permission_missing',
      });
    }
    const answers: TestAnswer[] = [];
    for (let count = 0; count < 21; count += 1) {
      const by = count % 10 === 0 ? await consoleAs(test, ['brand_manager']) : manager;
      answers.push(await draft(nextLabel(), { by }));
    }
    expect(answers.map(refusalOf).at(-1)).toEqual({ status: 409, code: 'legal_texts_full' });
  });
});
