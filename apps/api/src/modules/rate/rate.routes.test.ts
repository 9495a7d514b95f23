import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { parseRate, type Rate } from '@athos/domain/money';
import { createTestApp, type TestApp } from '../../../test/test-app.ts';
import type { RateSource } from '../../config/rate.ts';
import { publishRate } from './rate-publisher.ts';
import { readSource } from './rate-source.ts';
import { createCurrentRate } from './rate.routes.ts';

let test: TestApp;
beforeAll(async () => {
  test = await createTestApp();
  await vi.waitFor(() => expect(test.deps.notifications.isListening()).toBe(true), 10_000);
});
afterAll(() => test.close());
beforeEach(async () => {
  await sql`truncate exchange_rates`.execute(test.admin);
});

const rate = (text: string): Rate => parseRate(text) ?? expect.fail(`${text} is no rate`);
const fixed = (text: string): RateSource => ({ kind: 'fixed', usdPerAth: rate(text) });
const publish = (rateSource: RateSource) => publishRate({ ...test.deps, config: { rateSource } });
const ask = (headers: Record<string, string> = {}) =>
  test.request({ method: 'GET', url: '/api/exchange_rate', headers });
/** Resolves when this rate has been announced to the app. */
const publicationOf = (published: string): Promise<void> =>
  new Promise((resolve) => {
    test.deps.notifications.on('rate_published', (text) => text === published && resolve());
  });
const series = () => test.deps.db.selectFrom('exchange_rates').selectAll().orderBy('id').execute();

describe('GET exchange_rate', () => {
  it('[S7-020] [D-016] returns the published rate as a number, and a new one at once', async () => {
    await publish(fixed('0.1683'));
    await expect.poll(async () => (await ask()).body).toEqual({ exchange_rate: 0.1683 });
    await publish(fixed('0.16830123'));
    await expect.poll(async () => (await ask()).body).toEqual({ exchange_rate: 0.16830123 });
  });

  it('is served without a query and may be cached briefly', async () => {
    const heard = publicationOf('0.1683');
    await publish(fixed('0.1683'));
    await heard;
    expect((await ask()).body.exchange_rate).toBe(0.1683);
    const read = vi.spyOn(test.deps.db, 'selectFrom');
    for (let count = 0; count < 100; count += 1) expect((await ask()).status).toBe(200);
    expect(read).not.toHaveBeenCalled();
    expect((await ask()).headers['cache-control']).toBe(
      'public, max-age=2, stale-while-revalidate=4',
    );
  });

  it('does not return to an older rate if a notification overtakes the query', async () => {
    const { db, notifications } = test.deps;
    await publish(fixed('0.1683'));
    const heard = publicationOf('0.17');
    let isFirst = true;
    const currentRate = createCurrentRate({
      notifications,
      db: db.withPlugin({
        transformQuery: ({ node }) => node,
        // The query has read the old rate; the new one is published and announced before the result arrives.
        async transformResult({ result }) {
          if (isFirst) {
            isFirst = false;
            await publish(fixed('0.17'));
            await heard;
          }
          return result;
        },
      }),
    });
    expect(await currentRate()).toBe(rate('0.17'));
    expect(await currentRate()).toBe(rate('0.17'));
  });

  it('responds with 304 to a caller who has the current rate', async () => {
    await publish(fixed('0.1684'));
    await expect.poll(async () => (await ask()).body.exchange_rate).toBe(0.1684);
    const { headers } = await ask();
    const again = await ask({ 'if-none-match': String(headers['etag']) });
    expect({ status: again.status, text: again.text }).toEqual({ status: 304, text: '' });
  });

  it('refuses with rate_unavailable if no rate was ever published', async () => {
    const fresh = await createTestApp();
    const { status, body, headers } = await fresh.request({
      method: 'GET',
      url: '/api/exchange_rate',
    });
    expect({ status, code: body.code }).toEqual({ status: 503, code: 'rate_unavailable' });
    expect(headers['retry-after']).toBe('5');
    await fresh.close();
  });
});

describe('publishing', () => {
  it('inserts a row if the rate changes, and otherwise confirms the current row', async () => {
    await publish(fixed('0.1683'));
    test.clock.advance(6_000);
    await publish(fixed('0.1683'));
    const [only, ...others] = await series();
    expect(others).toEqual([]);
    const confirmedForMs =
      (only?.confirmed_at.getTime() ?? 0) - (only?.in_force_from.getTime() ?? 0);
    expect(confirmedForMs).toBeGreaterThanOrEqual(6_000);
    test.clock.advance(6_000);
    await publish(fixed('0.1690'));
    expect((await series()).map((row) => row.usd_per_ath)).toEqual(['0.16830000', '0.16900000']);
  });

  it('publishes once if several processes try at the same time', async () => {
    await Promise.all(Array.from({ length: 8 }, () => publish(fixed('0.2'))));
    expect(await series()).toHaveLength(1);
  });

  it('fluctuates slightly in the demo, depending only on the time', async () => {
    const start = 1_790_000_000_000;
    const at = (ms: number) => readSource({ kind: 'walk' }, ms);
    expect(await at(start)).toBe(await at(start));
    for (let minute = 0; minute < 120; minute += 1) {
      const [before, after] = [
        await at(start + minute * 60_000),
        await at(start + (minute + 1) * 60_000),
      ];
      expect(after > 16_600_000n && after < 17_100_000n).toBe(true);
      const change = after - before;
      expect((change < 0n ? -change : change) <= 40_000n).toBe(true);
    }
  });
});

describe('a rate source that is a URL', () => {
  let server: Server;
  let answer: { status: number; body: string };
  beforeAll(async () => {
    server = createServer((_request, response) =>
      response.writeHead(answer.status).end(answer.body),
    );
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  });
  afterAll(() => server.close());
  const read = () => {
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/rate`;
    return readSource({ kind: 'url', url }, 0);
  };

  it('is accepted if it returns a positive number', async () => {
    answer = { status: 200, body: '{"exchange_rate":0.1701}' };
    expect(await read()).toBe(rate('0.1701'));
  });

  it.each([
    [500, '{"exchange_rate":0.17}'],
    [200, '{"exchange_rate":-1}'],
    [200, '{"exchange_rate":0}'],
    [200, '{"exchange_rate":"0.17"}'],
    [200, '{"exchange_rate":0.1234567891}'],
    [200, '{}'],
    [200, 'soon'],
    [200, '{"exchange_rate":0.17}'.padEnd(20_000)],
  ])('is not believed when it answers %i %s', async (status, body) => {
    answer = { status, body };
    await expect(read()).rejects.toThrow();
  });
});
