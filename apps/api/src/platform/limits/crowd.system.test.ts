/** A crowd on one endpoint must not occupy the database's ten connections. */
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { connect, type AddressInfo } from 'node:net';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { publishTestRate } from '../../../test/card-purchase.ts';
import { createStaffMember } from '../../../test/console.ts';
import { createSealer } from '../../../test/seals.ts';
import { ath } from '../../../test/shop.ts';
import { createTestApp, type TestApp, type TestAnswer } from '../../../test/test-app.ts';

let test: TestApp;
beforeAll(async () => {
  test = await createTestApp();
  await publishTestRate(test, '0.1683');
  await publishPrivacyText();
});
afterEach(() => {
  vi.restoreAllMocks();
});
afterAll(() => test.close());

/** Until staff publish a text, reading it does not reach the database. */
async function publishPrivacyText(): Promise<void> {
  const { staffId } = await createStaffMember(test, []);
  const at = new Date(test.clock.nowMs() - 1_000);
  await test.admin
    .insertInto('legal_texts')
    .values({
      kind: 'privacy',
      label: '2.0',
      body: 'We keep little.',
      edited_by: staffId,
      edited_at: at,
      published_by: staffId,
      published_at: at,
      in_force_from: at,
    })
    .execute();
}

const crowd = (count: number, ask: (index: number) => Promise<TestAnswer>): Promise<TestAnswer[]> =>
  Promise.all(Array.from({ length: count }, (_, index) => ask(index)));
const statusesOf = (answers: readonly TestAnswer[]): Record<string, number> => {
  const counts: Record<string, number> = {};
  for (const { status } of answers) counts[status] = (counts[status] ?? 0) + 1;
  return counts;
};

/** Returns the highest number of database connections that were used or waited for at the same time during `run`. */
async function mostConnectionsAtOnce(run: () => Promise<unknown>): Promise<number> {
  const executor = test.deps.db.getExecutor();
  const provide = executor.provideConnection.bind(executor);
  let [underWay, most] = [0, 0];
  const watched = vi.spyOn(executor, 'provideConnection').mockImplementation(async (consumer) => {
    underWay += 1;
    most = Math.max(most, underWay);
    try {
      return await provide(consumer);
    } finally {
      underWay -= 1;
    }
  });
  await run();
  watched.mockRestore();
  expect(most).toBeGreaterThan(0);
  return most;
}

describe('a crowd without sessions', () => {
  it.each([
    ['offers', '/api/offers?ids=', 3],
    ['tiers', '/api/tiers?', 2],
    ['readiness', '/readyz?', 1],
    ['tiers by id', '/api/tiers/', 2],
    ['unknown categories', '/api/categories/7', 1],
    ['the rate while notifications are down', '/api/exchange_rate?', 1],
    ['the heads of the ledger', '/api/ledger/heads?', 2],
    ['a legal text', '/api/legal/privacy?', 2],
  ])(
    'uses few connections for %s; most of its requests wait or are refused',
    async (_what, url, max) => {
      vi.spyOn(test.deps.notifications, 'isListening').mockReturnValue(false);
      let answers: TestAnswer[] = [];
      const most = await mostConnectionsAtOnce(async () => {
        answers = await crowd(400, (index) =>
          test.request({ method: 'GET', url: `${url}${index + 1000}` }),
        );
      });
      expect(most).toBeLessThanOrEqual(max);
      const refused = answers.filter(({ status }) => status === 503);
      expect(new Set(refused.map(({ body }) => body.code)).size).toBeLessThanOrEqual(1);
      for (const { body } of refused) expect(body.code).toBe('overloaded');
    },
  );
});

describe('a crowd that posts without sessions', () => {
  const code = 'x'.repeat(43);
  it.each([
    ['codes of links', 'verify', { code }],
    ['forgotten passwords', 'forgot_password', { email: 'nobody@athos.example' }],
  ])('uses few connections for %s', async (_what, path, payload) => {
    const url = `/api/account/${path}`;
    const body = { tenant_id: 1, mode: 'production', ...payload };
    const most = await mostConnectionsAtOnce(() =>
      crowd(100, () => test.request({ method: 'POST', url, payload: body })),
    );
    expect(most).toBeLessThanOrEqual(2);
  });

  it('uses few connections for a shared receipt, wherever it comes from', async () => {
    const [ada, ben] = [await test.createUser({ balance: ath(1) }), await test.createUser()];
    const payload = { amount: '1', to_uuid: ben.uuid };
    const send = { method: 'POST', url: '/api/account/transfer', key: randomUUID() } as const;
    const { id } = (await test.request({ ...send, payload, user: ada })).body;
    await createSealer(test).sealAll();
    const url = `/api/all_history/${id}/share`;
    const { link } = (await test.request({ method: 'POST', url, payload: {}, user: ada })).body;
    const token = new URL(link).hash.slice(1);
    const show = { method: 'POST', url: '/api/shared_receipt', payload: { token } } as const;
    let answers: TestAnswer[] = [];
    const most = await mostConnectionsAtOnce(async () => {
      answers = await crowd(30, (index) =>
        test.request({ ...show, remoteAddress: `198.51.100.${index}` }),
      );
    });
    expect(most).toBeLessThanOrEqual(2);
    expect(statusesOf(answers)).toEqual({ 200: 30 });
    for (const { body } of answers) expect(body.receipt).not.toBeNull();
  });

  it('uses few connections for token refreshes', async () => {
    const { token } = await test.createUser();
    const url = `/api/account/refresh_jwt?token=${token}`;
    const most = await mostConnectionsAtOnce(() =>
      crowd(100, () => test.request({ method: 'GET', url })),
    );
    expect(most).toBeLessThanOrEqual(3);
  });
});

it.each([
  ['balances', 'GET', '/api/account/balance', 4],
  // A deletion also looks for a replay, which takes one more connection.
  ['deletions', 'POST', '/api/account/delete', 5],
] as const)(
  'requests for %s with tokens of an ended session use few connections',
  async (_what, method, url, max) => {
    const { token } = await test.createUser();
    const headers = { authorization: `Bearer ${token}` };
    await test.request({ method: 'POST', url: '/api/account/logout', headers });
    let answers: TestAnswer[] = [];
    const most = await mostConnectionsAtOnce(async () => {
      answers = await crowd(300, () => test.request({ method, url, headers, key: randomUUID() }));
    });
    expect(most).toBeLessThanOrEqual(max);
    expect(statusesOf(answers)).toEqual({ 401: 300 });
  },
);

describe('a crowd of 2,500 at one network place', () => {
  const HERE = '203.0.113.1';
  const THERE = '203.0.113.2';
  const code = 'x'.repeat(43);

  it.each([
    ['offers', 200, { method: 'GET', url: '/api/offers?ids=1' }],
    ['tiers', 200, { method: 'GET', url: '/api/tiers' }],
    ['codes of links', 422, { method: 'POST', url: '/api/account/verify', payload: { code } }],
  ] as const)(
    'keeps nobody elsewhere from %s, nor a user who is signed in',
    async (_what, status, call) => {
      const here = crowd(2_500, () => test.request({ ...call, remoteAddress: HERE }));
      const neighbour = await test.createUser();
      await test.request({ method: 'GET', url: '/api/account/balance', user: neighbour });
      const others = await Promise.all([
        test.request({ ...call, user: neighbour, remoteAddress: HERE }),
        ...Array.from({ length: 16 }, () => test.request({ ...call, remoteAddress: THERE })),
      ]);
      expect(statusesOf(others)).toEqual({ [status]: 17 });
      expect(statusesOf(await here)[503]).toBeGreaterThan(0);
    },
  );

  it('refreshing the token of one user keeps nobody else from it', async () => {
    const [busy, other] = [await test.createUser(), await test.createUser()];
    const refresh = ({ token }: { token: string }) =>
      test.request({ method: 'GET', url: `/api/account/refresh_jwt?token=${token}` });
    const here = crowd(2_500, () => refresh(busy));
    expect(statusesOf(await crowd(16, () => refresh(other)))).toEqual({ 200: 16 });
    await here;
  });
});

describe('one user', () => {
  it('has at most 100 concurrent requests, while others are served, and is served again afterwards', async () => {
    const [ada, ben] = [await test.createUser(), await test.createUser()];
    const ask = (user: typeof ada) => () =>
      test.request({ method: 'GET', url: '/api/payment_intent', user });
    await Promise.all([ask(ada)(), ask(ben)()]);
    const [ofAda, ofBen] = await Promise.all([crowd(300, ask(ada)), crowd(20, ask(ben))]);
    expect(statusesOf(ofAda)[200]).toBeGreaterThanOrEqual(100);
    expect(statusesOf(ofAda)[503]).toBeGreaterThan(0);
    expect(statusesOf(ofBen)).toEqual({ 200: 20 });
    expect(statusesOf(await crowd(100, ask(ada)))).toEqual({ 200: 100 });
  });

  it('is not counted any more after disconnecting during the token lookup', async () => {
    const ada = await test.createUser();
    const { app, deps } = test;
    await app.listen({ host: '127.0.0.1', port: 0 });
    const { port } = app.server.address() as AddressInfo;
    const authenticate = deps.sessions.authenticate.bind(deps.sessions);
    const looking = Promise.withResolvers<void>();
    const looks = vi.spyOn(deps.sessions, 'authenticate').mockImplementation(async (token) => {
      await looking.promise;
      return authenticate(token);
    });
    const leave = async (): Promise<void> => {
      const [came, asked] = [once(app.server, 'connection'), once(app.server, 'request')];
      const socket = connect(port, '127.0.0.1');
      socket.write(
        `GET /api/payment_intent HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${ada.token}\r\n\r\n`,
      );
      const [connection] = await came;
      await asked;
      socket.destroy();
      await new Promise((resolve) => connection.once('close', resolve));
    };
    for (let count = 0; count < 110; count += 1) await leave();
    expect(looks).toHaveBeenCalledTimes(110);
    looking.resolve();
    await Promise.all(looks.mock.results.map(({ value }) => value));
    looks.mockRestore();
    const ask = () => test.request({ method: 'GET', url: '/api/payment_intent', user: ada });
    // By the second request, none of the disconnected ones is in progress any more.
    expect([(await ask()).status, (await ask()).status]).toEqual([200, 200]);
  });
});
