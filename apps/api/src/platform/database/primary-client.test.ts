import { once } from 'node:events';
import { createServer, type AddressInfo, type Socket } from 'node:net';
import { sql } from 'kysely';
import { expect, it } from 'vitest';
import { createFreezableProxy } from '../../../test/freezable-proxy.ts';
import { recordLog } from '../../../test/recorded-log.ts';
import { copyTemplate } from '../../../test/test-database.ts';
import { openDatabase } from './database.ts';
import { LastingConnection } from './lasting-connection.ts';
import { FollowingPool } from './pool.ts';
import { openPatiently, PrimaryClient } from './primary-client.ts';

it('looks for a primary with one connection at a time, and then answers all who waited', async () => {
  const template = await copyTemplate();
  const proxy = await createFreezableProxy(template.url);
  const [one, other] = [
    openDatabase(proxy.url, recordLog().log),
    openDatabase(proxy.url, recordLog().log),
  ];
  const startMs = performance.now();
  const refused = proxy.refuse(5);
  const answers = Array.from({ length: 40 }, (_, at) =>
    sql<{ at: number }>`select ${at}::integer as at`.execute((at % 2 === 0 ? one : other).db),
  );
  await refused;
  const searchedMs = performance.now() - startMs;
  proxy.cutAndHeal();
  const found = (await Promise.all(answers)).map(({ rows }) => rows[0]?.at);
  await Promise.all([one.close(), other.close()]);
  await proxy.close();
  await template.drop();
  // Two attempts are made at first, and then one every 200 ms for both pools together.
  expect(searchedMs).toBeGreaterThanOrEqual(580);
  expect(found).toEqual(Array.from({ length: 40 }, (_, at) => at));
});

it('looks for a primary with one connection at a time from the loss of an open one on', async () => {
  const template = await copyTemplate();
  const proxy = await createFreezableProxy(template.url);
  const open = () => new PrimaryClient({ connectionString: proxy.url }).connect();
  const lost = once(await open(), 'error');
  const refused = proxy.refuse(4);
  await lost;
  const startMs = performance.now();
  const opened = Array.from({ length: 6 }, open);
  const settled = Promise.allSettled(opened);
  await refused;
  const searchedMs = performance.now() - startMs;
  proxy.cutAndHeal();
  const clients = (await settled).flatMap((one) => (one.status === 'fulfilled' ? one.value : []));
  await Promise.all(clients.map((client) => client.end()));
  await proxy.close();
  await template.drop();
  expect(clients).toHaveLength(2);
  // Three pauses of 200 ms. If the first two attempts were made at once, there would be two.
  expect(searchedMs).toBeGreaterThanOrEqual(580);
});

it(
  'opens one connection at a time, and later than others, in a process for whose work nobody waits',
  { tags: 'long' },
  async () => {
    const template = await copyTemplate();
    const proxy = await createFreezableProxy(template.url);
    openPatiently(proxy.url);
    const open = () =>
      new PrimaryClient({ connectionString: proxy.url, warmUp: 'select pg_sleep(0.2)' }).connect();
    const startMs = performance.now();
    const [first, second] = await Promise.all([open(), open()]);
    const openedMs = performance.now() - startMs;
    const losses = [first, second].map((client) => once(client, 'error'));
    const refused = proxy.refuse(2);
    await Promise.all(losses);
    const lostAtMs = performance.now();
    const settled = Promise.allSettled([open(), open()]);
    await refused;
    const searchedMs = performance.now() - lostAtMs;
    await settled;
    await proxy.close();
    await template.drop();
    expect(openedMs).toBeGreaterThanOrEqual(400);
    expect(searchedMs).toBeGreaterThanOrEqual(1_900);
  },
);

it(
  'gives up a connection whose turn does not come, while others wait for a server that is silent',
  { tags: 'long' },
  async () => {
    const silent = new Set<Socket>();
    const server = createServer((socket) => void silent.add(socket)).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const recorded = recordLog();
    const database = openDatabase(`postgres://athos@127.0.0.1:${port}/athos`, recorded.log);
    const startMs = performance.now();
    const asked = Array.from({ length: 12 }, () => sql`select 1`.execute(database.db));
    const settled = await Promise.allSettled(asked);
    const waitedMs = performance.now() - startMs;
    for (const socket of silent) socket.destroy();
    server.close();
    await database.close();
    expect(settled.map(({ status }) => status)).toEqual(asked.map(() => 'rejected'));
    expect(waitedMs).toBeLessThan(6_000);
    // Attempts run two at a time and take 2 s each.
    expect(silent.size).toBeLessThanOrEqual(6);
  },
);

async function alterDatabase({ adminUrl }: { adminUrl: string }, change: string): Promise<void> {
  const admin = openDatabase(adminUrl, recordLog().log);
  await sql`do $$ begin
    execute format('alter database %I ${sql.raw(change)}', current_database());
  end $$`.execute(admin.db);
  await admin.close();
}

/** A pool whose connections take 0.2 s to open. */
const slowlyOpeningPool = (url: string): FollowingPool =>
  new FollowingPool(
    {
      connectionString: url,
      max: 20,
      application_name: 'athos-tests',
      warmUp: 'select pg_sleep(0.2)',
    },
    recordLog().log,
  );

it('answers all who wait with the first connection that opens, and opens more only for those that still wait', async () => {
  const template = await copyTemplate();
  const pool = slowlyOpeningPool(template.url);
  const startMs = performance.now();
  await Promise.all(Array.from({ length: 20 }, () => pool.query('select 1')));
  const answeredMs = performance.now() - startMs;
  const openedCount = pool.totalCount;
  const held = await Promise.all(Array.from({ length: 4 }, () => pool.connect()));
  const heldCount = pool.totalCount;
  for (const client of held) client.release();
  await pool.end();
  await template.drop();
  // Ten openings, two at a time, would take 1 s.
  expect(answeredMs).toBeLessThan(800);
  expect(openedCount).toBeLessThanOrEqual(2);
  expect(heldCount).toBe(4);
});

it('serves those who wait with the connections it has when the server refuses a further one', async () => {
  const template = await copyTemplate();
  await alterDatabase(template, 'connection limit 1');
  const recorded = recordLog();
  const limited = openDatabase(template.url, recorded.log);
  const answers = await Promise.allSettled(
    Array.from({ length: 5 }, () => limited.pool.query('select pg_sleep(0.15)')),
  );
  await limited.close();
  await template.drop();
  expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 'fulfilled'));
  expect(recorded.lines.join('')).toContain('no further database connection could be opened');
});

it(
  'gives a connection that opens too late for those who asked to the next request',
  { tags: 'long' },
  async () => {
    const template = await copyTemplate();
    const proxy = await createFreezableProxy(template.url);
    const pool = slowlyOpeningPool(proxy.url);
    void proxy.refuse(1);
    const asked = await Promise.allSettled(Array.from({ length: 5 }, () => pool.connect()));
    expect(asked.map(({ status }) => status)).toEqual(Array(5).fill('rejected'));
    // The pool still waits for the turn of its next attempt, and that one succeeds.
    proxy.cutAndHeal();
    await pool.query('select 1');
    expect([pool.totalCount, pool.idleCount, pool.waitingCount]).toEqual([1, 1, 0]);
    await pool.end();
    await proxy.close();
    await template.drop();
  },
);

it('is opened although its warm-up fails, but not if the connection ended with it', async () => {
  const template = await copyTemplate();
  const open = (warmUp: string) =>
    new PrimaryClient({ connectionString: template.url, warmUp }).connect();
  const usable = await open('select from no_such_table');
  expect((await usable.query('select 1 as one')).rows).toEqual([{ one: 1 }]);
  await usable.end();
  await expect(open('select pg_terminate_backend(pg_backend_pid())')).rejects.toThrow('terminat');
  await template.drop();
});

it(
  'opens a connection that serves the whole process before others that have waited longer',
  { tags: 'long' },
  async () => {
    const names: string[] = [];
    const silent = new Set<Socket>();
    const server = createServer((socket) => {
      silent.add(socket);
      socket.once('data', (packet) => {
        names.push(/application_name\0([^\0]+)/.exec(packet.toString('latin1'))?.[1] ?? '');
      });
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const open = (name: string, isFirst = false) =>
      new PrimaryClient({ host: '127.0.0.1', port, application_name: name, isFirst }).connect();
    const opened = [open('one'), open('two'), open('three'), open('four'), open('first', true)];
    const settled = Promise.allSettled(opened);
    await expect.poll(() => names.length, { timeout: 6_000 }).toBeGreaterThanOrEqual(3);
    expect(names.slice(0, 3)).toEqual(['one', 'two', 'first']);
    // The others are refused at once.
    server.close();
    for (const socket of silent) socket.destroy();
    expect((await settled).map(({ status }) => status)).toEqual(opened.map(() => 'rejected'));
  },
);

it('opens others while a server refuses the one that serves the whole process', async () => {
  const template = await copyTemplate();
  await alterDatabase(template, 'set default_transaction_read_only = on');
  const { log } = recordLog();
  // Two, since each could stand aside for the other.
  const refused = [1, 2].map(
    () =>
      new LastingConnection({
        databaseUrl: template.url,
        applicationName: 'athos-tests',
        log,
        warmUp: 'create table refused ()',
        onUp: () => undefined,
      }),
  );
  const reading = openDatabase(template.url, log);
  const { rows } = await sql<{ one: number }>`select 1 as one`.execute(reading.db);
  expect(rows).toEqual([{ one: 1 }]);
  expect(refused.map((connection) => connection.isUp())).toEqual([false, false]);
  await Promise.all([...refused, reading].map((open) => open.close()));
  await template.drop();
});
