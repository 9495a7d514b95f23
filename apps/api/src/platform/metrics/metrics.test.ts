import { readFileSync, readdirSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestApp, type TestApp } from '../../../test/test-app.ts';
import { createOffer } from '../../../test/build-catalog.ts';
import { publishTestRate } from '../../../test/card-purchase.ts';
import { recordLog } from '../../../test/recorded-log.ts';
import { ath, buy } from '../../../test/shop.ts';
import { microAth } from '@athos/domain/money';
import { createTasks } from '../../capabilities.ts';
import { watchObserved } from '../../modules/health/index.ts';
import { watchSeals } from '../../modules/receipts/index.ts';
import { watchHolds } from '../../modules/transfers/index.ts';
import { enqueueJob } from '../jobs/enqueue.ts';
import { startJobRunner } from '../jobs/job-runner.ts';
import { watchQueue } from '../jobs/queue-metrics.ts';
import { createLog } from '../log/log.ts';
import { createMetrics } from './metrics.ts';
import { serveMetrics } from './metrics-server.ts';

let test: TestApp;
let server: Awaited<ReturnType<typeof serveMetrics>>;
beforeAll(async () => {
  test = await createTestApp({ env: { METRICS_PORT: '0' } });
  watchQueue(test.deps.metrics, test.deps.db);
  watchObserved(test.deps.metrics, test.deps.db);
  watchHolds(test.deps.metrics, test.deps);
  watchSeals(test.deps.metrics, test.deps);
  server = await serveMetrics(test.deps.metrics.registry, { host: '127.0.0.1', port: 0 });
});
afterAll(async () => {
  await server.close();
  await test.close();
});

const ask = (path: string, init: RequestInit = {}) =>
  fetch(`http://127.0.0.1:${server.port}${path}`, init);
const scrape = async (): Promise<string> => (await ask('/metrics')).text();

describe('metrics', () => {
  it('[P-060] stand on a port of their own and answer 404 on the public one', async () => {
    const answer = await ask('/metrics');
    expect(answer.status).toBe(200);
    expect(answer.headers.get('content-type')).toContain('version=0.0.4');
    expect((await test.request({ method: 'GET', url: '/metrics' })).status).toBe(404);
    expect((await ask('/api/healthz')).status).toBe(404);
    expect((await ask('/metrics', { method: 'POST' })).status).toBe(404);
  });

  it('count a send by the pattern of its route, its goal and its outcome', async () => {
    const [ada, ben] = [
      await test.createUser({ balance: microAth(50_000_000n) }),
      await test.createUser(),
    ];
    const sent = await test.request({
      method: 'POST',
      url: '/api/account/transfer',
      user: ada,
      payload: { to_uuid: ben.uuid, amount: '1' },
    });
    expect(sent.status).toBe(200);
    const text = await scrape();
    expect(text).toContain(
      'http_server_request_duration_seconds_count{method="POST",route="/api/account/transfer",status_class="2xx",slo="money"} 1',
    );
    expect(text).toMatch(/^athos_ledger_batch_size_count [1-9]/m);
    expect(text).toMatch(/^athos_ledger_transfers_total\{outcome="done"\} [1-9]/m);
  });

  it('count what a transaction posts, and its barrier', async () => {
    const offer = await createOffer(test);
    const ada = await test.createUser({ balance: ath(100) });
    const counts = async () => {
      const text = await scrape();
      const valueOf = (series: string) =>
        Number(text.split(`\n${series} `)[1]?.split('\n')[0] ?? 0);
      return {
        batches: valueOf('athos_ledger_batch_size_count'),
        barriers: valueOf('athos_ledger_barrier_seconds_count'),
        done: valueOf('athos_ledger_transfers_total{outcome="done"}'),
      };
    };
    const before = await counts();
    expect((await buy(test, ada, [[offer.id, 3]])).status).toBe(200);
    expect(await counts()).toEqual({
      ...before,
      barriers: before.barriers + 1,
      done: before.done + 1,
    });
  });

  it('tell how long barriers and connections took, and that every asset sums to 0', async () => {
    await enqueueJob(test.deps.db, 'bookkeeping_balance', {});
    await test.runJobs();
    const text = await scrape();
    expect(text).toMatch(/^athos_ledger_barrier_seconds_count [1-9]/m);
    expect(text).toMatch(/^athos_pool_wait_seconds_count\{pool="api"\} [1-9]/m);
    expect(text).toContain('athos_asset_sum{asset="ATH"} 0\n');
  });

  it('tell the age of the rate, and when ledger and audit were found right', async () => {
    const { db } = test.deps;
    expect(await scrape()).toContain('athos_verify_success_timestamp_seconds{chain="ledger"} 0\n');
    await publishTestRate(test, '0.1683');
    await enqueueJob(db, 'bookkeeping_verify_nightly', {});
    await test.runJobs();
    const text = await scrape();
    const age = /^athos_rate_age_seconds (\S+)$/m.exec(text)?.[1];
    expect(parseFloat(age ?? '')).toBeLessThan(60);
    const at = /^athos_verify_success_timestamp_seconds\{chain="ledger"\} (\S+)$/m.exec(text)?.[1];
    expect(parseFloat(at ?? '')).toBeGreaterThan(Date.now() / 1_000 - 60);
  });

  it('never carry what a stranger sent', async () => {
    await test.request({ method: 'GET', url: '/api/rewards/secret-of-a-stranger' });
    await test.request({ method: 'GET', url: '/secret-of-a-stranger?token=secret-of-a-stranger' });
    expect(await scrape()).not.toContain('secret-of-a-stranger');
  });

  it('count the lines of the log that have an alarm', async () => {
    const metrics = createMetrics();
    const log = createLog('error', { write: () => undefined }, (alarm) =>
      metrics.alarms.inc({ alarm }),
    );
    log.error({ alarm: 'job_failed' }, 'a job gave up');
    log.error({ err: new Error('none') }, 'without an alarm');
    expect(await metrics.registry.metrics()).toContain('athos_alarms_total{alarm="job_failed"} 1');
  });

  it('tell nothing of the queue, and all else, while the database is away', async () => {
    const metrics = createMetrics();
    const away = await createTestApp();
    watchQueue(metrics, away.deps.db);
    await away.close();
    const text = await metrics.registry.metrics();
    expect(text).toMatch(/^athos_jobs_ready Nan$/m);
    expect(text).toContain('athos_ledger_queue_length');
  });

  it('[P-061] include each that a rule or a dashboard names', async () => {
    const { log } = recordLog();
    const jobs = startJobRunner(
      { ...test.deps, log },
      { tasks: createTasks(test.deps), crontab: '' },
    );
    await jobs.started;
    const exposed = [...(await scrape()).matchAll(/^# TYPE (\w+) (\w+)$/gm)].flatMap(
      ([, name = '', type]) =>
        type === 'histogram' ? [`${name}_bucket`, `${name}_sum`, `${name}_count`] : [name],
    );
    await jobs.stop();
    // The nightly drill has no process to scrape: it writes a file.
    const ofDrill = readFileSync('bench/drill/note-success.ts', 'utf8').match(/\bathos_\w+/g) ?? [];
    const folder = 'deploy/observability';
    const files = readdirSync(folder).filter(
      (file) => file === 'rules.yml' || file.endsWith('.json'),
    );
    const named = files.flatMap((file) =>
      [
        ...readFileSync(`${folder}/${file}`, 'utf8').matchAll(
          /\b(?:athos|http_server|nodejs|process)_[a-z0-9_]+/g,
        ),
      ].map(([name]) => name),
    );
    expect(files).toHaveLength(5);
    expect(new Set(named).size).toBeGreaterThan(7);
    const known = new Set([...exposed, ...ofDrill]);
    expect([...new Set(named)].filter((name) => !known.has(name))).toEqual([]);
  });
});
