import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { recordLog } from '../../../test/recorded-log.ts';
import { openSecondApp, type SecondApp } from '../../../test/second-app.ts';
import { createTestApp, type TestApp } from '../../../test/test-app.ts';
import { PROGRAMME_SETTINGS } from '@athos/contract/programme';
import { programmeCommand } from './programme-command.ts';
import { createReadProgramme } from './programme-settings.ts';

const { log, lines } = recordLog();
let test: TestApp;
let second: SecondApp;
beforeAll(async () => {
  test = await createTestApp({ log });
  second = await openSecondApp(test);
  for (const { notifications } of [test.deps, second.deps]) {
    await vi.waitFor(() => expect(notifications.isListening()).toBe(true), 10_000);
  }
});
afterEach(() => {
  vi.restoreAllMocks();
});
afterAll(async () => {
  await second.close();
  await test.close();
});

const programme = (...words: string[]): Promise<string> =>
  programmeCommand(test.deps.config.databaseUrl, words, 'command line: ada');
const rows = () =>
  test.deps.db.selectFrom('programme_settings').selectAll().orderBy('key').execute();

describe("the programme's settings", () => {
  it('have their defaults while none is stored', async () => {
    expect(await test.deps.programme()).toMatchObject({
      rateLowest: 1_680_000n,
      rateHighest: 168_300_000n,
      rateStepPercentMax: 10n,
      rateHourPercentMax: 25n,
      rateDayPercentMax: 50n,
      sendUnitsMin: 1n,
      sendsPerDayMax: 2_000,
      stepUpRollingUsd: 500,
      creditPolicy: { direct_max: 50, votes: 1, voters: 'anyone' },
    });
  });

  it('change in every process at once, and return to the default after a reset', async () => {
    const current = async () =>
      Promise.all([test, second].map(async ({ deps }) => (await deps.programme()).sendsPerDayMax));
    expect(await programme('set', 'sends_per_day_max', '30')).toContain(
      'sends_per_day_max = 30, by default 2000',
    );
    await expect.poll(current).toEqual([30, 30]);
    expect(await rows()).toEqual([
      {
        key: 'sends_per_day_max',
        value: 30,
        changed_at: expect.any(Date),
        changed_by: 'command line: ada',
      },
    ]);
    await programme('reset', 'sends_per_day_max');
    await expect.poll(current).toEqual([2_000, 2_000]);
    expect(await rows()).toEqual([]);
  });

  it('cost no query once they are known', async () => {
    await test.deps.programme();
    const read = vi.spyOn(test.deps.db, 'selectFrom');
    for (let count = 0; count < 100; count += 1) await test.deps.programme();
    expect(read).not.toHaveBeenCalled();
  });

  it('keep the default in place of an unusable value, with an alarm', async () => {
    await test.deps.db
      .insertInto('programme_settings')
      .values({ key: 'send_units_min', value: '"-1"', changed_at: new Date(), changed_by: 'hand' })
      .execute();
    const { db, notifications } = test.deps;
    const fresh = createReadProgramme({ db, notifications, log });
    expect((await fresh()).sendUnitsMin).toBe(1n);
    expect(lines.join('')).toMatch(/"alarm":"programme_setting".*send_units_min/);
    await programme('reset', 'send_units_min');
  });
});

describe('npm run programme', () => {
  it('lists every setting with its value and meaning', async () => {
    await programme('set', 'rate_lowest', '0.05');
    const text = await programme('list');
    expect(text).toContain('rate_lowest = 0.05, by default 0.0168\n    The lowest rate');
    expect(text.match(/ = /g)).toHaveLength(Object.keys(PROGRAMME_SETTINGS).length);
    expect(await programme('get', 'rate_lowest')).toBe(text.split('\n').slice(0, 2).join('\n'));
    await programme('reset', 'rate_lowest');
  });

  it('takes a policy as JSON', async () => {
    const policy = '{"votes":2,"voters":"provider","direct_max":10}';
    expect(await programme('set', 'policy_credit', policy)).toContain(`policy_credit = ${policy}`);
    await programme('reset', 'policy_credit');
  });

  it('gives a policy that leaves limits out those of its default', async () => {
    const policy = '{"votes":2,"voters":"provider","direct_max":10}';
    await programme('set', 'policy_credit', policy);
    await expect
      .poll(async () => (await test.deps.programme()).creditPolicy)
      .toEqual({
        direct_max: 10,
        customer_30_days_max: 200,
        person_day_max: 1_000,
        votes: 2,
        voters: 'provider',
      });
    await programme('reset', 'policy_credit');
  });

  it.each([
    [['set', 'rate_lowest', '0'], /^rate_lowest: must be a positive number/],
    [['set', 'rate_lowest', '0.123456789'], /^rate_lowest: must be a positive number/],
    [['set', 'rate_lowest', '2'], /^rate_lowest: must not be above rate_highest/],
    [['set', 'rate_highest', '0.01'], /^rate_lowest: must not be above rate_highest/],
    [
      ['set', 'rate_step_percent_max', '0'],
      /^rate_step_percent_max: must be a whole number from 1/,
    ],
    [['set', 'rate_step_percent_max', '2.5'], /^rate_step_percent_max: must be a whole number/],
    [['set', 'send_units_min', '1e3'], /^send_units_min: /],
    [['set', 'sends_per_day_max', 'many'], /^sends_per_day_max: /],
    [['set', 'sends_per_hour_max', '1'], /^sends_per_hour_max: there is no such setting/],
    [['get', 'sends'], /^sends: there is no such setting/],
    [['reset', 'sends'], /^sends: there is no such setting/],
    [['set', 'policy_credit', '{'], /^The value is not JSON/],
    [['set', 'policy_credit', '{"votes":0}'], /^policy_credit: /],
    [
      ['set', 'policy_booking', '{"direct_max":1,"votes":1,"voters":"anyone"}'],
      /^policy_booking: direct_max must be 0/,
    ],
    [['set', 'rate_lowest'], /^npm run programme -- list/],
    [[], /^npm run programme -- list/],
  ])('refuses %j and changes nothing', async (words, reason) => {
    await expect(programme(...words)).rejects.toThrow(reason);
    expect(await rows()).toEqual([]);
  });

  it('mends unusable values one by one, whatever else is unusable', async () => {
    const faulty = { value: '"-1"', changed_at: new Date(), changed_by: 'hand' };
    await test.deps.db
      .insertInto('programme_settings')
      .values([
        { key: 'send_units_min', ...faulty },
        { key: 'rate_lowest', ...faulty },
      ])
      .execute();
    await expect(programme('set', 'rate_lowest', '0')).rejects.toThrow(/^rate_lowest: must be/);
    await programme('set', 'sends_per_day_max', '30');
    await programme('set', 'rate_lowest', '0.05');
    for (const { key } of await rows()) await programme('reset', key);
    expect(await rows()).toEqual([]);
  });

  it('keeps settings that depend on each other consistent when both change at once', async () => {
    const outcomes = await Promise.allSettled([
      programme('set', 'rate_lowest', '1'),
      programme('set', 'rate_highest', '0.5'),
    ]);
    expect(outcomes.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
    for (const { key } of await rows()) await programme('reset', key);
  });
});
