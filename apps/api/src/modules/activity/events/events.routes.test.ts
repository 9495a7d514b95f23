import { randomUUID } from 'node:crypto';
import type { AddressInfo } from 'node:net';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { microAth } from '@athos/domain/money';
import {
  createItems,
  createStaff,
  purchaseCode,
  type TestPurchase,
} from '../../../../test/build-redemption.ts';
import { createOffer } from '../../../../test/build-catalog.ts';
import { consoleAs } from '../../../../test/console.ts';
import { openSecondApp } from '../../../../test/second-app.ts';
import { ath, balanceOf, buy } from '../../../../test/shop.ts';
import { createTestApp, type TestApp, type TestUser } from '../../../../test/test-app.ts';

let test: TestApp;
let origin: string;
beforeAll(async () => {
  test = await createTestApp();
  await test.app.listen({ host: '127.0.0.1', port: 0 });
  origin = `http://127.0.0.1:${(test.app.server.address() as AddressInfo).port}`;
  await vi.waitFor(() => expect(test.deps.notifications.isListening()).toBe(true), 10_000);
});
afterAll(() => test.close());

interface Listening {
  readonly events: unknown[];
  readonly commentCount: () => number;
  readonly ended: Promise<void>;
  stop(): void;
}

/** Reads a stream as the wallet does: with fetch and a bearer header. */
async function listen(user: TestUser, at = origin): Promise<Listening> {
  const controller = new AbortController();
  const answer = await fetch(`${at}/api/account/events`, {
    headers: { authorization: `Bearer ${user.token}` },
    signal: controller.signal,
  });
  expect(answer.status).toBe(200);
  expect(answer.headers.get('content-type')).toBe('text/event-stream; charset=utf-8');
  const events: unknown[] = [];
  let commentCount = 0;
  const read = async (): Promise<void> => {
    const decoder = new TextDecoder();
    for await (const chunk of answer.body ?? []) {
      for (const line of decoder.decode(chunk as Uint8Array).split('\n')) {
        if (line === ':') commentCount += 1;
        if (line.startsWith('data: ')) events.push(JSON.parse(line.slice(6)));
      }
    }
  };
  return {
    events,
    commentCount: () => commentCount,
    ended: read().catch(() => undefined),
    stop: () => controller.abort(),
  };
}

describe('account/events', () => {
  it('answers HEAD with the headers of a stream, and ends', async () => {
    const { token } = await test.createUser();
    const answer = await fetch(`${origin}/api/account/events`, {
      method: 'HEAD',
      headers: { authorization: `Bearer ${token}` },
      signal: AbortSignal.timeout(5_000),
    });
    expect(answer.status).toBe(200);
    expect(answer.headers.get('content-type')).toBe('text/event-stream; charset=utf-8');
  });

  it('writes a comment to each stream 15 s after it began, and every 15 s from then on', async () => {
    const ada = await test.createUser();
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    try {
      const first = await listen(ada);
      vi.advanceTimersByTime(10_000);
      const second = await listen(ada);
      await vi.waitFor(() => expect(second.commentCount()).toBe(1));
      vi.advanceTimersByTime(5_000);
      await vi.waitFor(() => expect(first.commentCount()).toBe(2));
      expect(second.commentCount()).toBe(1);
      vi.advanceTimersByTime(25_000);
      await vi.waitFor(() => expect(first.commentCount()).toBe(3));
      await vi.waitFor(() => expect(second.commentCount()).toBe(3));
      first.stop();
      second.stop();
    } finally {
      vi.useRealTimers();
    }
  });

  it('[D-110] notifies the receiver at once, in one event with all balances', async () => {
    const [ada, ben] = [
      await test.createUser({ balance: microAth(9_000_000n) }),
      await test.createUser(),
    ];
    const bens = await listen(ben);
    await test.request({
      method: 'POST',
      url: '/api/account/transfer',
      user: ada,
      key: randomUUID(),
      payload: { amount: '4000000', to_uuid: ben.uuid },
    });
    await expect
      .poll(() => bens.events)
      .toEqual([
        { type: 'balance', balance: '4000000', balances: { ATH: '4000000', ATH2: '0', ATH3: '0' } },
      ]);
    bens.stop();
  });

  it('[P-001] tells of a send and of a purchase that another process posted', async () => {
    const second = await openSecondApp(test);
    const offer = await createOffer(test);
    const [ada, ben] = [await test.createUser({ balance: ath(90) }), await test.createUser()];
    const [adas, bens] = [await listen(ada), await listen(ben)];
    const hears = ({ events }: Listening, balance: string) =>
      expect
        .poll(() => events, { timeout: 10_000 })
        .toContainEqual(expect.objectContaining({ type: 'balance', balance }));
    const { status } = await second.request({
      method: 'POST',
      url: '/api/account/transfer',
      user: ada,
      payload: { amount: '40000000', to_uuid: ben.uuid },
    });
    expect(status).toBe(200);
    await Promise.all([hears(adas, '50000000'), hears(bens, '40000000')]);
    expect((await buy(second, ben, [[offer.id, 1]])).status).toBe(200);
    await hears(bens, await balanceOf(test, ben));
    adas.stop();
    bens.stop();
    await second.close();
  });

  it('notifies only the owner of a payment, also if another process sent the notification', async () => {
    const [ada, ben] = [await test.createUser(), await test.createUser()];
    const [adas, bens] = [await listen(ada), await listen(ben)];
    const id = randomUUID();
    await sql`select pg_notify('payment_changed', ${`${ada.userId} ${id}`})`.execute(test.deps.db);
    await expect.poll(() => adas.events).toEqual([{ type: 'payment', id }]);
    expect(bens.events).toEqual([]);
    adas.stop();
    bens.stop();
  });

  it('ends with the session', async () => {
    const ada = await test.createUser();
    const adas = await listen(ada);
    await test.deps.sessions.revokeAll(test.deps.db, ada.userId);
    await adas.ended;
    expect(adas.events).toEqual([{ type: 'session_ended' }]);
  });

  it('ends with 2,000 sessions of its user by one notification, except in the session that stays open', async () => {
    const { db, sessions } = test.deps;
    const ada = await test.createUser();
    const kept = await sessions.open(db, { userId: ada.userId, userUuid: ada.uuid });
    const keptId = JSON.parse(Buffer.from(kept.split('.')[1] ?? '', 'base64url').toString()).sid;
    await sql`
      insert into sessions (user_id, expires_at)
      select ${ada.userId}, now() + interval '1 day' from generate_series(1, 2000)`.execute(db);
    const [adas, keptStream] = [await listen(ada), await listen({ ...ada, token: kept })];
    const onEnded = vi.fn();
    sessions.onRevoked(onEnded);
    await sessions.revokeAll(db, ada.userId, keptId as string);
    await adas.ended;
    expect(adas.events).toEqual([{ type: 'session_ended' }]);
    // The end is signalled once in this process, and once more by the notification.
    await expect.poll(() => onEnded.mock.calls.length).toBe(2);
    const id = randomUUID();
    await sql`select pg_notify('payment_changed', ${`${ada.userId} ${id}`})`.execute(db);
    await expect.poll(() => keptStream.events).toEqual([{ type: 'payment', id }]);
    const { rows } = await sql`
      select from sessions where user_id = ${ada.userId} and revoked_at is null`.execute(db);
    expect(rows).toHaveLength(1);
    keptStream.stop();
  });

  it('ends even if the notification of the revocation was lost', async () => {
    const ada = await test.createUser();
    const adas = await listen(ada);
    await sql`
      select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and application_name like 'athos-listener %'`.execute(
      test.deps.db,
    );
    await adas.ended;
    await expect.poll(() => test.deps.notifications.isListening()).toBe(true);
  });

  it('ends for a session that was revoked although its token is still remembered', async () => {
    const ada = await test.createUser();
    await test.request({ method: 'GET', url: '/api/account/balance', user: ada });
    await sql`update sessions set revoked_at = now() where user_id = ${ada.userId}`.execute(
      test.deps.db,
    );
    await (
      await listen(ada)
    ).ended;
  });

  it('combines many changes into few events, the last of which has the final balance', async () => {
    const [ada, ben] = [
      await test.createUser({ balance: microAth(9_000_000n) }),
      await test.createUser(),
    ];
    const bens = await listen(ben);
    const sends = Array.from({ length: 40 }, () =>
      test.request({
        method: 'POST',
        url: '/api/account/transfer',
        user: ada,
        payload: { amount: '1', to_uuid: ben.uuid },
      }),
    );
    await Promise.all(sends);
    await expect.poll(() => bens.events.at(-1)).toMatchObject({ balance: '40' });
    expect(bens.events.length).toBeLessThan(20);
    bens.stop();
  });

  it('closes the oldest stream of a user who has too many', async () => {
    const ada = await test.createUser();
    const streams: Listening[] = [];
    for (let count = 0; count < 11; count += 1) streams.push(await listen(ada));
    await streams[0]?.ended;
    for (const stream of streams) stream.stop();
  });

  it('is refused without a token', async () => {
    expect((await fetch(`${origin}/api/account/events`)).status).toBe(401);
  });
});

describe('a redemption', () => {
  const redeem = (staff: TestUser, payload: string) =>
    test.request({ method: 'POST', url: '/api/scanner/redeem', user: staff, payload: { payload } });
  const eventOf = ({ purchaseId, itemIds }: TestPurchase, at: string, venue: string) => ({
    type: 'redeemed',
    items: itemIds.map((id) => ({ id, purchase_id: purchaseId, redeemed_at: at, venue })),
  });

  it('is told to its holder through every process, and to nobody else', async () => {
    const second = await openSecondApp(test);
    await second.app.listen({ host: '127.0.0.1', port: 0 });
    const { port } = second.app.server.address() as AddressInfo;
    await expect.poll(() => second.deps.notifications.isListening()).toBe(true);
    const [ada, ben] = [await test.createUser(), await test.createUser()];
    const staff = await createStaff(test);
    const bought = await createItems(test, ada, { count: 40 });
    const [here, there] = [await listen(ada), await listen(ada, `http://127.0.0.1:${port}`)];
    const bens = await listen(ben);
    const payload = purchaseCode(test, ada, bought.itemIds);
    const { body } = await redeem(staff, payload);
    const event = eventOf(bought, body.results[0].redeemed_at, staff.venues[0]?.name ?? '');
    for (const { events } of [here, there]) await expect.poll(() => events).toEqual([event]);
    expect(bens.events).toEqual([]);
    for (const stream of [here, there, bens]) stream.stop();
    await second.close();
  });

  it('is told again with what is left of it when items are made redeemable again', async () => {
    const [ada, staff] = [await test.createUser(), await createStaff(test)];
    const bought = await createItems(test, ada, { count: 2 });
    const { body } = await redeem(staff, purchaseCode(test, ada, bought.itemIds));
    const { redemption_id: id } = await test.deps.db
      .selectFrom('purchase_items')
      .select('redemption_id')
      .where('purchase_id', '=', BigInt(bought.purchaseId))
      .limit(1)
      .executeTakeFirstOrThrow();
    const adas = await listen(ada);
    const support = await consoleAs(test, ['support']);
    const [left = 0, reversed = 0] = bought.itemIds;
    const undone = await support.call('reverseRedemption', {
      params: { id: Number(id) },
      body: { item_ids: [reversed], reason: 'The wrong guest was scanned' },
    });
    expect(undone.status).toBe(200);
    const { redeemed_at: at } = body.results[0];
    const event = eventOf({ ...bought, itemIds: [left] }, at, staff.venues[0]?.name ?? '');
    // A stream that opens right after the redemption may still get its event.
    await expect.poll(() => adas.events.at(-1)).toEqual(event);
    adas.stop();
  });

  it('is not sent if nothing was redeemed', async () => {
    const [ada, staff] = [await test.createUser(), await createStaff(test)];
    const [one, two] = [await createItems(test, ada), await createItems(test, ada)];
    const first = await listen(ada);
    await redeem(staff, purchaseCode(test, ada, one.itemIds));
    await expect.poll(() => first.events).toHaveLength(1);
    first.stop();
    const adas = await listen(ada);
    test.clock.advance(1);
    await redeem(staff, purchaseCode(test, ada, one.itemIds));
    const { body } = await redeem(staff, purchaseCode(test, ada, two.itemIds));
    const event = eventOf(two, body.results[0].redeemed_at, staff.venues[0]?.name ?? '');
    // A stream that opens right after the redemption may still get its event.
    await expect.poll(() => adas.events.at(-1)).toEqual(event);
    adas.stop();
  });
});
