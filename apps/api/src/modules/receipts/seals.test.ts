import { randomBytes, randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readJournal, rewriteChain, tamperAmount, tamperBatch } from '../../../test/raw-ledger.ts';
import { recordLog } from '../../../test/recorded-log.ts';
import { createSealer } from '../../../test/seals.ts';
import { ath } from '../../../test/shop.ts';
import { asRole } from '../../../test/test-database.ts';
import { createTestApp, type TestApp, type TestUser } from '../../../test/test-app.ts';
import {
  selectBatchEndingAt,
  selectRowTexts,
  TransferKind,
  userAccountId,
  verifyLedger,
} from '../../ledger/index.ts';
import { openDatabase } from '../../platform/database/database.ts';
import { createSigningKeys } from '../../platform/keys/signing-keys.ts';
import { createSealRound, verifySeals } from './index.ts';

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;

let test: TestApp;
let ada: TestUser;
let ben: TestUser;
beforeAll(async () => {
  test = await createTestApp();
  [ada, ben] = [await test.createUser({ balance: ath(1_000) }), await test.createUser()];
});
afterAll(() => test.close());

async function send(count = 1): Promise<void> {
  const outcomes = await Promise.all(
    Array.from({ length: count }, () =>
      test.deps.ledger.transfer({
        debitAccountId: userAccountId(ada.userId, 'ATH'),
        creditAccountId: userAccountId(ben.userId, 'ATH'),
        amountUnits: 1_000n as never,
        kind: TransferKind.Send,
        key: randomUUID(),
      }),
    ),
  );
  expect(outcomes.every(({ outcome }) => outcome === 'done')).toBe(true);
}

const verified = (over: Partial<Parameters<typeof verifySeals>[0]> = {}) =>
  verifySeals({
    db: test.deps.db,
    receiptKeys: test.deps.config.receiptKeys,
    keys: test.deps.keys,
    ...over,
  });

const journalCount = async () => (await readJournal(test.deps.db)).length;

const sealCount = async () => (await verified()).sealCount;

describe('the worker', () => {
  it('[W-136] seals a movement within ten minutes of its posting, and a lone one not at once', async () => {
    await send();
    const postedMs = test.clock.nowMs();
    let nowMs = postedMs;
    const round = createSealRound({ ...test.deps, clock: { nowMs: () => nowMs } });
    expect(await round()).toBeGreaterThan(1_000);
    expect(await sealCount()).toBe(0);
    while ((await sealCount()) === 0 && nowMs < postedMs + 20 * MINUTE_MS) nowMs += await round();
    expect(nowMs - postedMs).toBeLessThanOrEqual(10 * MINUTE_MS);
    expect(await verified()).toMatchObject({
      fault: undefined,
      transferCount: await journalCount(),
    });
  });

  it('makes seals that the reading role of the database can verify', async () => {
    const db = openDatabase(asRole(test.deps.config.databaseUrl, 'athos_read'), test.deps.log);
    try {
      expect(await verified({ db: db.db })).toMatchObject({
        fault: undefined,
        sealCount: await sealCount(),
      });
    } finally {
      await db.close();
    }
  });

  it('seals full seals at once, each of whole batches', { tags: 'long' }, async () => {
    const before = await sealCount();
    await send(9_000);
    const round = createSealRound(test.deps);
    while ((await round()) < 1_000);
    const seals = await test.deps.db
      .selectFrom('journal_seals')
      .select(['row_count', 'last_id'])
      .where('n', '>', BigInt(before))
      .execute();
    for (const { last_id: lastId } of seals) {
      expect(await selectBatchEndingAt(test.deps.db, lastId)).toBeDefined();
    }
    const fullest = Math.max(...seals.map(({ row_count: count }) => count));
    expect(fullest).toBeGreaterThan(1_024);
    expect(fullest).toBeLessThanOrEqual(4_096);
    expect(await verified()).toMatchObject({ fault: undefined });
  });

  it('seals each movement once, however many workers seal', { tags: 'long' }, async () => {
    await send(5_000);
    const late = { nowMs: () => test.clock.nowMs() + 6 * MINUTE_MS };
    const rounds = Array.from({ length: 8 }, () => createSealRound({ ...test.deps, clock: late }));
    await Promise.all(
      rounds.map(async (round) => {
        for (let count = 0; count < 6; count += 1) await round();
      }),
    );
    await createSealer(test).sealAll();
    expect(await verified()).toMatchObject({
      fault: undefined,
      transferCount: await journalCount(),
    });
  });

  it('raises seals_late, once, while it cannot seal', async () => {
    await send();
    const { log, lines } = recordLog();
    let aheadMs = 9 * MINUTE_MS;
    const clock = { nowMs: () => test.clock.nowMs() + aheadMs };
    const signText = () => {
      throw new Error('no key');
    };
    const round = createSealRound({
      ...test.deps,
      log,
      clock,
      keys: { ...test.deps.keys, signText },
    });
    const alarms = () => lines.filter((line) => line.includes('"alarm":"seals_late"'));
    await round();
    expect(alarms()).toEqual([]);
    expect(lines.some((line) => line.includes('could not be sealed'))).toBe(true);
    aheadMs += 2 * MINUTE_MS;
    await round();
    await round();
    expect(alarms()).toHaveLength(1);
    await createSealer(test).sealAll();
  });
});

describe('a replaced key', () => {
  it('of RECEIPT_KEY makes new seals, and those of before still verify with both', async () => {
    const [old = Buffer.alloc(0)] = test.deps.config.receiptKeys;
    const receiptKeys = [randomBytes(32), old];
    await send();
    await createSealer({
      ...test,
      deps: { ...test.deps, config: { ...test.deps.config, receiptKeys } },
    }).sealAll();
    expect(await verified({ receiptKeys })).toMatchObject({ fault: undefined });
    expect((await verified()).fault).toContain('has a key that is not given');
    test.deps.config.receiptKeys.push(receiptKeys[0] ?? old);
  });

  it('of SIGNING_KEYS stays published, and its seals are counted as signed by a key that we do not have', async () => {
    const keys = createSigningKeys([randomBytes(32)]);
    await send();
    await createSealer({ ...test, deps: { ...test.deps, keys } }).sealAll();
    const { body } = await test.request({ method: 'GET', url: '/api/ledger/heads' });
    const published = [...keys.jwks, ...test.deps.keys.jwks].map(({ x }) =>
      Buffer.from(x, 'base64url').toString('hex'),
    );
    expect(body.keys.toSorted()).toEqual(published.toSorted());
    expect(await verified()).toMatchObject({ fault: undefined, foreignCount: 1 });
  });
});

describe('GET ledger/heads', () => {
  it('[W-139] publishes the signed head of each day without sign-in, newest first, days without a movement too', async () => {
    await send();
    const sealer = createSealer(test);
    await sealer.endDay();
    await sealer.endDay();
    await send();
    await sealer.endDay();
    const { status, headers, body } = await test.request({
      method: 'GET',
      url: '/api/ledger/heads',
    });
    expect(status).toBe(200);
    expect(headers['cache-control']).toBe('public, max-age=60');
    expect(body.heads).toHaveLength(3);
    const [newest, empty, first] = body.heads;
    expect([newest.previous, empty.previous]).toEqual([empty.hash, first.hash]);
    expect(Date.parse(newest.day) - Date.parse(first.day)).toBe(2 * DAY_MS);
    expect(empty.last_seal).toBe(empty.first_seal - 1);
    expect(newest.first_seal).toBe(empty.first_seal);
    expect(first.first_seal).toBe(1);
    const one = await test.request({
      method: 'GET',
      url: `/api/ledger/heads?limit=1&until=${first.day}`,
    });
    expect(one.body.heads).toEqual([first]);
    expect((await verified({ knownHead: first.hash })).fault).toBeUndefined();
    expect((await verified({ knownHead: '0'.repeat(64) })).fault).toContain('rewritten');
    for (const query of ['limit=401', 'limit=0', 'until=yesterday']) {
      const refused = await test.request({ method: 'GET', url: `/api/ledger/heads?${query}` });
      expect(refused.status).toBe(400);
    }
  });
});

describe('verifying the seals', () => {
  const sealAt = (end: 'first' | 'last') =>
    test.deps.db
      .selectFrom('journal_seals')
      .select(['n', 'first_id', 'last_id'])
      .orderBy('n', end === 'first' ? 'asc' : 'desc')
      .limit(1)
      .executeTakeFirstOrThrow();

  it('names the place of a row that was changed after it was sealed', async () => {
    await send(200);
    await createSealer(test).sealAll();
    const seal = await sealAt('last');
    const [text = ''] = await selectRowTexts(test.deps.db, {
      firstId: seal.first_id,
      lastId: seal.last_id,
      offset: 100,
      limit: 1,
    });
    const id = BigInt(text.split('|')[0] ?? '');
    expect((await verified()).fault).toBeUndefined();
    await tamperAmount(test.admin, id, 1);
    const place = `^transfers 65 to 128 of seal ${seal.n}, .* not as they were sealed$`;
    expect((await verified()).fault).toMatch(new RegExp(place));
    await tamperAmount(test.admin, id, -1);
    expect((await verified()).fault).toBeUndefined();
  });

  it.each([
    ['a seal', 'update journal_seals set row_count = row_count + 1 where n = 2'],
    ['its root', `update journal_seals set root = sha256('x') where n = 2`],
    [
      'its signature',
      `update journal_seals set signature = overlay(signature placing '\\x00' from 5) where n = 2`,
    ],
    ['its nodes', `update journal_seals set nodes = nodes || sha256('x') where n = 2`],
    ['its link', `update journal_seals set previous = sha256('x') where n = 2`],
    [
      'a day',
      `update journal_days set root = sha256('x') where day = (select min(day) from journal_days)`,
    ],
    [
      'the nodes of a day',
      `update journal_days set nodes = sha256('x') where day = (select min(day) from journal_days)`,
    ],
    ['a removed seal', 'delete from journal_seals where n = 2'],
  ])('finds %s that was changed', async (_what, change) => {
    class Undone extends Error {}
    const tampering = test.admin.transaction().execute(async (tx) => {
      await sql`set local session_replication_role = replica`.execute(tx);
      await sql.raw(change).execute(tx);
      expect((await verified({ db: tx })).fault).toBeDefined();
      throw new Undone();
    });
    await expect(tampering).rejects.toThrow(Undone);
    expect((await verified()).fault).toBeUndefined();
  });

  it.each([
    ['has another hash', `hash = sha256('x')`],
    ['ends at another row', 'transfer_count = transfer_count - 1'],
  ])('finds that the batch of the chain that a seal names %s', async (_what, change) => {
    class Undone extends Error {}
    const { last_id: id } = await sealAt('last');
    const tampering = test.admin.transaction().execute(async (tx) => {
      await tamperBatch(tx, { lastId: id, change });
      expect((await verified({ db: tx })).fault).toBe(
        `the chain at transfer ${id} is not as it was sealed`,
      );
      throw new Undone();
    });
    await expect(tampering).rejects.toThrow(Undone);
  });

  it('[W-138] finds a row that was changed after it was sealed, although whoever owns the database wrote the whole chain anew', async () => {
    const { n, last_id: id } = await sealAt('first');
    await rewriteChain(test.admin, id);
    const { databaseUrl } = test.deps.config;
    expect(await verifyLedger({ databaseUrl })).toMatchObject({ fault: undefined });
    expect((await verified()).fault).toMatch(
      new RegExp(`of seal ${n}, .* not as they were sealed$`),
    );
  });
});
