/** Links to receipts of sends that can be undone: a stranger must not mistake one for a payment that has arrived. */
import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { checkReceipt } from '@athos/domain/check-receipt';
import { movementOf, type Receipt } from '@athos/domain/receipt';
import { expectBooksBalance } from '../../../test/expect-books-balance.ts';
import { createSealer, nodeCrypto, type Sealer } from '../../../test/seals.ts';
import { ath, refusalOf } from '../../../test/shop.ts';
import { createTestApp, type TestApp, type TestUser } from '../../../test/test-app.ts';
import { postDue } from '../transfers/held/post-due.ts';
import { insertShare } from './shares.sql.ts';

const UNDO_SECONDS = 10;
const DAY_MS = 24 * 60 * 60_000;

let test: TestApp;
let sealer: Sealer;
let ada: TestUser;
let ben: TestUser;
beforeAll(async () => {
  test = await createTestApp();
  sealer = createSealer(test);
  [ada, ben] = [await test.createUser({ balance: ath(100) }), await test.createUser()];
});
afterEach(() => expectBooksBalance(test.deps.config.databaseUrl));
afterAll(() => test.close());

interface Held {
  readonly movement: number;
  readonly hold: string;
}

async function hold(): Promise<Held> {
  const payload = { amount: '2500000', to_uuid: ben.uuid, undo_seconds: UNDO_SECONDS };
  const url = '/api/account/transfer';
  const key = randomUUID();
  const { status, body } = await test.request({ method: 'POST', url, payload, key, user: ada });
  expect(status).toBe(200);
  return { movement: body.id, hold: body.hold.id };
}

async function undo({ hold: id }: Held): Promise<void> {
  const url = `/api/account/holds/${id}/undo`;
  const { status } = await test.request({ method: 'POST', url, key: randomUUID(), user: ada });
  expect(status).toBe(200);
}

async function arrive(): Promise<void> {
  test.clock.advance(UNDO_SECONDS * 1_000);
  expect(await postDue(test.deps)).toBe(1);
}

const share = (movement: number, withNames = false, user = ada) =>
  test.request({
    method: 'POST',
    url: `/api/all_history/${movement}/share`,
    payload: { with_names: withNames },
    user,
  });

/** Creates a link as earlier versions did, before links to sends that have not arrived were refused. */
async function earlierLink({ movement }: Held): Promise<string> {
  const token = randomBytes(16);
  const madeAt = new Date(test.clock.nowMs());
  const link = {
    id: randomUUID(),
    userId: ada.userId,
    transferId: BigInt(movement),
    withNames: false,
    madeAt,
    expiresAt: new Date(madeAt.getTime() + DAY_MS),
  };
  const hash = createHash('sha256').update(token).digest();
  await test.deps.db.transaction().execute((tx) => insertShare(tx, link, hash));
  return token.toString('base64url');
}

const show = (token: string) =>
  test.request({ method: 'POST', url: '/api/shared_receipt', payload: { token } });

async function shownBy(movement: number, withNames: boolean, user = ada) {
  const { status, body } = await share(movement, withNames, user);
  expect(status).toBe(200);
  return (await show(new URL(body.link).hash.slice(1))).body;
}

const benMovement = async (): Promise<number> => {
  const url = '/api/all_history?type=Receive&limit=1';
  return (await test.request({ method: 'GET', url, user: ben })).body.history[0].data.id;
};

const texts = ({ parts }: Receipt): Record<string, string> =>
  Object.fromEntries(parts.flatMap((part) => ('text' in part ? [[part.name, part.text]] : [])));

async function verdicts(receipt: Receipt): Promise<string[]> {
  const { keys } = (await test.request({ method: 'GET', url: '/api/ledger/heads' })).body;
  const steps = await checkReceipt(receipt, {
    expected: movementOf(receipt) ?? { id: '', asset: '', amountUnits: '' },
    published: { keys, head: undefined },
    crypto: nodeCrypto,
  });
  return steps.map(({ verdict }) => verdict).slice(0, 4);
}

describe('the receipt of a send that can be undone', () => {
  it('is not shared while the send can be taken back, nor after it was', async () => {
    const held = await hold();
    await sealer.sealAll();
    const refused = { status: 409, code: 'send_not_arrived' };
    expect(refusalOf(await share(held.movement))).toEqual(refused);
    await undo(held);
    const after = await share(held.movement);
    expect(refusalOf(after)).toEqual(refused);
    expect(after.body.detail).toContain('came back');
    const url = '/api/account/receipt_shares';
    expect((await test.request({ method: 'GET', url, user: ada })).body.shares).toEqual([]);
  });

  it('is not shown by an earlier link before the send has arrived, and never once it came back', async () => {
    const held = await hold();
    await sealer.sealAll();
    const token = await earlierLink(held);
    expect((await show(token)).body).toMatchObject({ receipt: null });
    await undo(held);
    const unknown = await show(randomBytes(16).toString('base64url'));
    const ended = await show(token);
    expect(ended.status).toBe(404);
    expect(ended.body).toEqual({ ...unknown.body, request_id: ended.body.request_id });
  });

  it('is shown by an earlier link as the movement to the receiver once the send has arrived', async () => {
    const held = await hold();
    const token = await earlierLink(held);
    await arrive();
    await sealer.sealAll();
    const { receipt } = (await show(token)).body;
    expect(movementOf(receipt)?.id).toBe(String(await benMovement()));
  });

  it('is that of the movement to the receiver, whichever side shares it, and checks like any other', async () => {
    const { movement } = await hold();
    await arrive();
    await sealer.sealAll();
    const received = await benMovement();
    expect(received).not.toBe(movement);
    for (const body of [await shownBy(movement, false), await shownBy(received, false, ben)]) {
      expect(movementOf(body.receipt)).toMatchObject({
        id: String(received),
        amountUnits: '2500000',
      });
      expect(Object.keys(texts(body.receipt))).toEqual(['movement']);
      expect(body).not.toHaveProperty('taken');
      expect(await verdicts(body.receipt)).toEqual(Array(4).fill('right'));
    }
  });

  it('shows the accounts of both sides if its owner chose so, each in the movement that it is proved by', async () => {
    const { movement } = await hold();
    await arrive();
    await sealer.sealAll();
    const { receipt, taken } = await shownBy(movement, true);
    expect(texts(receipt)).toEqual({ movement: expect.any(String), payee: ben.uuid });
    expect(texts(taken)).toEqual({ movement: expect.any(String), payer: ada.uuid });
    expect(movementOf(taken)).toMatchObject({ id: String(movement), amountUnits: '2500000' });
    expect(await verdicts(receipt)).toEqual(Array(4).fill('right'));
    expect(await verdicts(taken)).toEqual(Array(4).fill('right'));
    expect(JSON.stringify({ receipt, taken })).not.toContain('in_transit');
  });
});
