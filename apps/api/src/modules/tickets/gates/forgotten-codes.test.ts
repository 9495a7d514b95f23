/** The logs of scanners contain data about a customer. It is erased with the account, whatever happened to the entry. */
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { openUser, PASSWORD } from '../../../../test/accounts.ts';
import {
  createReadyGate,
  syncLog,
  writeLog,
  type TestEntry,
  type TestGate,
} from '../../../../test/build-gate.ts';
import { createItems, purchaseCode } from '../../../../test/build-redemption.ts';
import { createPhone, showTicket, ticketsOf } from '../../../../test/build-ticket.ts';
import { consoleAs, type ConsoleCaller } from '../../../../test/console.ts';
import { createTestApp, type TestApp, type TestUser } from '../../../../test/test-app.ts';

let test: TestApp;
let lead: ConsoleCaller;
let gate: TestGate;
beforeAll(async () => {
  test = await createTestApp();
});
beforeEach(async () => {
  lead = await consoleAs(test, ['scanner_lead']);
  gate = await createReadyGate(test, lead);
});
afterAll(() => test.close());

const now = (): number => test.clock.nowMs();

/** Creates a user with a password, who can delete the account. */
async function createHolder(count = 1) {
  const [user, phone] = [await openUser(test), createPhone()];
  const { itemIds } = await createItems(test, user, { count });
  const [ticket = new Uint8Array()] = await ticketsOf(test, user, phone);
  const show = (atMs: number, shown: readonly number[] = itemIds) => ({
    at_ms: atMs,
    code: showTicket(phone, ticket, { atMs, itemIds: shown }),
    item_ids: shown,
  });
  return { user, itemIds, show };
}

async function deleteAccount(user: TestUser): Promise<void> {
  const { status } = await test.request({
    method: 'POST',
    url: '/api/account/delete',
    user,
    key: crypto.randomUUID(),
    payload: { password: PASSWORD },
  });
  expect(status).toBe(200);
}

const entriesOf = ({ deviceId }: TestGate) =>
  test.deps.db
    .selectFrom('offline_entries')
    .select(['state', 'code', 'holder_user_id'])
    .where('log_id', '=', deviceId)
    .orderBy('seq')
    .orderBy('at_ms')
    .execute();

const conflictsOf = (itemIds: readonly number[]) =>
  test.deps.db
    .selectFrom('redemption_conflicts')
    .select(['item_id', 'holder_user_id', 'state'])
    .where('item_id', 'in', itemIds.map(BigInt))
    .execute();

/** Clears the device, so that it can go on. */
async function clear(isBooked: boolean): Promise<void> {
  const { body } = await lead.call('scanners', { query: { venue_id: gate.venue.id } });
  const { status } = await lead.call('clearScanner', {
    params: { id: body.items[0].id },
    body: { is_booked: isBooked, reason: 'Looked at it with the bar' },
  });
  expect(status).toBe(200);
}

/** Creates entries of which the first is missing, so that none of them is booked. */
function keptEntries({ itemIds, show }: Awaited<ReturnType<typeof createHolder>>): TestEntry[] {
  return writeLog(
    gate,
    itemIds.map((id, index) => show(now() - 5_000 + index, [id])),
  ).slice(1);
}

it('an entry that was booked forgets its code and holder, and a conflict its holder', async () => {
  const holder = await createHolder();
  const other = await createReadyGate(test, lead);
  await syncLog(test, other, writeLog(other, [holder.show(now() - 2_000)]));
  await syncLog(test, gate, writeLog(gate, [holder.show(now() - 1_000)]));
  const { userId } = holder.user;
  expect(await entriesOf(gate)).toEqual([
    { state: 'booked', code: expect.stringMatching(/^T1:/), holder_user_id: userId },
  ]);
  const [conflict] = await conflictsOf(holder.itemIds);
  expect(conflict).toMatchObject({ holder_user_id: userId });
  await deleteAccount(holder.user);
  await test.runJobs();
  for (const log of [gate, other]) {
    expect(await entriesOf(log)).toEqual([{ state: 'booked', code: null, holder_user_id: null }]);
  }
  expect(await conflictsOf(holder.itemIds)).toEqual([{ ...conflict, holder_user_id: null }]);
});

it('an entry that is kept is forgotten with the holder of its ticket', async () => {
  const holder = await createHolder(3);
  const entries = keptEntries(holder);
  await syncLog(test, gate, entries);
  const { userId } = holder.user;
  const kept = { state: 'kept', code: expect.any(String), holder_user_id: userId };
  expect(await entriesOf(gate)).toEqual([kept, kept]);
  await deleteAccount(holder.user);
  await test.runJobs();
  const forgotten = { state: 'kept', code: null, holder_user_id: null };
  expect(await entriesOf(gate)).toEqual([forgotten, forgotten]);
  // The device sends the entries until they are answered.
  await syncLog(test, gate, entries);
  expect(await entriesOf(gate)).toEqual([forgotten, forgotten]);
});

it('an entry that was left is forgotten with its holder, also after its ticket was deleted', async () => {
  const holder = await createHolder(3);
  await syncLog(test, gate, keptEntries(holder));
  await test.deps.db.deleteFrom('tickets').execute();
  await clear(false);
  const { userId } = holder.user;
  const left = { state: 'left', code: expect.any(String), holder_user_id: userId };
  expect(await entriesOf(gate)).toEqual([left, left]);
  await deleteAccount(holder.user);
  await test.runJobs();
  const forgotten = { state: 'left', code: null, holder_user_id: null };
  expect(await entriesOf(gate)).toEqual([forgotten, forgotten]);
});

it('a code that nobody signed is forgotten with whom it names', async () => {
  const holder = await createHolder();
  const [entry] = writeLog(gate, [
    { ...holder.show(now()), code: purchaseCode(test, holder.user, holder.itemIds) },
  ]);
  if (entry === undefined) throw new Error('no entry');
  await syncLog(test, gate, [entry]);
  expect(await entriesOf(gate)).toMatchObject([{ holder_user_id: holder.user.userId }]);
  await deleteAccount(holder.user);
  await test.runJobs();
  expect(await entriesOf(gate)).toEqual([{ state: 'kept', code: null, holder_user_id: null }]);
});

it.each([
  ['was deleted', false],
  ['was erased', true],
])(
  'nothing new is stored about a holder whose account %s before the log is told',
  async (_, isErased) => {
    const holder = await createHolder(3);
    const other = await createReadyGate(test, lead);
    const atMs = now() - 5_000;
    const [first = 0, second = 0] = holder.itemIds;
    const good = writeLog(gate, [holder.show(atMs, [first]), holder.show(atMs, [second])]);
    const bad = writeLog(other, [holder.show(atMs, [first]), holder.show(atMs, [second])]).slice(1);
    await deleteAccount(holder.user);
    if (isErased) await test.runJobs();
    expect((await syncLog(test, gate, good)).body.state).toBe('active');
    expect((await syncLog(test, other, bad)).body.state).toBe('suspect');
    const booked = { state: 'booked', code: null, holder_user_id: null };
    expect(await entriesOf(gate)).toEqual([booked, booked]);
    expect(await entriesOf(other)).toEqual([{ ...booked, state: 'kept' }]);
    const again = writeLog(gate, [holder.show(atMs, [first])], good.at(-1));
    expect((await syncLog(test, gate, again)).body.state).toBe('active');
    expect(await conflictsOf([first])).toMatchObject([{ holder_user_id: null }]);
  },
);

it('the entries of everybody else keep theirs', async () => {
  const [holder, stays] = [await createHolder(), await createHolder()];
  await syncLog(test, gate, writeLog(gate, [holder.show(now()), stays.show(now())]));
  await deleteAccount(holder.user);
  await test.runJobs();
  expect(await entriesOf(gate)).toMatchObject([
    { code: null, holder_user_id: null },
    { code: expect.any(String), holder_user_id: stays.user.userId },
  ]);
});
