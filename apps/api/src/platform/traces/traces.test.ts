import { spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { microAth } from '@athos/domain/money';
import { createOffer } from '../../../test/build-catalog.ts';
import { cartBody } from '../../../test/shop.ts';
import { createTestApp, type TestApp, type TestUser } from '../../../test/test-app.ts';
import {
  startTraceCollector,
  type CollectedSpan,
  type TraceCollector,
} from '../../../test/trace-collector.ts';
import { LedgerUnavailableError } from '../../ledger/index.ts';
import { startCollecting } from './collector.ts';

const TRACE_ID = '4bf92f3577b34da6a3ce929d0e0e4736';
const EDGE_SPAN = '00f067aa0ba902b7';
const PROXY = '10.1.2.3';
const ACCESS_KEY = 'access-key-of-the-collector';
const byEdge = (flags: string, traceId = TRACE_ID) => ({
  traceparent: `00-${traceId}-${EDGE_SPAN}-${flags}`,
  'x-forwarded-for': '203.0.113.7',
});

let test: TestApp;
let collector: TraceCollector;
let collecting: Awaited<ReturnType<typeof startCollecting>>;
let [ada, ben]: TestUser[] = [];

beforeAll(async () => {
  collector = await startTraceCollector();
  test = await createTestApp({
    env: { OTEL_EXPORTER_OTLP_ENDPOINT: collector.url, TRUSTED_PROXIES: '10.1.0.0/16' },
  });
  [ada, ben] = [
    await test.createUser({ balance: microAth(100_000_000n) }),
    await test.createUser({ balance: microAth(100_000_000n) }),
  ];
});
afterAll(async () => {
  await test.close();
  await collector.close();
});
beforeEach(() => collect(1));
afterEach(() => collecting.stop());

async function collect(sampledShare: number, collectorUrl = collector.url): Promise<void> {
  collector.spans.length = 0;
  const collectorHeaders = { 'x-access-key': ACCESS_KEY };
  const config = { traces: { collectorUrl, collectorHeaders, sampledShare } };
  collecting = await startCollecting({ ...test.deps, config }, { 'service.name': 'athos-api' });
}

/** All spans that have ended by now. */
async function spansOf(traceId?: string): Promise<CollectedSpan[]> {
  await collecting.stop();
  return collector.spans.filter((span) => traceId === undefined || span.traceId === traceId);
}

const find = (spans: readonly CollectedSpan[], name: string): CollectedSpan => {
  const found = spans.filter((span) => span.name === name);
  expect(found, name).toHaveLength(1);
  return found[0] as CollectedSpan;
};

const send = (key: string, headers: Record<string, string> = {}, from = ada) =>
  test.request({
    method: 'POST',
    url: '/api/account/transfer',
    user: from as TestUser,
    key,
    payload: { to_uuid: (from === ada ? ben : ada)?.uuid, amount: '1' },
    headers,
    remoteAddress: PROXY,
  });

describe('the trace of a movement', () => {
  it('[P-063] carries the idempotency key from the request of a send to its batch', async () => {
    const key = randomUUID();
    expect((await send(key, byEdge('01'))).status).toBe(200);
    const spans = await spansOf(TRACE_ID);
    const request = find(spans, 'POST /api/account/transfer');
    expect(request).toMatchObject({
      parentSpanId: EDGE_SPAN,
      attributes: {
        'athos.idempotency_key': key,
        'http.request.method': 'POST',
        'http.route': '/api/account/transfer',
        'http.response.status_code': 200,
      },
      hasFailed: false,
    });
    const batch = find(spans, 'ledger batch');
    expect(batch).toMatchObject({
      parentSpanId: request.spanId,
      links: [{ spanId: request.spanId, key }],
    });
    expect(find(spans, 'barrier').parentSpanId).toBe(batch.spanId);
  });

  it('[P-063] carries it from the request of a cart to the transaction that pays it', async () => {
    const key = randomUUID();
    const offer = await createOffer(test, { price_ath_hundredths: 100 });
    const answer = await test.request({
      method: 'POST',
      url: '/api/purchase',
      user: ada as TestUser,
      key,
      payload: cartBody([[offer.id, 2]]),
      headers: byEdge('01'),
      remoteAddress: PROXY,
    });
    expect(answer.status).toBe(200);
    const spans = await spansOf(TRACE_ID);
    const request = find(spans, 'POST /api/purchase');
    const carts = find(spans, 'carts');
    expect(carts).toMatchObject({
      parentSpanId: request.spanId,
      links: [{ spanId: request.spanId, key }],
    });
    expect(find(spans, 'barrier').parentSpanId).toBe(carts.spanId);
  });

  it('links a batch to each of its requests', async () => {
    const keys = Array.from({ length: 20 }, () => randomUUID());
    const answers = await Promise.all(
      keys.map((key, index) => send(key, {}, index % 2 ? ada : ben)),
    );
    expect(answers.map(({ status }) => status)).toEqual(keys.map(() => 200));
    const spans = await spansOf();
    const batches = spans.filter(({ name }) => name === 'ledger batch');
    expect(batches.length).toBeLessThan(keys.length);
    const linked = batches.flatMap(({ links }) => links.map(({ key }) => key));
    expect(linked).toHaveLength(keys.length);
    expect(new Set(linked)).toEqual(new Set(keys));
  });

  it('does not go on in the batches after its own', async () => {
    await collecting.stop();
    await collect(0);
    const traceparents = Array.from({ length: 40 }, (_, index) =>
      byEdge(index === 0 ? '01' : '00'),
    );
    await Promise.all(
      traceparents.map((headers, index) =>
        send(randomUUID(), headers, index % 2 === 0 ? ada : ben),
      ),
    );
    const spans = await spansOf();
    const batches = spans.filter(({ name }) => name === 'ledger batch');
    const barriers = spans.filter(({ name }) => name === 'barrier');
    expect(batches).toHaveLength(1);
    expect(barriers.map(({ parentSpanId }) => parentSpanId)).toEqual([batches[0]?.spanId]);
  });

  it('continues in the job that the request enqueued', async () => {
    const answer = await test.request({
      method: 'POST',
      url: '/api/account/forgot_password',
      payload: { email: ada?.email, tenant_id: 1, mode: 'production' },
      headers: byEdge('01'),
      remoteAddress: PROXY,
    });
    expect(answer.status).toBe(200);
    await test.runJobs();
    const spans = await spansOf(TRACE_ID);
    const request = find(spans, 'POST /api/account/forgot_password');
    expect(find(spans, 'job auth_mail_reset').parentSpanId).toBe(request.spanId);
  });

  it('has the id that the log names if it begins here', async () => {
    const answer = await send(randomUUID());
    const traceId = String(answer.headers['x-request-id']).replaceAll('-', '');
    expect(find(await spansOf(traceId), 'POST /api/account/transfer').parentSpanId).toBeUndefined();
  });

  it('names a request that ended with a 5xx as failed, and not one that was refused', async () => {
    await test.request({ method: 'GET', url: '/api/account/balance' });
    const unknown = new LedgerUnavailableError('outcome_unknown');
    vi.spyOn(test.deps.ledger, 'transfer').mockRejectedValueOnce(unknown);
    expect((await send(randomUUID())).status).toBe(503);
    const spans = await spansOf();
    expect(find(spans, 'GET /api/account/balance')).toMatchObject({
      attributes: { 'http.response.status_code': 401 },
      hasFailed: false,
    });
    expect(find(spans, 'POST /api/account/transfer')).toMatchObject({
      attributes: { 'http.response.status_code': 503 },
      hasFailed: true,
    });
  });
});

describe('sampling', () => {
  it('follows the edge, and begins no span where the edge did not sample', async () => {
    expect((await send(randomUUID(), byEdge('00'))).status).toBe(200);
    expect(await spansOf()).toEqual([]);
  });

  it('begins no span of requests outside of the share', async () => {
    await collecting.stop();
    await collect(0);
    expect((await send(randomUUID())).status).toBe(200);
    expect(await spansOf()).toEqual([]);
  });

  it("does not follow a stranger's header", async () => {
    await collecting.stop();
    await collect(0);
    await test.request({ method: 'GET', url: '/api/account/balance', headers: byEdge('01') });
    expect(await spansOf()).toEqual([]);
  });
});

describe('a collector that asks for an access key', () => {
  it('gets it with every call', async () => {
    collector.accessKeys.clear();
    expect((await send(randomUUID())).status).toBe(200);
    expect(await spansOf()).not.toEqual([]);
    expect([...collector.accessKeys]).toEqual([ACCESS_KEY]);
  });
});

describe('a collector that is away', () => {
  it('costs no request anything: spans are lost, and counted', { tags: 'long' }, async () => {
    await collecting.stop();
    const closed = await startTraceCollector();
    await closed.close();
    await collect(1, closed.url);
    expect((await send(randomUUID())).status).toBe(200);
    await expect
      .poll(() => test.deps.metrics.registry.metrics(), { timeout: 10_000 })
      .toMatch(/^athos_spans_total\{outcome="lost"\} [1-9]/m);
  });

  it('does not hold up the end of a process', { tags: 'long' }, async () => {
    await collecting.stop();
    const silent = await startTraceCollector();
    silent.hang();
    await collect(1, silent.url);
    expect((await send(randomUUID())).status).toBe(200);
    const startMs = performance.now();
    await collecting.stop();
    expect(performance.now() - startMs).toBeLessThan(3_000);
    await silent.close();
  });
});

describe('a process without a collector', () => {
  it('loads nothing of the SDK', () => {
    const collectorFile = new URL('./collector.ts', import.meta.url).href;
    const program = `
      import { registerHooks } from 'node:module';
      const seen = [];
      registerHooks({ resolve(name, context, next) { seen.push(name); return next(name, context); } });
      const { startCollecting } = await import(${JSON.stringify(collectorFile)});
      await startCollecting({ config: { traces: {} } }, {});
      console.log(JSON.stringify(seen.filter((name) => name.startsWith('@opentelemetry/'))));`;
    const child = spawnSync(process.execPath, ['--input-type=module', '--eval', program], {
      encoding: 'utf8',
    });
    expect(JSON.parse(child.stdout)).toEqual(['@opentelemetry/api']);
  });
});
