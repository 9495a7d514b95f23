/** Events that the system does not understand. */
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { eventBody, sendEvent, signEvent } from '../../../../test/card-events.ts';
import { startCardSandbox, type CardSandbox } from '../../../../test/card-sandbox.ts';
import { expectBooksBalance } from '../../../../test/expect-books-balance.ts';
import { recordLog } from '../../../../test/recorded-log.ts';
import { createTestApp, type TestApp } from '../../../../test/test-app.ts';

const { log, lines } = recordLog();
let sandbox: CardSandbox;
let app: TestApp;

beforeAll(async () => {
  sandbox = await startCardSandbox();
  app = await createTestApp({ env: sandbox.env, log });
  sandbox.deliverTo(app.app);
});
afterAll(async () => {
  await sandbox.close();
  await app.close();
});
afterEach(() => expectBooksBalance(app.deps.config.databaseUrl));

/** Delivers an event; returns the alarms that it raised. */
async function deliver(type: string, object: object): Promise<Record<string, unknown>[]> {
  const body = eventBody({ type, data: { object } });
  expect((await sendEvent(app, body, signEvent(body))).status).toBe(200);
  await app.runJobs();
  const { id } = JSON.parse(body) as { id: string };
  return lines
    .filter((line) => line.includes('"alarm"') && line.includes(id))
    .map((line) => JSON.parse(line) as Record<string, unknown>);
}

it('a type of event that nothing understands raises one alarm an hour', async () => {
  const object = { object: 'review', id: 'prv_1' };
  const counts: number[] = [];
  for (const minutes of [0, 30, 29, 2]) {
    app.clock.advance(minutes * 60_000);
    counts.push((await deliver('review.opened', object)).length);
  }
  expect(counts).toEqual([1, 0, 0, 1]);
  expect(await deliver('review.closed', { object: 'review', id: 'prv_1' })).toEqual([
    expect.objectContaining({ alarm: 'event_unknown', eventType: 'review.closed' }),
  ]);
});
