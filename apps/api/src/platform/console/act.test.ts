/** Events between the headers of a write and its commit, with placing a hold as the example. */
import { randomUUID } from 'node:crypto';
import { PassThrough } from 'node:stream';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { consoleApi } from '@athos/contract/console/calls';
import { consoleAs, pageHeaders } from '../../../test/console.ts';
import { createTestApp, type TestAnswer, type TestApp } from '../../../test/test-app.ts';

const TERMS = { kinds: ['send'], reason: 'Reported as stolen by phone' };

let test: TestApp;
beforeAll(async () => {
  test = await createTestApp();
});
afterAll(() => test.close());

const outcomeOf = ({ status, body }: TestAnswer) => [status, body.code];

it.each([
  ['of somebody who is suspended', 401, 'session_ended'],
  ['of somebody whose role is taken away', 403, 'permission_missing'],
])('a write %s is refused if its body comes after that', async (who, ...refusal) => {
  const { db, staffSessions } = test.deps;
  const person = await consoleAs(test, ['support']);
  const ada = await test.createUser();
  const authenticated = vi.spyOn(staffSessions, 'authenticate');
  const payload = new PassThrough();
  const answer = test.request({
    method: 'POST',
    url: `/api/admin/customers/${ada.uuid}/holds`,
    headers: {
      ...pageHeaders(test),
      cookie: person.setCookie.split(';')[0] ?? '',
      'content-type': 'application/json',
      'idempotency-key': randomUUID(),
    },
    payload,
  });
  await vi.waitUntil(() => authenticated.mock.results.length === 1, 10_000);
  await authenticated.mock.results[0]?.value;
  authenticated.mockRestore();
  if (who.includes('suspended')) {
    const suspended = db.updateTable('staff').set({ state: 'suspended' });
    await suspended.where('id', '=', person.staffId).execute();
  } else {
    await db.deleteFrom('staff_roles').where('staff_id', '=', person.staffId).execute();
  }
  payload.end(JSON.stringify(TERMS));
  expect(outcomeOf(await answer)).toEqual(refusal);
  const holds = db.selectFrom('account_holds').select('id').where('user_id', '=', ada.userId);
  expect(await holds.execute()).toEqual([]);
});

it('a page that was loaded for another person acts for nobody, and its write leaves no entry', async () => {
  const [ben, cleo] = [await consoleAs(test, ['support']), await consoleAs(test, ['support'])];
  const ada = await test.createUser();
  const place = (loadedFor: string) =>
    ben.ask(consoleApi.placeHold, {
      params: { uuid: ada.uuid },
      headers: { 'x-staff-id': loadedFor },
      body: TERMS,
    });
  expect(outcomeOf(await place(cleo.staffId))).toEqual([403, 'person_changed']);
  const entriesOfBen = test.deps.db
    .selectFrom('audit_entries')
    .select('outcome')
    .where('staff_id', '=', ben.staffId);
  expect(await entriesOfBen.execute()).toEqual([]);
  expect((await place(ben.staffId)).status).toBe(200);
  expect(await entriesOfBen.execute()).toEqual([{ outcome: 'done' }]);
});

it('audits a write whose address contains characters that PostgreSQL cannot store', async () => {
  const support = await consoleAs(test, ['support']);
  const answer = await support.ask(consoleApi.placeHold, {
    params: { uuid: 'a\0b' },
    body: TERMS,
  });
  expect(answer.status).toBe(400);
  const auditor = await consoleAs(test, ['auditor']);
  const { items } = (await auditor.call('auditEntries', { query: { staff_id: support.staffId } }))
    .body;
  expect(items).toMatchObject([
    { action: 'hold.place', subject: { id: 'a\uFFFDb' }, outcome: 'refused' },
  ]);
});
