/** A rate that breaks a guard rail is not published, whether its source is wrong or captured. */
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { microAth, parseRate, rateText, type Rate } from '@athos/domain/money';
import { postPayment, purchaseBody } from '../../../test/card-purchase.ts';
import { startCardSandbox, type CardSandbox } from '../../../test/card-sandbox.ts';
import { recordLog } from '../../../test/recorded-log.ts';
import { createTestApp, stopClock, type TestApp } from '../../../test/test-app.ts';
import type { RateSource } from '../../config/rate.ts';
import { programmeCommand } from '../../platform/settings/programme-command.ts';
import { publishRate, startRatePublisher } from './rate-publisher.ts';
import { createCurrentRate } from './rate.routes.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
/** Less than a round of the publisher, because waiting also advances the fake time. */
const WITHIN_MS = 5_000;
const { log, lines } = recordLog();

let sandbox: CardSandbox;
let test: TestApp;
let server: Server;
let said = '0.1683';
beforeAll(async () => {
  sandbox = await startCardSandbox();
  test = await createTestApp({ env: sandbox.env, log });
  await vi.waitFor(() => expect(test.deps.notifications.isListening()).toBe(true), 10_000);
  server = createServer((_request, response) =>
    response.writeHead(200).end(`{"exchange_rate":${said}}`),
  );
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
});
beforeEach(async () => {
  await sql`truncate exchange_rates, programme_settings`.execute(test.admin);
  await sql`select pg_notify('programme_changed', '')`.execute(test.deps.db);
  const byDefault = { rateLowest: 1_680_000n, rateHighest: 168_300_000n, rateHourPercentMax: 25n };
  await expect.poll(test.deps.programme, { timeout: 10_000 }).toMatchObject(byDefault);
  lines.length = 0;
});
afterEach(() => {
  vi.restoreAllMocks();
});
afterAll(async () => {
  server.close();
  await test.close();
  await sandbox.close();
});

const sourceAt = (): RateSource => ({
  kind: 'url',
  url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/rate`,
});
const publishNext = () => publishRate({ ...test.deps, config: { rateSource: sourceAt() } });

/** Makes the source return a rate once; returns the rate in force afterwards. */
async function hear(text: string): Promise<string | undefined> {
  said = text;
  await publishNext();
  return current();
}
async function current(): Promise<string | undefined> {
  const rate = await createCurrentRate(test.deps)();
  return rate === undefined ? undefined : rateText(rate);
}
const setting = (key: string, value: string): Promise<string> =>
  programmeCommand(test.deps.config.databaseUrl, ['set', key, value], 'test');
const alarms = (name = 'rate_refused'): string[] =>
  lines.filter((line) => line.includes(`"alarm":"${name}"`));

describe('a source that suddenly says 0.00000001', () => {
  it('changes nothing: nobody buys 1,000,000,000 ATH for 11.10 USD', async () => {
    await hear('0.1683');
    test.clock.advance(6_000);
    expect(await hear('0.00000001')).toBe('0.1683');
    const user = await test.createUser();
    const body = purchaseBody(microAth(1_000_000_000_000_000n), '0.00000001');
    expect(body.total).toBe(11.1);
    const { status, body: problem } = await postPayment(test, user, body);
    expect({ status, problem }).toMatchObject({
      status: 409,
      problem: { code: 'rate_expired', exchange_rate: 0.1683 },
    });
  });

  it('ends buying once the last rate is too old', { tags: 'long' }, async () => {
    // The rounds take some seconds of real time, which would otherwise be added to the clock.
    const pass = stopClock(test);
    await hear('0.1683');
    const buy = async () =>
      (await postPayment(test, await test.createUser(), purchaseBody(microAth(100_000_000n))))
        .status;
    for (let round = 0; round < 50; round += 1) {
      expect(await buy()).toBe(200);
      pass(6_000);
      await hear('0.00000001');
    }
    pass(1_000);
    expect(await buy()).toBe(503);
    expect(await hear('0.1683')).toBe('0.1683');
    expect(await buy()).toBe(200);
  });
});

describe('the guard rails', () => {
  it.each([
    ['0.0168', '0.0168'],
    ['0.01679999', undefined],
    ['1.683', '1.683'],
    ['1.68300001', undefined],
  ])('hold for the first rate of a programme: %s', async (first, published) => {
    expect(await hear(first)).toBe(published);
  });

  it('hold for every kind of source', async () => {
    const tooLow: Rate = parseRate('0.00000001') ?? expect.fail();
    await hear('0.1683');
    await publishRate({
      ...test.deps,
      config: { rateSource: { kind: 'fixed', usdPerAth: tooLow } },
    });
    expect(await current()).toBe('0.1683');
    await setting('rate_lowest', '0.3');
    await sql`truncate exchange_rates`.execute(test.admin);
    await expect.poll(async () => (await test.deps.programme()).rateLowest).toBe(30_000_000n);
    await publishRate({ ...test.deps, config: { rateSource: { kind: 'walk' } } });
    expect(await current()).toBe(undefined);
  });

  it.each([
    ['0.11', '0.11'],
    ['0.11000001', '0.1'],
    ['0.09', '0.09'],
    ['0.08999999', '0.1'],
  ])(
    'let a rate change by a tenth at most: after 0.1, %s leaves %s in force',
    async (next, published) => {
      await hear('0.1');
      test.clock.advance(6_000);
      expect(await hear(next)).toBe(published);
    },
  );

  it('let it change by 25 % within an hour, in whatever steps', async () => {
    await hear('0.1');
    for (const step of ['0.109', '0.118', '0.125']) {
      test.clock.advance(6_000);
      expect(await hear(step)).toBe(step);
    }
    test.clock.advance(6_000);
    expect(await hear('0.12500001')).toBe('0.125');
    // The rate falls from the highest of the hour, not from the first.
    for (const step of ['0.115', '0.104', '0.09375']) {
      test.clock.advance(6_000);
      expect(await hear(step)).toBe(step);
    }
    test.clock.advance(6_000);
    expect(await hear('0.09374999')).toBe('0.09375');
  });

  it('measure an hour from the rate that was in force when it began', async () => {
    await hear('0.1');
    test.clock.advance(5 * HOUR_MS);
    expect(await hear('0.11')).toBe('0.11');
    test.clock.advance(HOUR_MS - 6_000);
    expect(await hear('0.12')).toBe('0.12');
    // 0.1 was in force until an hour and six seconds ago; 0.11 is the lowest of the hour.
    test.clock.advance(12_000);
    expect(await hear('0.132')).toBe('0.132');
  });

  it('let a patient attacker move it by 50 % within any 24 hours', { tags: 'long' }, async () => {
    const ranges: { atMs: number; rate: number }[] = [];
    for (let round = 0; round < 36 * 6; round += 1) {
      // Tries to raise the rate by the 10 % that the step allows; if that is refused, by 1 %, then by 0.1 %.
      const before = Number((await current()) ?? '0.1');
      for (const factor of [1.1, 1.01, 1.001]) {
        if ((await hear((before * factor).toFixed(8))) !== String(before)) break;
      }
      ranges.push({ atMs: test.clock.nowMs(), rate: Number(await current()) });
      test.clock.advance(10 * MINUTE_MS);
    }
    const climbs = ranges.flatMap(({ atMs, rate }) =>
      ranges
        .filter((earlier) => earlier.atMs <= atMs && earlier.atMs > atMs - 24 * HOUR_MS)
        .map((earlier) => rate / earlier.rate),
    );
    expect(Math.max(...climbs)).toBeGreaterThan(1.49);
    expect(Math.max(...climbs)).toBeLessThanOrEqual(1.5);
  });

  it('are settings of the programme', async () => {
    await setting('rate_step_percent_max', '40');
    await setting('rate_hour_percent_max', '40');
    await setting('rate_highest', '0.13');
    await expect.poll(async () => (await test.deps.programme()).rateStepPercentMax).toBe(40n);
    await hear('0.1');
    expect(await hear('0.13')).toBe('0.13');
    expect(await hear('0.131')).toBe('0.13');
  });

  it('keep confirming the rate in force after they were tightened around it, but not outside the lowest and highest', async () => {
    await hear('0.1');
    await hear('0.11');
    await setting('rate_hour_percent_max', '5');
    await expect.poll(async () => (await test.deps.programme()).rateHourPercentMax).toBe(5n);
    test.clock.advance(6_000);
    await hear('0.11');
    const confirmedAtMs = async () =>
      (
        await test.deps.db
          .selectFrom('exchange_rates')
          .select('confirmed_at')
          .orderBy('id', 'desc')
          .executeTakeFirstOrThrow()
      ).confirmed_at.getTime();
    const before = await confirmedAtMs();
    expect(test.clock.nowMs() - before).toBeLessThan(6_000);
    await setting('rate_highest', '0.105');
    await expect.poll(async () => (await test.deps.programme()).rateHighest).toBe(10_500_000n);
    test.clock.advance(6_000);
    await hear('0.11');
    expect(await confirmedAtMs()).toBe(before);
  });
});

it('a refused rate raises an alarm that names the guard rail, at first and every ten minutes', async () => {
  const programme = vi.fn(test.deps.programme);
  const roundsBegun = (count: number) =>
    vi.waitFor(() => expect(programme).toHaveBeenCalledTimes(count), WITHIN_MS);
  const nextRound = (laterMs: number) => {
    test.clock.advance(laterMs);
    vi.advanceTimersByTime(6_000);
  };
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const publisher = startRatePublisher({
    ...test.deps,
    programme,
    config: { rateSource: { kind: 'fixed', usdPerAth: 1n as Rate }, rateMaxAgeMs: 300_000 },
  });
  try {
    await vi.waitFor(() => expect(alarms()).toHaveLength(1), WITHIN_MS);
    expect(alarms()[0]).toMatch(/"guardRail":"lowest","usdPerAth":"0.00000001"/);
    nextRound(6_000);
    await roundsBegun(2);
    nextRound(6_000);
    await roundsBegun(3);
    expect(alarms()).toHaveLength(1);
    nextRound(10 * MINUTE_MS);
    await vi.waitFor(() => expect(alarms()).toHaveLength(2), WITHIN_MS);
  } finally {
    await publisher.stop();
    vi.useRealTimers();
  }
});

it('a source without a rate raises an alarm when buying has ended, and every ten minutes', async () => {
  const roundsFailed = (count: number) =>
    vi.waitFor(
      () =>
        expect(lines.filter((line) => line.includes('could not be published'))).toHaveLength(count),
      WITHIN_MS,
    );
  const nextRound = (laterMs: number) => {
    test.clock.advance(laterMs);
    vi.advanceTimersByTime(6_000);
  };
  said = '"none"';
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const publisher = startRatePublisher({
    ...test.deps,
    config: { rateSource: sourceAt(), rateMaxAgeMs: 300_000 },
  });
  try {
    await roundsFailed(1);
    nextRound(290_000);
    await roundsFailed(2);
    expect(alarms('rate_missing')).toHaveLength(0);
    nextRound(10_000);
    await roundsFailed(3);
    nextRound(6_000);
    await roundsFailed(4);
    expect(alarms('rate_missing')).toHaveLength(1);
    nextRound(10 * MINUTE_MS);
    await roundsFailed(5);
    expect(alarms('rate_missing')).toHaveLength(2);
  } finally {
    await publisher.stop();
    vi.useRealTimers();
  }
});
