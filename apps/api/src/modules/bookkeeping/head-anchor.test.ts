import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { recordLog } from '../../../test/recorded-log.ts';
import { startS3Server, type TestS3Server } from '../../../test/s3-server.ts';
import { ath } from '../../../test/shop.ts';
import { createTestApp, stopClock, type TestApp } from '../../../test/test-app.ts';
import { verifyLedger } from '../../ledger/verify.ts';
import { openAnchorBucket, type Anchor } from './anchor-bucket.ts';
import { anchorHead, startHeadAnchor } from './head-anchor.ts';

const { log, lines } = recordLog();
let server: TestS3Server;
let test: TestApp;
beforeAll(async () => {
  server = await startS3Server();
  test = await createTestApp({
    log,
    env: {
      ANCHOR_S3_ENDPOINT: server.endpoint,
      ANCHOR_S3_BUCKET: 'anchors',
      ANCHOR_S3_REGION: 'eu-north-1',
      ANCHOR_S3_ACCESS_KEY_ID: 'key-id',
      ANCHOR_S3_SECRET_ACCESS_KEY: 'secret',
      ANCHOR_LOCK_DAYS: '400',
    },
  });
  await test.createUser({ balance: ath(12) });
});
afterEach(() => {
  // Mocks are restored first, since restoring a spy later would bring the fake timer back for every later file.
  vi.restoreAllMocks();
  vi.useRealTimers();
  server.answerAll(undefined);
  server.objects.clear();
});
afterAll(async () => {
  await server.close();
  await test.close();
});

function bucket() {
  const settings = test.deps.config.anchorBucket;
  if (settings === undefined) throw new Error('the bucket is set');
  return openAnchorBucket(settings);
}
/** Resolves when the anchor waits for its next round. */
const isWaiting = (ms: number) =>
  vi.waitFor(() => expect(setTimeout).toHaveBeenCalledWith(expect.any(Function), ms), 10_000);
const stored = (): Anchor[] =>
  [...server.objects.values()].map((bytes) => JSON.parse(bytes.toString()) as Anchor);
const age = async (): Promise<string | undefined> =>
  /^athos_head_anchor_age_seconds (\S+)$/m.exec(await test.deps.metrics.registry.metrics())?.[1];

describe('the anchor of the head', () => {
  it('[P-078] is written outside the database each minute', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    vi.spyOn(globalThis, 'setTimeout');
    // A 0 of programs that write no anchors would hide the age of all others (HeadAnchorOld).
    expect(await age()).toBeUndefined();
    const anchor = startHeadAnchor(test.deps);
    await isWaiting(60_000);
    const [first] = stored();
    const { head } = await verifyLedger({ databaseUrl: test.deps.config.databaseUrl });
    expect(first).toMatchObject({ hash: head, count: 1 });
    const [path = ''] = server.objects.keys();
    expect(path).toBe(
      `/anchors/heads/${first?.at.slice(0, 10)}/${first?.at.slice(11, 16).replace(':', '-')}.json`,
    );
    // Frees the minute's name, as if a minute had passed.
    server.objects.clear();
    await vi.advanceTimersByTimeAsync(60_000);
    await vi.waitFor(() => expect(server.objects.size).toBe(1), 10_000);
    await anchor.stop();
  });

  it('cannot be changed: the bucket locks it, and keeps the first one of a minute', async () => {
    const at = '2026-11-23T02:07:30.000Z';
    const one = { first_id: '1024', count: 2, hash: 'a'.repeat(64), at };
    await bucket().put(one);
    await bucket().put({ ...one, hash: 'b'.repeat(64) });
    expect(stored()).toEqual([one]);
    expect(server.headers.get('/anchors/heads/2026-11-23/02-07.json')).toMatchObject({
      'x-amz-object-lock-mode': 'COMPLIANCE',
      'x-amz-object-lock-retain-until-date': '2027-12-28T02:07:30.000Z',
      'content-md5': expect.stringMatching(/^[\w+/]{22}==$/),
    });
  });

  it('is found by the time before which it was written', async () => {
    const at = (time: string) => ({
      first_id: '1024',
      count: 2,
      hash: 'a'.repeat(64),
      at: `2026-11-22T${time}.000Z`,
    });
    await bucket().put(at('23:58:20'));
    await bucket().put(at('23:59:20'));
    const findLast = async (to: string, from = '2026-11-22T23:00:00Z') =>
      (await bucket().findLast({ from: new Date(from), to: new Date(to) }))?.at.slice(11, 19);
    expect(await findLast('2026-11-23T00:05:00Z')).toBe('23:59:20');
    expect(await findLast('2026-11-22T23:59:20Z')).toBe('23:59:20');
    expect(await findLast('2026-11-22T23:59:19Z')).toBe('23:58:20');
    expect(await findLast('2026-11-22T23:58:19Z')).toBeUndefined();
    expect(await findLast('2026-11-23T00:05:00Z', '2026-11-23T00:01:00Z')).toBeUndefined();
  });

  it('is tried again while the bucket is away, and its age grows', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    vi.spyOn(globalThis, 'setTimeout');
    const pass = stopClock(test);
    server.answerAll(503);
    const anchor = startHeadAnchor(test.deps);
    await isWaiting(10_000);
    const failure = lines.find((line) => line.includes('could not be anchored'));
    expect(failure).toContain('the bucket responded with 503');
    pass(301_000);
    expect(await age()).toBe('301');
    server.answerAll(undefined);
    await vi.advanceTimersByTimeAsync(10_000);
    await vi.waitFor(() => expect(server.objects.size).toBe(1), 10_000);
    await anchor.stop();
    expect(await age()).toBe('0');
  });

  it('of an empty ledger is the hash with which the chain begins', async () => {
    const empty = await createTestApp();
    await anchorHead(empty.deps.db, bucket());
    const { head } = await verifyLedger({ databaseUrl: empty.deps.config.databaseUrl });
    expect(stored()).toMatchObject([{ first_id: '0', count: 0, hash: head }]);
    await empty.close();
  });

  it('is not written without a bucket, and the log says so', async () => {
    const anchor = startHeadAnchor({
      ...test.deps,
      config: { ...test.deps.config, anchorBucket: undefined },
    });
    await anchor.stop();
    expect(lines.at(-1)).toContain('anchored nowhere');
  });
});
