import { randomUUID } from 'node:crypto';
import { mkdir, mkdtemp, rename, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { units } from '@athos/domain/money';
import {
  createLedger,
  systemAccountId,
  TransferKind,
  userAccountId,
} from '../../apps/api/src/ledger/index.ts';
import { createLog } from '../../apps/api/src/platform/log/log.ts';
import { proveCopy } from './prove.ts';
import { restoreCopy, type Copy } from './restore.ts';
import { createAnchors, startSmallSystem, type SmallSystem } from './small-system.ts';

const database = { name: 'postgres', user: 'athos' };
const isProduction = false;
let dir: string;
let system: SmallSystem;
let copy: Copy;
/** The time after 30 of 80 transfers. */
let to: Date;

async function newestId(databaseUrl: string): Promise<bigint> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  const { rows } = await client.query<{ id: string }>('select max(id) as id from ledger_transfers');
  await client.end();
  return BigInt(rows[0]?.id ?? 0);
}

const after = (date: Date, ms: number): Date => new Date(date.getTime() + ms);

beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'drill-'));
  system = await startSmallSystem(dir);
  await system.post(10);
  await system.backUp();
  await system.post(20);
  await system.anchor(2_000);
  // A second, incomplete backup that is newer than the first.
  await mkdir(join(dir, 'repository/base/2999-01-01T00-00-00.000Z.part'));
  to = await system.now();
  // A restored server itself skips up to 32 blocks of ids, so more batches than that are lost.
  for (let batch = 0; batch < 40; batch += 1) await system.post(1);
  await system.anchor(0);
  await system.post(10);
  await system.archive();
  copy = await restoreCopy({ ...system, to, workDir: join(dir, 'work'), database });
}, 60_000);
afterAll(async () => {
  await system.remove();
  await copy.remove();
  await rm(dir, { recursive: true });
}, 60_000);

describe('the restore drill', () => {
  it('[P-075] restores to a time, and proves the books against the last anchored head before it', async () => {
    const proof = await proveCopy(copy, { ...system, isProduction });
    expect(proof.faults).toEqual([]);
    const [anchor] = system.anchors.all;
    expect(proof.lines).toContain(
      `anchor of ${anchor?.at}: batch ${anchor?.first_id}, head ${anchor?.hash}`,
    );
    expect(proof.lines).toContainEqual(expect.stringMatching(/^30 transfers, head /));
  });

  it('[P-077] prints RPO and RTO in seconds', async () => {
    const { lines } = await proveCopy(copy, { ...system, isProduction });
    expect(lines).toContainEqual(
      expect.stringMatching(/^RPO \d+\.\d s, RTO \d+\.\d s \(\d+\.\d MB\/s\)$/),
    );
    expect(copy.reachedAt.getTime()).toBeLessThanOrEqual(to.getTime());
    expect(copy.rpoSeconds).toBeLessThan(60);
  });

  it('judges the goals only of a copy of everything archived', async () => {
    const slow = { ...copy, rpoSeconds: 1_000, rtoSeconds: 10_000 };
    const faultsOf = async (isWhole: boolean) =>
      (await proveCopy({ ...slow, isWhole, askedFor: to }, { ...system, isProduction })).faults;
    expect(await faultsOf(false)).toEqual([]);
    expect(await faultsOf(true)).toEqual([
      'RPO is above 120 s',
      expect.stringMatching(/^RTO is above 9\d\d s$/),
    ]);
  });

  it('[P-076] fails when the restored chain does not contain the anchored head', async () => {
    const anchors = createAnchors();
    await anchors.put({
      first_id: '1024',
      count: 1,
      hash: 'ab'.repeat(32),
      at: after(copy.reachedAt, -5_000).toISOString(),
    });
    const { faults } = await proveCopy(copy, { anchors, isProduction });
    expect(faults).toEqual([expect.stringContaining(`does not descend from ${'ab'.repeat(32)}`)]);
  });

  it('fails when it lost what was anchored more than 60 s before it, and not when that is younger', async () => {
    const lost = system.anchors.all[1];
    if (lost === undefined) throw new Error('the second anchor is missing');
    const faultsAfter = async (askedFor: Date) => {
      const proof = await proveCopy(
        { ...copy, isWhole: true, askedFor },
        { ...system, isProduction },
      );
      return proof.faults;
    };
    const lostAt = new Date(lost.at);
    expect(await faultsAfter(after(lostAt, 59_000))).toEqual([]);
    expect(await faultsAfter(after(lostAt, 61_000))).toEqual([
      `movements of ${lost.at}, more than 60 s old, are lost`,
    ]);
  });

  it('makes ids go on above those of lost transfers, anchored or not', async () => {
    const lost = await newestId(system.databaseUrl);
    const { lines } = await proveCopy(copy, { ...system, isProduction });
    const last = system.anchors.all.at(-1);
    expect(lines).toContainEqual(
      expect.stringMatching(
        `^ids go on from \\d+: batch ${last?.first_id} is the last one that was anchored$`,
      ),
    );
    const ledger = createLedger({ databaseUrl: copy.databaseUrl, log: createLog('silent') });
    const posted = await ledger.transfer({
      debitAccountId: systemAccountId('issuance', 'ATH'),
      creditAccountId: userAccountId(1n, 'ATH'),
      amountUnits: units(1n),
      kind: TransferKind.Seed,
      key: randomUUID(),
    });
    await ledger.close();
    expect(posted).toMatchObject({ outcome: 'done' });
    expect(await newestId(copy.databaseUrl)).toBeGreaterThan(lost);
  });

  it('fails without an anchor, and while their bucket is away', async () => {
    const none = await proveCopy(copy, { anchors: createAnchors(), isProduction });
    expect(none.faults).toEqual(['no anchor is at most a day older']);
    const findLast = () => Promise.reject(new Error('the bucket responded with 503'));
    const away = await proveCopy(copy, { anchors: { findLast }, isProduction });
    expect(away.faults).toEqual([
      'the anchors cannot be read: Error: the bucket responded with 503',
      'ids cannot be made to go on: Error: the bucket responded with 503',
    ]);
  });

  it('refuses a time before the first whole backup', async () => {
    const early = after(copy.backup.endedAt, -1);
    await expect(
      restoreCopy({ ...system, to: early, workDir: join(dir, 'early'), database }),
    ).rejects.toThrow('There is no whole backup');
  });

  it('refuses a backup that lost a file', async () => {
    const file = join(copy.backup.name, 'global/pg_control');
    await rename(file, join(dir, 'pg_control'));
    try {
      await expect(
        restoreCopy({ ...system, workDir: join(dir, 'broken'), database }),
      ).rejects.toThrow('is not whole');
    } finally {
      await rename(join(dir, 'pg_control'), file);
    }
  });

  it('refuses a time that the archive does not reach', async () => {
    await expect(
      restoreCopy({
        ...system,
        to: after(new Date(), 3_600_000),
        workDir: join(dir, 'late'),
        database,
      }),
    ).rejects.toThrow('recovery ended before configured recovery target was reached');
  });
});
