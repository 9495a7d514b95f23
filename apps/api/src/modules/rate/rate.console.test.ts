/** Staff publish the rate by hand, and decide on rates of a source that break the guard rails. */
import { randomUUID } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { parseRate } from '@athos/domain/money';
import { callerOf, consoleAs, type ConsoleCaller } from '../../../test/console.ts';
import { recordLog } from '../../../test/recorded-log.ts';
import { openSecondApp, type SecondApp } from '../../../test/second-app.ts';
import { refusalOf, twenty } from '../../../test/shop.ts';
import { createTestApp, stopClock, type TestAnswer, type TestApp } from '../../../test/test-app.ts';
import type { RateSource } from '../../config/rate.ts';
import { programmeCommand } from '../../platform/settings/programme-command.ts';
import { publishRate, startRatePublisher } from './rate-publisher.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
/** Less than a round of the publisher, because waiting also advances the fake time. */
const WITHIN_MS = 5_000;
const REASON = 'As the treasury decided today';
const BY_HAND: RateSource = { kind: 'console' };
const { log, lines } = recordLog();

let test: TestApp;
let second: SecondApp;
let server: Server;
let said = '0.1683';
let later: (byMs: number) => void;
let owner: ConsoleCaller;
let finance: ConsoleCaller;
let treasurer: ConsoleCaller;
beforeAll(async () => {
  test = await createTestApp({ env: { RATE_SOURCE: 'console' }, log });
  second = await openSecondApp(test, { env: { RATE_SOURCE: 'console' } });
  for (const { notifications } of [test.deps, second.deps]) {
    await vi.waitFor(() => expect(notifications.isListening()).toBe(true), 10_000);
  }
  server = createServer((_request, response) =>
    response.writeHead(200).end(`{"exchange_rate":${said}}`),
  );
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
});
beforeEach(async () => {
  await sql`truncate exchange_rates, rate_schedule, approvals, approval_votes, programme_settings cascade`.execute(
    test.admin,
  );
  await sql`select pg_notify('programme_changed', ''), pg_notify('rate_published', '')`.execute(
    test.deps.db,
  );
  await expect
    .poll(async () => (await test.deps.programme()).rateHighest, { timeout: 10_000 })
    .toBe(168_300_000n);
  later = stopClock(test);
  owner = await consoleAs(test, ['provider_owner']);
  finance = await consoleAs(test, ['finance']);
  treasurer = await consoleAs(test, ['finance']);
  lines.length = 0;
});
afterEach(() => {
  vi.restoreAllMocks();
});
afterAll(async () => {
  server.close();
  await second.close();
  await test.close();
});

const after = (ms: number): string => new Date(test.clock.nowMs() + ms).toISOString();
const schedule = (
  rate: string,
  at = after(MINUTE_MS),
  by = finance,
  key: string = randomUUID(),
): Promise<TestAnswer> =>
  by.call('scheduleRate', { body: { usd_per_ath: rate, in_force_from: at, reason: REASON }, key });
const publish = (source: RateSource = BY_HAND) =>
  publishRate({ ...test.deps, config: { rateSource: source } });
/** Publishes from the source once, and returns the rate that every process answers afterwards. */
async function published(source: RateSource = BY_HAND): Promise<unknown> {
  await publish(source);
  return shown();
}
async function shown(): Promise<unknown> {
  const { body } = await finance.call('rateNow');
  const rate = body.current?.usd_per_ath;
  for (const { request } of [test, second]) {
    await expect
      .poll(
        async () =>
          (await request({ method: 'GET', url: '/api/exchange_rate' })).body.exchange_rate,
        { timeout: 10_000 },
      )
      .toBe(rate === undefined ? undefined : Number(rate));
  }
  return rate;
}
async function vote(id: string, ...voters: readonly ConsoleCaller[]): Promise<unknown> {
  let state: unknown;
  for (const voter of voters) {
    await voter.prove();
    const { body } = await voter.call('approveRequest', { params: { id } });
    state = body.state;
  }
  return state;
}
/** Publishes the programme's first rate, dated a day ago. */
async function begin(rate = '0.1'): Promise<void> {
  const at = new Date(test.clock.nowMs() - 25 * HOUR_MS);
  await test.deps.db
    .insertInto('exchange_rates')
    .values({ usd_per_ath: rate, in_force_from: at, confirmed_at: at })
    .execute();
}
const inbox = async (by: ConsoleCaller = finance) =>
  (await by.call('approvals', { query: { view: 'decide' } })).body.items as {
    id: string;
    action: string;
    requested_by: unknown;
  }[];
const scheduled = async (): Promise<unknown[]> =>
  (
    await test.deps.db
      .selectFrom('rate_schedule')
      .select(['usd_per_ath', 'state'])
      .orderBy('in_force_from')
      .execute()
  ).map(({ usd_per_ath: rate, state }) => [Number(rate), state]);
const setting = (key: string, value: string): Promise<string> =>
  programmeCommand(test.deps.config.databaseUrl, ['set', key, value], 'test');

describe('a rate by hand', () => {
  it('[O-095] is published at its time, once, in every process', async () => {
    await begin();
    expect((await schedule('0.101')).body).toEqual({ outcome: 'done' });
    expect(await published()).toBe('0.1');
    later(MINUTE_MS - 1);
    expect(await published()).toBe('0.1');
    later(1);
    await Promise.all(Array.from({ length: 20 }, () => publish()));
    expect(await shown()).toBe('0.101');
    expect(await scheduled()).toEqual([[0.101, 'published']]);
    const { items } = (await finance.call('rateSeries', { query: { range: 'hour' } })).body;
    expect([items.length, items[0].usd_per_ath, items.at(-1).usd_per_ath]).toEqual([
      145,
      '0.1',
      '0.101',
    ]);
    // The rate in force is confirmed as long as no other rate is scheduled.
    later(MINUTE_MS);
    await publish();
    expect((await finance.call('rateNow')).body).toMatchObject({
      current: { confirmed_at: after(0) },
      is_too_old: false,
      schedule: [],
      source: { kind: 'console', host: null },
    });
  });

  it('is published by the worker when it is due, not a round later', async () => {
    await begin();
    await schedule('0.101');
    later(MINUTE_MS - 2_000);
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const publisher = startRatePublisher({
      ...test.deps,
      config: { rateSource: BY_HAND, rateMaxAgeMs: 300_000 },
    });
    try {
      await vi.waitFor(() => expect(vi.getTimerCount()).toBeGreaterThan(0), WITHIN_MS);
      later(2_000);
      await vi.waitFor(
        async () => expect(await scheduled()).toEqual([[0.101, 'published']]),
        WITHIN_MS,
      );
    } finally {
      await publisher.stop();
      vi.useRealTimers();
    }
  });

  it('of several that are due, the last is published and the others are skipped', async () => {
    await begin();
    await schedule('0.101', after(MINUTE_MS));
    await schedule('0.102', after(2 * MINUTE_MS));
    later(3 * MINUTE_MS);
    expect(await published()).toBe('0.102');
    expect(await scheduled()).toEqual([
      [0.101, 'skipped'],
      [0.102, 'published'],
    ]);
  });

  it('as the first of a programme takes one vote, and is in force a minute after it at the earliest', async () => {
    await expect(publish()).rejects.toThrow('no rate was published by hand yet');
    const { body } = await schedule('0.1683');
    expect(body).toMatchObject({ outcome: 'requested', votes_needed: 1 });
    later(10 * MINUTE_MS);
    expect(await vote(body.approval_id, owner)).toBe('executed');
    later(MINUTE_MS - 1);
    await expect(publish()).rejects.toThrow('no rate was published by hand yet');
    later(1);
    expect(await published()).toBe('0.1683');
  });

  it.each([
    ['0.102', 0, undefined],
    ['0.10200001', 1, undefined],
    ['0.098', 0, undefined],
    ['0.11', 1, undefined],
    ['0.11000001', 2, 'step'],
    ['1.7', 2, 'highest'],
    ['0.01', 2, 'lowest'],
  ])('of %s after 0.1 takes %i votes', async (rate, votes, guardRail) => {
    await begin();
    const { body } = await schedule(rate);
    expect([body.outcome, body.votes_needed ?? 0]).toEqual([
      votes === 0 ? 'done' : 'requested',
      votes,
    ]);
    if (votes === 0) return;
    const { body: request } = await owner.call('approval', { params: { id: body.approval_id } });
    expect(request).toMatchObject({ before: { rate: '0.1' }, after: { rate } });
    expect(request.after.guard_rail).toBe(guardRail);
  });

  it('counts every change within an hour of it, before and after', async () => {
    await begin();
    expect((await schedule('0.102', after(60 * MINUTE_MS))).body.outcome).toBe('done');
    expect((await schedule('0.099', after(30 * MINUTE_MS))).body.outcome).toBe('requested');
    expect((await schedule('0.1035', after(90 * MINUTE_MS))).body.outcome).toBe('requested');
    expect((await schedule('0.1035', after(181 * MINUTE_MS))).body.outcome).toBe('done');
  });

  it('beyond the guard rails is published after two votes, and what follows is measured from it', async () => {
    await begin();
    const { body } = await schedule('0.2');
    expect(await vote(body.approval_id, owner)).toBe('pending');
    expect(await vote(body.approval_id, treasurer)).toBe('executed');
    later(MINUTE_MS);
    expect(await published()).toBe('0.2');
    // 0.1 was in force within the last hour, but before the vote.
    later(20 * MINUTE_MS);
    await finance.prove();
    expect((await schedule('0.203')).body.outcome).toBe('done');
    later(MINUTE_MS);
    expect(await published()).toBe('0.203');
  });

  it('that breaks a guard rail at its time is not published, and staff are asked', async () => {
    await begin();
    await schedule('0.102');
    await setting('rate_highest', '0.1005');
    await expect.poll(async () => (await test.deps.programme()).rateHighest).toBe(10_050_000n);
    later(MINUTE_MS);
    expect(await publish()).toMatchObject({ guardRail: 'highest' });
    expect(await shown()).toBe('0.1');
    expect(await scheduled()).toEqual([[0.102, 'refused']]);
    const [request] = await inbox();
    // While staff decide, the rate in force ages.
    later(6 * MINUTE_MS);
    await publish();
    expect((await finance.call('rateNow')).body).toMatchObject({
      is_too_old: true,
      refused: { approval_id: request?.id, usd_per_ath: '0.102' },
    });
    await finance.prove();
    await finance.call('rejectRequest', {
      params: { id: request?.id ?? '' },
      body: { reason: REASON },
    });
    await publish();
    expect((await finance.call('rateNow')).body).toMatchObject({
      is_too_old: false,
      refused: null,
    });
  });

  it.each([
    ['59 seconds ahead', '0.1', () => after(MINUTE_MS - 1), 422, 'rate_too_soon'],
    ['in a year', '0.1', () => after(365 * 24 * HOUR_MS), 400, 'invalid_request'],
    ['of 0', '0', () => after(MINUTE_MS), 400, 'invalid_request'],
    ['below 0', '-0.1', () => after(MINUTE_MS), 400, 'invalid_request'],
    ['of nine decimals', '0.100000001', () => after(MINUTE_MS), 400, 'invalid_request'],
    ['of words', 'much', () => after(MINUTE_MS), 400, 'invalid_request'],
  ])('%s is refused', async (_title, rate, at, status, code) => {
    await begin();
    expect(refusalOf(await schedule(rate, at()))).toEqual({ status, code });
    expect(await scheduled()).toEqual([]);
  });

  it('is scheduled once by twenty requests with one key', async () => {
    await begin();
    const key = randomUUID();
    const at = after(MINUTE_MS);
    const answers = await twenty(() => schedule('0.101', at, finance, key));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    expect(await scheduled()).toEqual([[0.101, 'waiting']]);
  });

  it('can be cancelled until its time', async () => {
    await begin();
    const key = randomUUID();
    await schedule('0.101', after(MINUTE_MS), finance, key);
    const cancel = () =>
      owner.call('cancelRate', { params: { id: key }, body: { reason: REASON } });
    expect((await cancel()).status).toBe(200);
    expect(refusalOf(await cancel())).toEqual({ status: 409, code: 'state_changed' });
    later(MINUTE_MS);
    expect(await published()).toBe('0.1');
  });

  it('is not taken while the rate has another source', async () => {
    const other = await openSecondApp(test);
    try {
      await begin();
      const elsewhere = callerOf(other, finance, finance);
      const answer = await schedule('0.1', after(MINUTE_MS), elsewhere);
      expect(refusalOf(answer)).toEqual({ status: 409, code: 'rate_source_elsewhere' });
    } finally {
      await other.close();
    }
  });
});

const feed = (): RateSource => ({
  kind: 'url',
  url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/rate`,
});

describe('a source that breaks a guard rail', () => {
  it.each([
    ['the environment', () => ({ kind: 'fixed', usdPerAth: parseRate('0.2') ?? 0n }) as RateSource],
    ['a feed', feed],
    ['the walk', (): RateSource => ({ kind: 'walk' })],
  ])(
    '[O-096] is not followed: %s. The last rate stays and staff are asked once',
    async (_name, sourceOf) => {
      await begin('0.1');
      said = '0.2';
      for (let round = 0; round < 3; round += 1) {
        expect(await publish(sourceOf())).toMatchObject({ guardRail: 'step' });
        later(6_000);
      }
      expect(await shown()).toBe('0.1');
      expect(await inbox()).toMatchObject([
        {
          action: 'rate.publish_refused',
          requested_by: null,
          votes_needed: 2,
          votes_given: 0,
          state: 'pending',
        },
      ]);
    },
  );

  it('[O-096] is followed after two votes, and goes on from there', async () => {
    await begin('0.1');
    said = '0.2';
    await publish(feed());
    const [request] = await inbox();
    const id = request?.id ?? '';
    expect(await vote(id, finance)).toBe('pending');
    expect(await shown()).toBe('0.1');
    expect(await vote(id, treasurer)).toBe('executed');
    expect(await shown()).toBe('0.2');
    said = '0.205';
    later(6_000);
    expect(await published(feed())).toBe('0.205');
    const entries = await test.deps.db
      .selectFrom('audit_entries')
      .select(['action', 'outcome', 'staff_id'])
      .where('approval_id', '=', id)
      .orderBy('seq')
      .execute();
    expect(entries).toEqual([
      { action: 'rate.publish_refused', outcome: 'requested', staff_id: null },
      { action: 'approval.approve', outcome: 'done', staff_id: finance.staffId },
      { action: 'approval.approve', outcome: 'done', staff_id: treasurer.staffId },
      { action: 'rate.publish_refused', outcome: 'done', staff_id: null },
    ]);
  });

  it('[O-096] is dropped by a rejection, and not asked about again for a day', async () => {
    await begin('0.1');
    said = '0.2';
    await publish(feed());
    const [request] = await inbox();
    const { body } = await finance.call('rejectRequest', {
      params: { id: request?.id ?? '' },
      body: { reason: REASON },
    });
    expect(body.state).toBe('rejected');
    later(HOUR_MS / 4);
    await publish(feed());
    expect(await inbox()).toEqual([]);
    said = '0.3';
    await publish(feed());
    expect(await inbox()).toHaveLength(1);
    expect(await shown()).toBe('0.1');
  });

  it('that comes back within them ends the request', async () => {
    await begin('0.1');
    said = '0.2';
    await publish(feed());
    const [request] = await inbox();
    said = '0.1005';
    expect(await published(feed())).toBe('0.1005');
    expect(await inbox()).toEqual([]);
    const { body } = await finance.call('approval', { params: { id: request?.id ?? '' } });
    expect([body.state, body.requested_by]).toEqual(['stale', null]);
  });

  it('is published once by twenty votes at once, and not after the rate has changed', async () => {
    await begin('0.1');
    said = '0.2';
    await publish(feed());
    const [request] = await inbox();
    const id = request?.id ?? '';
    await finance.call('approveRequest', { params: { id } });
    const voters = await Promise.all(Array.from({ length: 5 }, () => consoleAs(test, ['finance'])));
    const answers = await Promise.all(
      voters.map((voter) => voter.call('approveRequest', { params: { id } })),
    );
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(await shown()).toBe('0.2');
    const { rows } = await sql<{ count: number }>`
      select count(*)::int as count from exchange_rates where usd_per_ath = 0.2`.execute(
      test.deps.db,
    );
    expect(rows[0]?.count).toBe(1);
  });
});
