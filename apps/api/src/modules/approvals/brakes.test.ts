/** A part of the programme that is stopped is stopped for everybody at once, and no act is half done. */
import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { BRAKES, type BrakeName } from '@athos/contract/brakes';
import { createOffer } from '../../../test/build-catalog.ts';
import { createItems, createStaff, purchaseCode } from '../../../test/build-redemption.ts';
import { createCampaign, redeem } from '../../../test/build-reward.ts';
import { beginOrder, payAndDeliver, purchaseBody } from '../../../test/card-purchase.ts';
import { startCardsApp } from '../../../test/cards-app.ts';
import type { CardSandbox } from '../../../test/card-sandbox.ts';
import { consoleAs, type ConsoleCaller } from '../../../test/console.ts';
import { expectBooksBalance } from '../../../test/expect-books-balance.ts';
import { openSecondApp, type SecondApp } from '../../../test/second-app.ts';
import { ath, balanceOf, buy, cartBody, refusalOf, tip, twenty } from '../../../test/shop.ts';
import type { TestAnswer, TestApp, TestUser } from '../../../test/test-app.ts';
import { programmeCommand } from '../../platform/settings/programme-command.ts';

let test: TestApp;
let sandbox: CardSandbox;
let second: SecondApp;
let close: () => Promise<void>;
let owner: ConsoleCaller;
let finance: ConsoleCaller;
beforeAll(async () => {
  ({ app: test, sandbox, close } = await startCardsApp());
  second = await openSecondApp(test, { env: sandbox.env });
  for (const { notifications } of [test.deps, second.deps]) {
    await vi.waitFor(() => expect(notifications.isListening()).toBe(true), 10_000);
  }
});
beforeEach(async () => {
  owner = await consoleAs(test, ['provider_owner']);
  finance = await consoleAs(test, ['finance']);
});
afterEach(async () => {
  for (const name of await stopped()) {
    await programmeCommand(test.deps.config.databaseUrl, ['reset', `brake_${name}`], 'test');
  }
  await inEveryProcess([]);
  await expectBooksBalance(test.deps.config.databaseUrl);
});
afterAll(async () => {
  await second.close();
  await close();
});

const REASON = 'The rate of our feed looks wrong';
const NOTICE = 'We are checking something. Please come back later.';
const STOPPED = { status: 409, code: 'stopped' };

const pull = (name: BrakeName, by = finance, notice = NOTICE): Promise<TestAnswer> =>
  by.call('pullBrake', { params: { id: name }, body: { reason: REASON, notice } });
const release = (name: BrakeName, by = finance): Promise<TestAnswer> =>
  by.call('releaseBrake', { params: { id: name }, body: { reason: REASON } });
async function stopped(): Promise<BrakeName[]> {
  const { body } = await finance.call('brakes');
  return body.items
    .filter(({ pulled }: { pulled: unknown }) => pulled !== null)
    .map(({ name }: { name: BrakeName }) => name);
}
/** Waits until every process reports that these are stopped. */
async function inEveryProcess(names: readonly BrakeName[]): Promise<void> {
  for (const { request } of [test, second]) {
    await expect
      .poll(
        async () =>
          (await request({ method: 'GET', url: '/api/programme' })).body.stopped.map(
            ({ what }: { what: BrakeName }) => what,
          ),
        { timeout: 10_000 },
      )
      .toEqual(names);
  }
}

const send = (
  to: Pick<TestApp, 'request'>,
  user: TestUser,
  recipient: TestUser,
  key: string = randomUUID(),
): Promise<TestAnswer> =>
  to.request({
    method: 'POST',
    url: '/api/account/transfer',
    user,
    key,
    payload: { amount: '1000000', to_uuid: recipient.uuid },
  });

/** Makes a call that a brake can stop, with this key, and returns its answer. */
type Act = (to: Pick<TestApp, 'request'>, key: string) => Promise<TestAnswer>;

async function actsOf(): Promise<Record<BrakeName, Act>> {
  const rich = await test.createUser({ balance: ath(1_000) });
  const friend = await test.createUser();
  const offer = await createOffer(test);
  const [code = ''] = await createCampaign(test, { codeClaimCountMax: 100 });
  const staff = await createStaff(test);
  const holder = await test.createUser();
  const { itemIds } = await createItems(test, holder, { count: 20 });
  const payload = purchaseCode(test, holder, itemIds);
  return {
    buying: (to, key) =>
      to.request({
        method: 'POST',
        url: '/api/payment_intent',
        user: rich,
        key,
        payload: purchaseBody(ath(100)),
      }),
    sending: (to, key) => send(to, rich, friend, key),
    spending: (to, key) =>
      to.request({
        method: 'POST',
        url: '/api/purchase',
        user: rich,
        key,
        payload: cartBody([[offer.id, 1]]),
      }),
    redeeming: (to, key) =>
      to.request({
        method: 'POST',
        url: '/api/scanner/redeem',
        user: staff,
        key,
        payload: { payload, item_ids: itemIds.slice(0, 1) },
      }),
    rewards: (to, key) => redeem(to, rich, code, { key }),
  };
}

describe.each(BRAKES)('the brake on %s', (name) => {
  it('stops it in every process at once, with its notice, and nothing else', async () => {
    const acts = await actsOf();
    expect((await pull(name)).status).toBe(200);
    await inEveryProcess([name]);
    for (const to of [test, second]) {
      const answer = await acts[name](to, randomUUID());
      expect(refusalOf(answer)).toEqual(STOPPED);
      expect(answer.body).toMatchObject({ detail: NOTICE, stopped: name });
    }
    for (const other of Object.keys(acts) as BrakeName[]) {
      if (other === name) continue;
      expect([other, (await acts[other](test, randomUUID())).status]).toEqual([other, 200]);
    }
  });

  it('answers the retry of what was done before it as ever', async () => {
    const acts = await actsOf();
    const key = randomUUID();
    const first = await acts[name](test, key);
    expect(first.status).toBe(200);
    await pull(name);
    await inEveryProcess([name]);
    const again = await acts[name](second, key);
    expect([again.status, again.body]).toEqual([200, first.body]);
  });
});

it('[O-097] stopping to buy asks for a reason, which the audit keeps, and is seen with it', async () => {
  const answer = await finance.call('pullBrake', {
    params: { id: 'buying' },
    body: { reason: 'no', notice: NOTICE },
  });
  expect(refusalOf(answer)).toEqual({ status: 400, code: 'invalid_request' });
  expect(await stopped()).toEqual([]);
  await pull('buying');
  const { items } = (await owner.call('brakes')).body;
  expect(items[0]).toMatchObject({
    name: 'buying',
    pulled: { notice: NOTICE, reason: REASON, by: finance.name },
    approval_id: null,
  });
  const entry = await test.deps.db
    .selectFrom('audit_entries')
    .select(['action', 'subject_id', 'staff_id', 'outcome'])
    .where('action', '=', 'brake.pull')
    .orderBy('seq', 'desc')
    .executeTakeFirst();
  expect(entry).toEqual({
    action: 'brake.pull',
    subject_id: 'buying',
    staff_id: finance.staffId,
    outcome: 'done',
  });
});

it('[O-097] a payment that is with the provider when buying is stopped is credited', async () => {
  const user = await test.createUser();
  const order = await beginOrder(test, user, ath(100));
  await pull('buying');
  await inEveryProcess(['buying']);
  await payAndDeliver(sandbox, order);
  await test.runJobs();
  await expect.poll(() => balanceOf(test, user), { timeout: 10_000 }).toBe(ath(100).toString());
});

it('twenty sends at once around the moment are each done or refused, and the books say which', async () => {
  const users = await Promise.all(
    Array.from({ length: 20 }, () => test.createUser({ balance: ath(1) })),
  );
  const friend = await test.createUser();
  const [answers] = await Promise.all([
    twenty(async (index) => {
      const user = users[index];
      if (user === undefined) throw new Error('each has a sender');
      return send(index % 2 === 0 ? test : second, user, friend);
    }),
    pull('sending'),
  ]);
  const done = answers.filter(({ status }) => status === 200);
  expect(answers.filter((answer) => answer.status !== 200).map(refusalOf)).toEqual(
    Array.from({ length: 20 - done.length }, () => STOPPED),
  );
  expect(await balanceOf(test, friend)).toBe(ath(done.length).toString());
});

it('stops a tip as it stops a purchase', async () => {
  const user = await test.createUser({ balance: ath(10) });
  const offer = await createOffer(test, { kind: 3 });
  await pull('spending');
  await inEveryProcess(['spending']);
  const payload = { offer_id: offer.id, amount: '1000000', from: 'Ada', note: '' };
  expect(refusalOf(await tip(test, user, payload))).toEqual(STOPPED);
  expect(refusalOf(await buy(test, user, [[offer.id, 1]]))).toEqual(STOPPED);
  expect(await balanceOf(test, user)).toBe(ath(10).toString());
});

describe('a brake', () => {
  it('is released by a second person, and only as it was shown', async () => {
    await pull('sending');
    const { body } = await release('sending');
    expect(body).toMatchObject({ outcome: 'requested', votes_needed: 1 });
    const id = body.approval_id as string;
    expect((await owner.call('brakes')).body.items[1].approval_id).toBe(id);
    expect(refusalOf(await finance.call('approveRequest', { params: { id } }))).toEqual({
      status: 403,
      code: 'own_request',
    });
    expect((await owner.call('approveRequest', { params: { id } })).body.state).toBe('executed');
    await inEveryProcess([]);

    await pull('sending');
    const again = (await release('sending')).body.approval_id as string;
    await pull('sending', owner, 'Something else is wrong now.');
    expect((await owner.call('approveRequest', { params: { id: again } })).body.state).toBe(
      'stale',
    );
    await inEveryProcess(['sending']);
  });

  it('that is not pulled cannot be released', async () => {
    expect(refusalOf(await release('rewards'))).toEqual({ status: 409, code: 'state_changed' });
  });

  it('is no setting that is listed or changed like the others', async () => {
    const manager = await consoleAs(test, ['brand_manager'], { organisation: 'brand' });
    const { items } = (await manager.call('settings')).body;
    expect(items.filter(({ key }: { key: string }) => key.startsWith('brake_'))).toEqual([]);
    const change = await manager.call('changeSetting', {
      params: { id: 'brake_buying' },
      body: { value: null, reason: REASON },
    });
    expect(refusalOf(change)).toEqual({ status: 404, code: 'not_found' });
  });

  it('is pulled from the command line as well, with a notice alone', async () => {
    const value = JSON.stringify({ notice: NOTICE });
    await programmeCommand(
      test.deps.config.databaseUrl,
      ['set', 'brake_rewards', value],
      'command line: ada',
    );
    await inEveryProcess(['rewards']);
    expect((await owner.call('brakes')).body.items[4].pulled).toMatchObject({
      notice: NOTICE,
      by: 'command line: ada',
    });
  });

  it('is for owners and finance', async () => {
    for (const role of ['support', 'brand_manager', 'auditor'] as const) {
      const other = await consoleAs(test, [role]);
      expect(refusalOf(await pull('buying', other))).toMatchObject({ code: 'permission_missing' });
    }
  });
});
