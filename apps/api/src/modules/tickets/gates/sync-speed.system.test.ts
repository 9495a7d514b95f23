/** The time that a scanner needs to sync a long day without a network, with a database that waits for its disk. */
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SYNC_ENTRIES_MAX } from '@athos/domain/offline-log';
import { startPostgres, type Postgres } from '@athos/postgres/launch';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createGuest, createReadyGate, syncLog, writeLog } from '../../../../test/build-gate.ts';
import { consoleAs } from '../../../../test/console.ts';
import { setup, teardown } from '../../../../test/template-database.ts';
import { createTestApp, type TestApp } from '../../../../test/test-app.ts';

const ENTRIES = 1_000;
/** The maximum time for which staff at a gate wait until their day is synced. */
const ALL_WITHIN_MS = 5_000;
/** The fastest of several gates counts, because other work on the machine can only slow a gate down. */
const GATES = 3;
const ITEMS_OF_GUEST = 50;

let root: string;
let postgres: Postgres;
let test: TestApp;

beforeAll(async () => {
  root = mkdtempSync(join(tmpdir(), 'athos-sync-speed-'));
  // The temporary folder is private, and PostgreSQL's user has to traverse it.
  chmodSync(root, 0o755);
  postgres = await startPostgres({ dataDir: join(root, 'postgres'), durable: true });
  process.env['ATHOS_TEST_DATABASE_URL'] = postgres.url;
  await setup();
  test = await createTestApp();
});
afterAll(async () => {
  await test.close();
  await teardown();
  await postgres.stop();
  rmSync(root, { recursive: true, force: true });
});

/** Syncs 1,000 redemptions, with as many in each call as allowed, and returns the duration. */
async function tellMs(): Promise<number> {
  const gate = await createReadyGate(test, await consoleAs(test, ['scanner_lead']));
  const atMs = test.clock.nowMs();
  const handovers = [];
  while (handovers.length < ENTRIES) {
    const guest = await createGuest(test, { count: ITEMS_OF_GUEST });
    handovers.push(...guest.itemIds.map((id) => guest.show(atMs, [id])));
  }
  const entries = writeLog(gate, handovers);
  const startMs = performance.now();
  for (let at = 0; at < ENTRIES; at += SYNC_ENTRIES_MAX) {
    const { body } = await syncLog(test, gate, entries.slice(at, at + SYNC_ENTRIES_MAX));
    expect(body).toMatchObject({ state: 'active', last_seq: at + SYNC_ENTRIES_MAX });
  }
  return performance.now() - startMs;
}

it('1,000 entries are taken within 5 s', async () => {
  const took: number[] = [];
  for (let gates = 0; gates < GATES; gates++) took.push(Math.round(await tellMs()));
  expect(Math.min(...took), `ms: ${took.join(', ')}`).toBeLessThanOrEqual(ALL_WITHIN_MS);
});
