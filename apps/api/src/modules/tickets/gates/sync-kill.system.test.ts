/** The API or the database is killed with kill -9 50 times while scanners sync their redemptions. */
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { startPostgres, type Postgres, type PostgresOptions } from '@athos/postgres/launch';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startApiProcess, type ApiProcess } from '../../../../test/api-process.ts';
import {
  createGuests,
  createReadyGate,
  writeLog,
  type TestEntry,
  type TestGate,
} from '../../../../test/build-gate.ts';
import { consoleAs } from '../../../../test/console.ts';
import { setup, teardown } from '../../../../test/template-database.ts';
import { createTestApp, type TestApp } from '../../../../test/test-app.ts';

const KILLS = 50;
const GATES = 3;
/** Each gate makes two calls per kill, so that some entries are still unsynced at the last one. */
const CALLS_A_KILL = 2;
const ENTRIES_A_CALL = 4;
const GUESTS_OF_GATE = 6;
const ITEMS_OF_GUEST = 80;
/** An unanswered call times out, and its entries are sent again. */
const CALL_MS = 10_000;
/** A device may call once a second. */
const PAUSE_MS = 500;
/** The kills fall within the duration of the calls. */
const KILL_WITHIN_MS = 60;

let root: string;
let options: PostgresOptions;
let postgres: Postgres;
let test: TestApp;
let api: ApiProcess;

beforeAll(async () => {
  root = mkdtempSync(join(tmpdir(), 'athos-sync-'));
  // The temporary folder is private, and PostgreSQL's user has to traverse it.
  chmodSync(root, 0o755);
  options = { dataDir: join(root, 'postgres'), durable: true };
  postgres = await startPostgres(options);
  process.env['ATHOS_TEST_DATABASE_URL'] = postgres.url;
  await setup();
  test = await createTestApp();
  // The kills take longer than the sync of a log may take, so all of its parts count together.
  await test.deps.db
    .insertInto('programme_settings')
    .values({
      key: 'offline_items_max',
      value: JSON.stringify(GUESTS_OF_GATE * ITEMS_OF_GUEST),
      changed_at: new Date(test.clock.nowMs()),
      changed_by: 'test',
    })
    .execute();
  api = await startApiProcess(test.deps.config.databaseUrl);
});
afterAll(async () => {
  await api.kill();
  await test.close();
  await teardown();
  await postgres.stop();
  rmSync(root, { recursive: true, force: true });
});

interface Telling {
  readonly gate: TestGate;
  readonly entries: readonly TestEntry[];
  /** The last entry that was acknowledged. */
  lastSeq: number;
  unanswered: number;
}

const faultsOfLogs = (): Promise<unknown> =>
  test.deps.db
    .selectFrom('offline_logs')
    .select(['suspect_fault', 'last_seq', 'last_sync_at'])
    .execute()
    .catch(String);

/** Sends the next entries as the scanner does: from the first entry that was not acknowledged. */
async function tellNext(telling: Telling): Promise<void> {
  const { gate, entries } = telling;
  const { staff, headers, deviceId } = gate;
  const sent = entries.slice(telling.lastSeq, telling.lastSeq + ENTRIES_A_CALL);
  try {
    const answer = await fetch(`${api.url}/api/scanner/offline/sync`, {
      method: 'POST',
      headers: {
        ...headers,
        'content-type': 'application/json',
        authorization: `Bearer ${staff.token}`,
      },
      body: JSON.stringify({ device_id: deviceId, entries: sent }),
      signal: AbortSignal.timeout(CALL_MS),
    });
    const body = (await answer.json()) as { last_seq: number; state: string };
    if (answer.status !== 200) {
      telling.unanswered += 1;
      return;
    }
    // The fault says why, unless the database is away.
    const fault = body.state === 'active' ? undefined : await faultsOfLogs();
    expect([body.state, fault]).toEqual(['active', undefined]);
    expect(body.last_seq).toBeGreaterThanOrEqual(telling.lastSeq + sent.length);
    telling.lastSeq = body.last_seq;
  } catch (error) {
    // The connection broke, nothing was listening, or the answer was cut off.
    const isBroken = [TypeError, DOMException, SyntaxError].some((kind) => error instanceof kind);
    if (!isBroken) throw error;
    telling.unanswered += 1;
  }
}

async function killOne(index: number): Promise<void> {
  await wait(Math.random() * KILL_WITHIN_MS);
  if (index % 5 !== 4) {
    await api.kill();
    api = await startApiProcess(test.deps.config.databaseUrl);
    return;
  }
  process.kill(postgres.pid, 'SIGKILL');
  await postgres.exited;
  postgres = await startPostgres({ ...options, port: postgres.port });
}

it(
  '[W-056] 50 kill -9 of API and database lose and double no redemption',
  async () => {
    const lead = await consoleAs(test, ['scanner_lead']);
    const gates = await Promise.all(
      Array.from({ length: GATES }, () => createReadyGate(test, lead)),
    );
    const tellings: Telling[] = [];
    for (const gate of gates) {
      const guests = await createGuests(test, GUESTS_OF_GATE, { count: ITEMS_OF_GUEST });
      const atMs = test.clock.nowMs() - 1_000;
      const shows = guests.flatMap((guest) => guest.itemIds.map((id) => guest.show(atMs, [id])));
      tellings.push({ gate, entries: writeLog(gate, shows), lastSeq: 0, unanswered: 0 });
    }
    const isDone = ({ lastSeq, entries }: Telling): boolean => lastSeq === entries.length;
    for (let index = 0; index < KILLS; index++) {
      expect(tellings.some(isDone)).toBe(false);
      const calls = tellings.map(async (telling) => {
        for (let count = 0; count < CALLS_A_KILL; count++) await tellNext(telling);
      });
      await Promise.all([...calls, killOne(index)]);
    }
    // Otherwise the kills would not have hit any call.
    expect(tellings.reduce((sum, { unanswered }) => sum + unanswered, 0)).toBeGreaterThan(
      KILLS / 2,
    );
    await Promise.all(
      tellings.map(async (telling) => {
        while (!isDone(telling)) {
          await tellNext(telling);
          await wait(PAUSE_MS);
        }
      }),
    );

    const itemIds = tellings.flatMap(({ entries }) => entries.flatMap(({ item_ids: ids }) => ids));
    const items = await test.deps.db
      .selectFrom('purchase_items')
      .select(['id', 'redemption_id'])
      .where('id', 'in', itemIds.map(BigInt))
      .where('redeemed_at', 'is not', null)
      .execute();
    expect(items).toHaveLength(itemIds.length);
    expect(new Set(items.map(({ redemption_id: id }) => id)).size).toBe(itemIds.length);
    const redemptions = await test.deps.db.selectFrom('redemptions').select('id').execute();
    expect(redemptions).toHaveLength(itemIds.length);
    const entries = await test.deps.db.selectFrom('offline_entries').select('state').execute();
    expect(entries).toHaveLength(itemIds.length);
    expect(entries.every(({ state }) => state === 'booked')).toBe(true);
    expect(await test.deps.db.selectFrom('redemption_conflicts').select('id').execute()).toEqual(
      [],
    );
    const scans = await test.deps.db.selectFrom('scans').select('redeemed_count').execute();
    expect(scans.reduce((sum, scan) => sum + scan.redeemed_count, 0)).toBe(itemIds.length);
  },
  20 * 60_000,
);
