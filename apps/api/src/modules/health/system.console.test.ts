/** The state of the programs and of the services that they depend on, in the console. */
import { readFileSync } from 'node:fs';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { publishTestRate } from '../../../test/card-purchase.ts';
import { consoleAs, type ConsoleCaller } from '../../../test/console.ts';
import { createTestApp, type TestApp } from '../../../test/test-app.ts';
import { asRole } from '../../../test/test-database.ts';
import { startHeartbeat } from '../../platform/health/heartbeat.ts';
import { createReach, noting } from '../../platform/health/reach.ts';
import { tellCommand } from '../../platform/health/tell-command.ts';
import { enqueueJob } from '../../platform/jobs/enqueue.ts';

let test: TestApp;
let owner: ConsoleCaller;
beforeAll(async () => {
  test = await createTestApp();
  owner = await consoleAs(test, ['provider_owner']);
});
afterAll(() => test.close());

const read = async () => (await owner.call('system', {})).body;

describe('a program', () => {
  it('is listed while it runs, as gone when it is silent, and no more once it has stopped', async () => {
    const worker = startHeartbeat(test.deps, 'worker');
    const api = startHeartbeat(test.deps, 'api');
    await Promise.all([worker.beat(), api.beat()]);
    const { processes } = await read();
    expect(processes).toMatchObject([
      { program: 'api', version: test.deps.newestStep, is_gone: false },
      { program: 'worker', is_gone: false },
    ]);
    expect(processes[0].memory_bytes).toBeGreaterThan(1_000_000);
    test.clock.advance(60_000);
    await api.beat();
    expect((await read()).processes).toMatchObject([{ is_gone: false }, { is_gone: true }]);
    await api.stop();
    expect((await read()).processes).toMatchObject([{ program: 'worker' }]);
    // A process that ended without notice is removed after a day.
    test.clock.advance(25 * 60 * 60_000);
    owner = await consoleAs(test, ['provider_owner']);
    await enqueueJob(test.deps.db, 'health_watch', {});
    await test.runJobs();
    expect((await read()).processes).toEqual([]);
    await worker.stop();
  });

  it('tells when the outside last answered it and last failed to', async () => {
    const reach = createReach(test.clock, test.deps.metrics);
    const calls = noting(reach, 'mail', {
      calls: {
        send: (isRight: boolean) =>
          isRight ? Promise.resolve() : Promise.reject(new Error('away')),
      },
      isFailure: () => true,
    });
    await calls.send(true);
    test.clock.advance(1_000);
    await calls.send(false).catch(() => undefined);
    const beating = startHeartbeat({ ...test.deps, reach }, 'worker');
    await beating.beat();
    await publishTestRate(test, '0.1683');
    const [provider, mail, rate] = (await read()).outside;
    expect(provider).toEqual({ name: 'provider', ok_at: null, failed_at: null });
    expect(Date.parse(mail.failed_at) - Date.parse(mail.ok_at)).toBeGreaterThanOrEqual(1_000);
    expect(rate).toMatchObject({ name: 'rate', ok_at: expect.any(String) });
    await beating.stop();
  });
});

it('the database tells its size, its connections and how it is replicated', async () => {
  const { database } = await read();
  expect(database.byte_count).toBeGreaterThan(1_000_000);
  expect(database.connections).toBeGreaterThan(0);
  expect(database.connections_max).toBeGreaterThan(database.connections);
  expect(database).toMatchObject({ replicas: [], is_replica: false });
});

/** What the unit of the backup says to psql. */
function reportOfUnit(type: string): string {
  const unit = new URL('../../../../../deploy/systemd/athos-backup@.service', import.meta.url);
  const [, statements] = /^ExecStartPost=.* -c "(.*)"$/m.exec(readFileSync(unit, 'utf8')) ?? [];
  if (statements === undefined) throw new Error('the unit reports nothing');
  return statements.replaceAll('%i', type);
}

describe('a backup', () => {
  const urlOfBackups = () => asRole(test.deps.config.databaseUrl, 'athos_backup');

  it('is known once the command was told, the last one of each kind', async () => {
    const databaseUrl = urlOfBackups();
    expect((await read()).told).toEqual([]);
    await tellCommand(databaseUrl, ['backup', 'first']);
    await tellCommand(databaseUrl, ['backup', 'nightly,', '12', 'GB']);
    await tellCommand(databaseUrl, ['restore_test']);
    const { told } = await read();
    expect(
      told.toSorted((a: { kind: string }, b: { kind: string }) => a.kind.localeCompare(b.kind)),
    ).toMatchObject([
      { kind: 'backup', note: 'nightly, 12 GB' },
      { kind: 'restore_test', note: '' },
    ]);
  });

  it('is told by the unit that made it', async () => {
    const client = new pg.Client({ connectionString: urlOfBackups() });
    await client.connect();
    try {
      for (const type of ['full', 'diff']) await client.query(reportOfUnit(type));
    } finally {
      await client.end();
    }
    const { told } = await read();
    expect(told).toContainEqual({ kind: 'backup', at: expect.any(String), note: 'diff' });
  });

  it.each([[[]], [['lunch']], [['backup', 'x'.repeat(201)]]])(
    'is not told by %j',
    async (words) => {
      await expect(tellCommand(test.deps.config.databaseUrl, words)).rejects.toThrow(
        /npm run system:tell/,
      );
    },
  );
});

it('the last verification of ledger and audit is shown with its outcome', async () => {
  expect((await read()).verified).toEqual({ ledger: null, audit: null });
  await owner.call('verifyLedger', {});
  expect((await read()).verified.ledger.state).toBe('running');
  await test.runJobs();
  expect((await read()).verified.ledger.state).toBe('right');
});

it('is not for staff without system.read', async () => {
  const manager = await consoleAs(test, ['brand_manager']);
  const { status, body } = await manager.call('system', {});
  expect([status, body.permission]).toEqual([403, 'system.read']);
});
