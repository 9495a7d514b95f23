/** Which venues a person may see: a person without venues sees all of them. */
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { createVenue } from '../../../../test/build-redemption.ts';
import { consoleAs, type ConsoleCaller } from '../../../../test/console.ts';
import { createTestApp, type TestAnswer, type TestApp } from '../../../../test/test-app.ts';

const REASON = 'Decided by the steering group.';

let test: TestApp;
let owner: ConsoleCaller;
beforeAll(async () => {
  test = await createTestApp();
});
beforeEach(async () => {
  owner = await consoleAs(test, ['provider_owner']);
});
afterAll(() => test.close());

const outcomeOf = ({ status, body }: TestAnswer) => [status, body.code ?? 'ok'];
const OK = [200, 'ok'];

async function give(
  by: ConsoleCaller,
  { staffId }: { staffId: string },
  roleIds: string[],
  venueIds: number[],
): Promise<TestAnswer> {
  const { body } = await by.call('staffMember', { params: { id: staffId } });
  return by.call('changeStaffRoles', {
    params: { id: staffId },
    version: body.version,
    body: { role_ids: roleIds, venue_ids: venueIds, reason: REASON },
  });
}

it('binds a scanner lead to venues, which must exist', async () => {
  const lead = await consoleAs(test, ['scanner_lead'], { organisation: 'brand' });
  const { id: venueId } = await createVenue(test);
  expect(outcomeOf(await give(owner, lead, ['scanner_lead'], [venueId, venueId]))).toEqual(OK);
  expect((await lead.call('me')).body.venue_ids).toEqual([venueId]);
  expect(outcomeOf(await give(owner, lead, ['scanner_lead'], [999_999]))).toEqual([
    404,
    'not_found',
  ]);
  expect((await lead.call('me')).body.venue_ids).toEqual([venueId]);
});

it('shows nobody all venues because the field was left out', async () => {
  const { id: venueId } = await createVenue(test);
  const lead = await consoleAs(test, ['scanner_lead']);
  await give(owner, lead, ['scanner_lead'], [venueId]);
  const { body: person } = await owner.call('staffMember', { params: { id: lead.staffId } });
  const change = await owner.ask(
    { method: 'PUT', path: `/admin/staff/${lead.staffId}/roles` },
    { version: person.version, body: { role_ids: ['scanner_lead'], reason: REASON } },
  );
  const invitation = { email: 'lead@athos.example', name: 'Lead', organisation: 'brand' };
  const invite = await owner.ask(
    { method: 'POST', path: '/admin/staff' },
    { body: { ...invitation, role_ids: ['scanner_lead'], reason: REASON } },
  );
  for (const answer of [change, invite]) {
    expect(outcomeOf(answer)).toEqual([400, 'invalid_request']);
    expect(answer.text).toContain('venue_ids');
  }
  expect((await lead.call('me')).body.venue_ids).toEqual([venueId]);
});

it('lets whoever is bound to venues open no others to anybody', async () => {
  const [own, other] = [(await createVenue(test)).id, (await createVenue(test)).id];
  const manager = await consoleAs(test, ['brand_manager'], { organisation: 'brand' });
  const lead = await consoleAs(test, ['scanner_lead'], { organisation: 'brand' });
  const unbound = await consoleAs(test, ['scanner_lead'], { organisation: 'brand' });
  await give(owner, manager, ['brand_manager'], [own]);
  await give(owner, lead, ['scanner_lead'], [other]);
  const outcomes = [
    await give(manager, lead, ['scanner_lead'], []),
    await give(manager, unbound, ['scanner_lead'], []),
    await give(manager, lead, ['scanner_lead'], [other, own]),
    await give(manager, lead, ['scanner_lead'], [own]),
    await give(manager, lead, ['scanner_lead'], [own, other]),
  ];
  expect(outcomes.map(outcomeOf)).toEqual([
    [422, 'venue_required'],
    OK,
    OK,
    OK,
    [404, 'not_found'],
  ]);
  expect((await lead.call('me')).body.venue_ids).toEqual([own]);
});
