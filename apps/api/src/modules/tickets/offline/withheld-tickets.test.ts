/** What a holder is told whose phone gets no tickets. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createGuest, createReadyGate, syncLog, writeLog } from '../../../../test/build-gate.ts';
import { askTickets } from '../../../../test/build-ticket.ts';
import { consoleAs } from '../../../../test/console.ts';
import { createTestApp, type TestApp, type TestUser } from '../../../../test/test-app.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

let test: TestApp;
beforeAll(async () => {
  test = await createTestApp();
});
afterAll(() => test.close());

async function askAgain(user: TestUser) {
  const { sessions, db } = test.deps;
  const token = await sessions.open(db, { userId: user.userId, userUuid: user.uuid });
  return (await askTickets(test, { ...user, token })).body;
}

it('after conflicts at two devices, until the earlier of them is 30 days old', async () => {
  const guest = await createGuest(test, { count: 2 });
  const [item = 0] = guest.itemIds;
  /** A new gate hands out the item, and the server hears of it between the two returned times. */
  async function handOut(): Promise<readonly [number, number]> {
    const gate = await createReadyGate(test, await consoleAs(test, ['scanner_lead']));
    test.clock.advance(1_000);
    const entries = writeLog(gate, [guest.show(test.clock.nowMs(), [item])]);
    const beforeMs = test.clock.nowMs();
    await syncLog(test, gate, entries);
    return [beforeMs, test.clock.nowMs()];
  }
  await handOut();
  const [beforeMs, afterMs] = await handOut();
  expect(await askAgain(guest.user)).not.toHaveProperty('withheld');
  test.clock.advance(10 * HOUR_MS);
  await handOut();
  const body = await askAgain(guest.user);
  const { withheld } = body;
  expect(body).toMatchObject({ phone: {}, tickets: [], withheld: { reason: 'conflicts' } });
  const untilMs = Date.parse(withheld.until);
  expect(untilMs).toBeGreaterThanOrEqual(beforeMs + 30 * DAY_MS);
  expect(untilMs).toBeLessThanOrEqual(afterMs + 30 * DAY_MS);
  test.clock.advance(untilMs - test.clock.nowMs() - MINUTE_MS);
  expect((await askAgain(guest.user)).withheld).toEqual(withheld);
  test.clock.advance(MINUTE_MS);
  const after = await askAgain(guest.user);
  expect(after).not.toHaveProperty('withheld');
  expect(after.tickets).toHaveLength(1);
});

it('while redemption is held, and the entity tag changes with it', async () => {
  const { user } = await createGuest(test);
  const etag = String((await askTickets(test, user)).headers['etag']);
  await test.deps.db
    .insertInto('account_holds')
    .values({
      user_id: user.userId,
      kinds: ['redeem'],
      cause: 'staff',
      cause_id: randomUUID(),
      reason: 'test',
      placed_at: new Date(test.clock.nowMs()),
    })
    .execute();
  const { status, body } = await askTickets(test, user, { 'if-none-match': etag });
  expect(status).toBe(200);
  expect(body).toMatchObject({ phone: {}, tickets: [], withheld: { reason: 'held' } });
});
