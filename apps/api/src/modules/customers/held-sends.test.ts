/** How staff return a send that has not arrived yet (decision 0058). */
import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { consoleAs, type ConsoleCaller } from '../../../test/console.ts';
import { expectBooksBalance } from '../../../test/expect-books-balance.ts';
import { ath, balanceOf, refusalOf, twenty } from '../../../test/shop.ts';
import {
  createTestApp,
  type TestAnswer,
  type TestApp,
  type TestUser,
} from '../../../test/test-app.ts';
import { postDue } from '../transfers/held/post-due.ts';

const REASON = 'Sent to a stranger who had telephoned';

let test: TestApp;
let support: ConsoleCaller;
beforeAll(async () => {
  test = await createTestApp();
});
beforeEach(async () => {
  support = await consoleAs(test, ['support']);
});
afterEach(() => expectBooksBalance(test.deps.config.databaseUrl));
afterAll(() => test.close());

/** Sends 2.5 ATH, which can be undone for a minute. */
async function hold(from: TestUser, to: TestUser): Promise<string> {
  const { status, body } = await test.request({
    method: 'POST',
    url: '/api/account/transfer',
    user: from,
    key: randomUUID(),
    payload: { amount: '2500000', to_uuid: to.uuid, undo_seconds: 60 },
  });
  expect(status).toBe(200);
  return body.hold.id;
}

const undo = (user: TestUser, id: string): Promise<TestAnswer> =>
  test.request({
    method: 'POST',
    url: `/api/account/holds/${id}/undo`,
    user,
    key: randomUUID(),
  });
const giveBack = ({ uuid }: { uuid: string }, id: string, by: ConsoleCaller = support) =>
  by.call('returnHeldSend', { params: { uuid, id }, body: { reason: REASON } });
const shown = async ({ uuid }: TestUser) =>
  (await support.call('customerHeldSends', { params: { uuid } })).body.items;
const newPair = async () =>
  [await test.createUser({ balance: ath(10) }), await test.createUser()] as const;

describe('a send that has not arrived yet', () => {
  it('is shown to staff, and given back with a reason and an entry of the audit', async () => {
    const [ada, ben] = await newPair();
    const id = await hold(ada, ben);
    expect(await shown(ada)).toMatchObject([
      { id, to_uuid: ben.uuid, asset: 'ATH', amount_units: '2500000' },
    ]);
    expect((await giveBack(ada, id)).body).toEqual({ success: true });
    expect(await shown(ada)).toEqual([]);
    expect([await balanceOf(test, ada), await balanceOf(test, ben)]).toEqual(['10000000', '0']);
    const { body } = await test.request({ method: 'GET', url: '/api/all_history', user: ada });
    expect(body.history[0]).toMatchObject({ type: 'Send', data: { state: 'returned' } });
    const auditor = await consoleAs(test, ['auditor']);
    const audit = await auditor.call('auditEntries', { query: { subject_id: ada.uuid } });
    expect(audit.body.items[0]).toMatchObject({
      action: 'send.return',
      outcome: 'done',
      staff: { id: support.staffId },
    });
    test.clock.advance(61_000);
    await postDue(test.deps);
    expect(await balanceOf(test, ben)).toBe('0');
  });

  it('that staff gave back is answered to its sender as returned, however often it is asked for', async () => {
    const [ada, ben] = await newPair();
    const id = await hold(ada, ben);
    await giveBack(ada, id);
    for (let time = 0; time < 2; time += 1) {
      expect((await undo(ada, id)).body).toEqual({ state: 'returned', balance: '10000000' });
    }
    expect(refusalOf(await giveBack(ada, id))).toEqual({ status: 409, code: 'state_changed' });
  });

  it('that has arrived, or that its sender took back, is left alone', async () => {
    const [ada, ben] = await newPair();
    const arrived = await hold(ada, ben);
    test.clock.advance(61_000);
    await postDue(test.deps);
    expect(refusalOf(await giveBack(ada, arrived))).toEqual({ status: 409, code: 'send_settled' });
    const taken = await hold(ada, ben);
    await undo(ada, taken);
    expect(refusalOf(await giveBack(ada, taken))).toEqual({ status: 409, code: 'state_changed' });
    expect([await balanceOf(test, ada), await balanceOf(test, ben)]).toEqual([
      '7500000',
      '2500000',
    ]);
  });

  it('goes one way, whoever acts at the same moment', async () => {
    for (let round = 0; round < 6; round += 1) {
      const [ada, ben] = await newPair();
      const id = await hold(ada, ben);
      test.clock.advance(61_000);
      const answers = await Promise.all([giveBack(ada, id), undo(ada, id), postDue(test.deps)]);
      const [byStaff] = answers;
      const kept = await balanceOf(test, ada);
      expect(['10000000', '7500000']).toContain(kept);
      expect(await balanceOf(test, ben)).toBe(kept === '10000000' ? '0' : '2500000');
      if (byStaff.status === 200) expect(kept).toBe('10000000');
    }
  });

  it('is given back once by twenty at once', async () => {
    const [ada, ben] = await newPair();
    const id = await hold(ada, ben);
    const callers = await Promise.all(
      Array.from({ length: 4 }, () => consoleAs(test, ['support'])),
    );
    const answers = await twenty((index) => giveBack(ada, id, callers[index % 4]));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(await balanceOf(test, ada)).toBe('10000000');
  });

  it('of somebody else is not found, and nobody gives back their own', async () => {
    const [ada, ben] = await newPair();
    const id = await hold(ada, ben);
    expect((await giveBack(ben, id)).status).toBe(404);
    expect((await giveBack(ada, randomUUID())).status).toBe(404);
    expect((await giveBack({ uuid: randomUUID() }, id)).status).toBe(404);
    const own = await consoleAs(test, ['support'], { walletUuid: ada.uuid });
    expect(refusalOf(await giveBack(ada, id, own)).code).toBe('own_account');
    for (const role of ['brand_manager', 'scanner_lead', 'auditor'] as const) {
      const caller = await consoleAs(test, [role]);
      expect(refusalOf(await giveBack(ada, id, caller)).code).toBe('permission_missing');
    }
    expect(await shown(ada)).toHaveLength(1);
  });

  it('comes back also while a hold stops its sender from receiving', async () => {
    const [ada, ben] = await newPair();
    const id = await hold(ada, ben);
    await support.call('placeHold', {
      params: { uuid: ada.uuid },
      body: { kinds: ['send', 'receive', 'spend'], reason: REASON },
    });
    expect((await giveBack(ada, id)).status).toBe(200);
    expect(await balanceOf(test, ada)).toBe('10000000');
  });
});
