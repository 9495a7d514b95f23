import { randomUUID } from 'node:crypto';
import type { AddressInfo } from 'node:net';
import type { FastifyInstance } from 'fastify';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { consoleAs, type ConsoleCaller } from '../../../../test/console.ts';
import { createTestApp, testConfig, type TestApp } from '../../../../test/test-app.ts';
import { buildConsoleApp } from '../../../app.ts';
import { createDeps, type Deps } from '../../../deps.ts';
import { notifyConsole } from '../../../platform/console/console-changes.ts';
import { createLog } from '../../../platform/log/log.ts';

let test: TestApp;
let origin: string;
/** The console's own program on the same database. */
let own: { readonly app: FastifyInstance; readonly deps: ReturnType<typeof createDeps> };
let ownOrigin: string;

async function start(app: FastifyInstance, { notifications }: Pick<Deps, 'notifications'>) {
  await app.listen({ host: '127.0.0.1', port: 0 });
  await vi.waitFor(() => expect(notifications.isListening()).toBe(true), 10_000);
  return `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`;
}

beforeAll(async () => {
  test = await createTestApp();
  origin = await start(test.app, test.deps);
  const { databaseUrl } = test.deps.config;
  const deps = createDeps(testConfig(databaseUrl), createLog('silent'), { clock: test.clock });
  own = { app: await buildConsoleApp(deps), deps };
  ownOrigin = await start(own.app, deps);
});
afterAll(async () => {
  await own.app.close();
  await own.deps.close();
  await test.close();
});

interface Listening {
  readonly topics: string[];
  readonly ended: Promise<void>;
  stop(): void;
}

/** Reads a stream as the console does: with fetch and the cookie. */
async function listen({ setCookie }: ConsoleCaller, at = origin): Promise<Listening> {
  const controller = new AbortController();
  const answer = await fetch(`${at}/api/admin/events`, {
    headers: { cookie: setCookie.split(';')[0] ?? '' },
    signal: controller.signal,
  });
  expect(answer.status).toBe(200);
  expect(answer.headers.get('content-type')).toBe('text/event-stream; charset=utf-8');
  expect(answer.headers.get('cache-control')).toBe('no-store');
  const topics: string[] = [];
  const read = async (): Promise<void> => {
    const decoder = new TextDecoder();
    for await (const chunk of answer.body ?? []) {
      for (const line of decoder.decode(chunk as Uint8Array).split('\n')) {
        if (line.startsWith('data: ')) topics.push(JSON.parse(line.slice(6)).topic);
      }
    }
  };
  return { topics, ended: read().catch(() => undefined), stop: () => controller.abort() };
}

const seenAt = async ({ sessionId }: ConsoleCaller) =>
  (
    await test.deps.db
      .selectFrom('staff_sessions')
      .select('seen_at')
      .where('id', '=', sessionId)
      .executeTakeFirstOrThrow()
  ).seen_at;

describe('admin/events', () => {
  it('tells others of a request and of a vote, in the console’s own program too', async () => {
    const manager = await consoleAs(test, ['brand_manager'], { organisation: 'brand' });
    const [voter, reader] = [
      await consoleAs(test, ['finance']),
      await consoleAs(test, ['auditor']),
    ];
    const [here, there] = [await listen(reader), await listen(reader, ownOrigin)];
    const { body } = await manager.call('changeSetting', {
      params: { id: 'sends_per_day_max' },
      body: { value: 1_234, reason: 'As agreed with the brand' },
    });
    await expect.poll(() => [here.topics[0], there.topics[0]]).toEqual(['approvals', 'approvals']);
    const [hereCount, thereCount] = [here.topics.length, there.topics.length];
    const { status } = await voter.call('approveRequest', { params: { id: body.approval_id } });
    expect(status).toBe(200);
    await expect.poll(() => here.topics.length).toBeGreaterThan(hereCount);
    await expect.poll(() => there.topics.length).toBeGreaterThan(thereCount);
    here.stop();
    there.stop();
  });

  it('sends a topic only to those who may read it, by their roles of that moment', async () => {
    const editor = await consoleAs(test, ['catalogue_editor']);
    const finance = await consoleAs(test, ['finance']);
    const [editors, finances] = [await listen(editor), await listen(finance)];
    await notifyConsole(test.deps.db, 'disputes');
    await expect.poll(() => finances.topics).toEqual(['disputes']);
    await test.deps.db.deleteFrom('staff_roles').where('staff_id', '=', finance.staffId).execute();
    await notifyConsole(test.deps.db, 'payments');
    await notifyConsole(test.deps.db, 'exports');
    await expect.poll(() => editors.topics).toEqual(['exports']);
    expect(finances.topics).toEqual(['disputes']);
    editors.stop();
    finances.stop();
  });

  it('ends when its reader is suspended or signs out', async () => {
    const owner = await consoleAs(test, ['provider_owner']);
    const [ada, ben] = [await consoleAs(test, ['finance']), await consoleAs(test, ['finance'])];
    const [adas, bens] = [await listen(ada), await listen(ben, ownOrigin)];
    const { status } = await owner.call('suspendStaff', {
      params: { id: ada.staffId },
      body: { reason: 'Left the company today' },
      key: randomUUID(),
    } as never);
    expect(status).toBe(200);
    await adas.ended;
    expect((await ben.call('signOut')).status).toBe(200);
    await bens.ended;
  });

  it('does not keep a session from ending idle, and ends with it', async () => {
    const ada = await consoleAs(test, ['finance']);
    const before = await seenAt(ada);
    await test.deps.db
      .updateTable('staff_sessions')
      .set({ seen_at: new Date(before.getTime() - 60_000) })
      .where('id', '=', ada.sessionId)
      .execute();
    const adas = await listen(ada);
    await notifyConsole(test.deps.db, 'approvals');
    await expect.poll(() => adas.topics).toEqual(['approvals']);
    expect(await seenAt(ada)).toEqual(new Date(before.getTime() - 60_000));
    await test.deps.db
      .updateTable('staff_sessions')
      .set({ seen_at: new Date(before.getTime() - test.deps.config.console.idleMs) })
      .where('id', '=', ada.sessionId)
      .execute();
    await notifyConsole(test.deps.db, 'approvals');
    await adas.ended;
    expect(adas.topics).toEqual(['approvals']);
  });

  it('closes the oldest of four streams of a person', async () => {
    const ada = await consoleAs(test, ['finance']);
    const streams: Listening[] = [];
    for (let count = 0; count < 4; count += 1) streams.push(await listen(ada));
    await streams[0]?.ended;
    await notifyConsole(test.deps.db, 'approvals');
    await expect.poll(() => streams.map(({ topics }) => topics.length)).toEqual([0, 1, 1, 1]);
    for (const stream of streams) stream.stop();
  });
});
