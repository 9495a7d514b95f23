/** How the rest of the system treats sends that can be undone. */
import { randomUUID } from 'node:crypto';
import type { AddressInfo } from 'node:net';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { setBrake } from '../../../../test/brakes.ts';
import { openUser, PASSWORD } from '../../../../test/accounts.ts';
import { consoleAs } from '../../../../test/console.ts';
import { expectBooksBalance } from '../../../../test/expect-books-balance.ts';
import { recordLog } from '../../../../test/recorded-log.ts';
import { ath } from '../../../../test/shop.ts';
import { createTestApp, type TestApp, type TestUser } from '../../../../test/test-app.ts';
import type { Deps } from '../../../deps.ts';
import { readRefundable } from '../../cards/refunds/refundable.ts';
import { latenessOf, postDue, startPostingHolds } from './post-due.ts';

let test: TestApp;
let origin: string;
beforeAll(async () => {
  test = await createTestApp();
  await test.app.listen({ host: '127.0.0.1', port: 0 });
  origin = `http://127.0.0.1:${(test.app.server.address() as AddressInfo).port}`;
  await vi.waitFor(() => expect(test.deps.notifications.isListening()).toBe(true), 10_000);
});
afterEach(() => expectBooksBalance(test.deps.config.databaseUrl));
afterAll(() => test.close());

async function send(user: TestUser, to: TestUser, amount = '2500000') {
  const payload = { amount, to_uuid: to.uuid, undo_seconds: 10 };
  const key = randomUUID();
  const { status, body } = await test.request({
    method: 'POST',
    url: '/api/account/transfer',
    payload,
    key,
    user,
  });
  expect(status).toBe(200);
  return body;
}

const undo = (user: TestUser, id: string) =>
  test.request({
    method: 'POST',
    url: `/api/account/holds/${id}/undo`,
    key: randomUUID(),
    user,
  });

async function get(user: TestUser, path: string) {
  const { status, body } = await test.request({ method: 'GET', url: `/api/${path}`, user });
  expect(status).toBe(200);
  return body;
}

async function post(): Promise<void> {
  test.clock.advance(10_000);
  await postDue(test.deps);
}

describe('the history', () => {
  it('[W-073] lists a send as one entry with its state, and what arrived as received', async () => {
    const [ada, ben] = [await test.createUser({ balance: ath(10) }), await test.createUser()];
    const sent = await send(ada, ben, '1000000');
    const entry = (state: string) => ({
      type: 'Send',
      data: {
        id: sent.id,
        date: expect.any(String),
        amount: '1000000',
        asset: 'ATH',
        counterparty: ben.uuid,
        state,
      },
    });
    const newest = async () => (await get(ada, 'all_history?type=Send')).history[0];
    expect(await newest()).toEqual(entry('arriving'));
    expect((await get(ben, 'all_history')).history).toEqual([]);
    await post();
    expect(await newest()).toEqual(entry('sent'));
    expect(await get(ada, `all_history/${sent.id}`)).toEqual(entry('sent'));
    const { history } = await get(ben, 'all_history');
    expect(history).toMatchObject([{ type: 'Receive', data: { counterparty: ada.uuid } }]);
    expect(history[0].data).not.toHaveProperty('state');

    const back = await send(ada, ben, '2000000');
    await undo(ada, back.hold.id);
    const { history: all } = await get(ada, 'all_history');
    expect(all.map(({ data }: { data: { state?: string } }) => data.state)).toEqual([
      'taken_back',
      'sent',
      undefined,
    ]);
  });

  it('keeps the balances after both movements true, in the journal that staff read', async () => {
    const [ada, ben] = [await test.createUser({ balance: ath(10) }), await test.createUser()];
    const { hold, id } = await send(ada, ben);
    await undo(ada, hold.id);
    const owner = await consoleAs(test, ['provider_owner']);
    const { body } = await owner.call('ledgerTransfers', { query: {} });
    const own = body.items.filter(
      ({ object }: { object: { id: string } | null }) => object?.id === hold.id,
    );
    expect(own).toMatchObject([
      { kind: 'send_returned', debit: { code: 'in_transit' }, credit_after: '10000000' },
      { kind: 'send_held', id: String(id), credit: { code: 'in_transit' }, debit_after: '7500000' },
    ]);
  });

  it('shows staff the state of a send in the timeline', async () => {
    const [ada, ben] = [await test.createUser({ balance: ath(10) }), await test.createUser()];
    await undo(ada, (await send(ada, ben)).hold.id);
    const owner = await consoleAs(test, ['provider_owner']);
    const { body } = await owner.call('customerTimeline', {
      params: { uuid: ada.uuid },
      query: { kind: 'movement' },
    });
    const states = body.items.map(
      ({ data }: { data: { data: { state?: string } } }) => data.data.state,
    );
    expect(states).toEqual(['taken_back', undefined]);
  });
});

describe('live events', () => {
  it('tell both sides that a send waits and that it has arrived', async () => {
    const [ada, ben] = [await test.createUser({ balance: ath(10) }), await test.createUser()];
    const controller = new AbortController();
    const heard = new Map<TestUser, unknown[]>();
    for (const user of [ada, ben]) {
      const events: unknown[] = [];
      heard.set(user, events);
      const answer = await fetch(`${origin}/api/account/events`, {
        headers: { authorization: `Bearer ${user.token}` },
        signal: controller.signal,
      });
      const read = async (): Promise<void> => {
        const decoder = new TextDecoder();
        for await (const chunk of answer.body ?? []) {
          for (const line of decoder.decode(chunk as Uint8Array).split('\n')) {
            if (line.startsWith('data: ')) events.push(JSON.parse(line.slice(6)));
          }
        }
      };
      void read().catch(() => undefined);
    }
    const { hold } = await send(ada, ben);
    const expectHeard = (state: string) =>
      vi.waitFor(() => {
        for (const events of heard.values()) {
          expect(events).toContainEqual({ type: 'hold', id: hold.id, state });
        }
      }, 10_000);
    await expectHeard('arriving');
    await post();
    await expectHeard('sent');
    controller.abort();
  });
});

describe('deleting an account', () => {
  const remove = (user: TestUser) =>
    test.request({
      method: 'POST',
      url: '/api/account/delete',
      user,
      key: randomUUID(),
      payload: { password: PASSWORD },
    });

  it('is refused with sends_open while an own send is on its way, and done after it', async () => {
    const [ada, ben] = [await openUser(test, ath(10)), await test.createUser()];
    const { hold } = await send(ada, ben);
    const { status, body } = await remove(ada);
    expect([status, body.code]).toEqual([409, 'sends_open']);
    await undo(ada, hold.id);
    expect((await remove(ada)).status).toBe(200);
  });

  it('of the receiver is done, and the amount goes back', async () => {
    const [ada, ben] = [await test.createUser({ balance: ath(10) }), await openUser(test)];
    await send(ada, ben);
    expect((await remove(ben)).status).toBe(200);
    await post();
    expect((await get(ada, 'account/balance')).balance).toBe('10000000');
    const [entry] = (await get(ada, 'all_history')).history;
    expect(entry.data).toMatchObject({ state: 'returned', counterparty: ben.uuid });
  });
});

it('what is refundable to a card is the same after a send came back, and less after one arrived', async () => {
  const [ada, ben] = [await test.createUser({ balance: ath(10) }), await test.createUser()];
  const [credit] = (await get(ada, 'all_history')).history;
  const order = {
    user_id: ada.userId,
    history_id: BigInt(credit.data.id),
    amount_micro_ath: ath(10),
    returned_micro_ath: ath(0),
  };
  const refundable = async () => {
    const { amountMicroAth } = await readRefundable(
      test.deps,
      test.deps.db,
      order as unknown as Parameters<typeof readRefundable>[2],
    );
    return amountMicroAth;
  };
  const first = await send(ada, ben, '7000000');
  await send(ada, ben, '1000000');
  expect(await refundable()).toBe(ath(2));
  await undo(ada, first.hold.id);
  await post();
  expect(await refundable()).toBe(ath(9));
});

it('the programme still owes customers what is on its way', async () => {
  const [ada, ben] = [await test.createUser({ balance: ath(10) }), await test.createUser()];
  const owner = await consoleAs(test, ['provider_owner']);
  const day = new Date(test.clock.nowMs()).toISOString().slice(0, 10);
  const dayBefore = new Date(test.clock.nowMs() - 86_400_000).toISOString().slice(0, 10);
  // Answers are cached by their range, so each query uses another one.
  const owed = async (from: string) => {
    const { body } = await owner.call('dashboardMoney', { query: { from, to: day } });
    return body.outstanding.units;
  };
  const before = await owed(day);
  await send(ada, ben);
  expect(await owed(dayBefore)).toBe(before);
  await post();
});

it('a brake on sending stops held sends, and lets those that wait arrive or come back', async () => {
  const [ada, ben] = [await test.createUser({ balance: ath(10) }), await test.createUser()];
  await send(ada, ben, '1000000');
  const { hold } = await send(ada, ben, '2000000');
  await setBrake(test, 'sending', { notice: 'Later.' });
  const refused = await test.request({
    method: 'POST',
    url: '/api/account/transfer',
    payload: { amount: '1', to_uuid: ben.uuid, undo_seconds: 10 },
    key: randomUUID(),
    user: ada,
  });
  expect(refused.body.code).toBe('stopped');
  expect((await undo(ada, hold.id)).status).toBe(200);
  await post();
  expect((await get(ben, 'account/balance')).balance).toBe('1000000');
  await setBrake(test, 'sending', null);
});

it('raises holds_late, once, while sends that are due do not arrive, and posts them when it can', async () => {
  const [ada, ben] = [await test.createUser({ balance: ath(10) }), await test.createUser()];
  await send(ada, ben);
  const { log, lines } = recordLog();
  let isDown = true;
  const transferInTx: Deps['ledger']['transferInTx'] = (tx, requests) => {
    if (isDown) throw new Error('no ledger');
    return test.deps.ledger.transferInTx(tx, requests);
  };
  test.clock.advance(10_000 + 29_000);
  const alarms = () => lines.filter((line) => line.includes('"alarm":"holds_late"'));
  const rounds = startPostingHolds({ ...test.deps, log, ledger: { transferInTx } });
  const failed = () => lines.filter((line) => line.includes('could not be moved')).length;
  await expect.poll(failed).toBeGreaterThan(1);
  expect(alarms()).toEqual([]);
  expect(await latenessOf(test.deps)).toBeGreaterThanOrEqual(29);
  test.clock.advance(2_000);
  await expect.poll(alarms).toHaveLength(1);
  const before = failed();
  await expect.poll(failed).toBeGreaterThan(before + 2);
  expect(alarms()).toHaveLength(1);
  isDown = false;
  await expect.poll(async () => (await get(ben, 'account/balance')).balance).toBe('2500000');
  await rounds.stop();
  expect(await latenessOf(test.deps)).toBe(0);
});
