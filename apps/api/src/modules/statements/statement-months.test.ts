/** Statements of neighbouring months, across the change to summer time. */
import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { Statement } from '@athos/contract/wallet/statements';
import { expectBooksBalance } from '../../../test/expect-books-balance.ts';
import { setPostedAt } from '../../../test/raw-ledger.ts';
import { ath } from '../../../test/shop.ts';
import { createTestApp, type TestApp, type TestUser } from '../../../test/test-app.ts';

const VIENNA = 'Europe/Vienna';
/** In the future, since the ledger's time never decreases. Summer time begins on the last Sunday of March. */
const YEAR = new Date().getUTCFullYear() + 1;

let test: TestApp;
let ada: TestUser;
let ben: TestUser;
let ids: number[];
beforeAll(async () => {
  test = await createTestApp();
  [ada, ben] = [await test.createUser({ balance: ath(100) }), await test.createUser()];
  ids = [
    // In local time, 23:30 on the last day of February and 0:30 on 1 March (winter time).
    await sendAt(Date.UTC(YEAR, 2, 0, 22, 30), '1000000'),
    await sendAt(Date.UTC(YEAR, 2, 0, 23, 30), '2000000'),
    await sendAt(Date.UTC(YEAR, 2, 15), '4000000'),
    // In local time, 23:30 on the last day of March and 0:30 on 1 April (summer time).
    await sendAt(Date.UTC(YEAR, 2, 31, 21, 30), '8000000'),
    await sendAt(Date.UTC(YEAR, 2, 31, 22, 30), '16000000'),
  ];
});
afterEach(() => expectBooksBalance(test.deps.config.databaseUrl));
afterAll(() => test.close());

async function sendAt(atMs: number, amount: string): Promise<number> {
  await setPostedAt(test.admin, new Date(atMs));
  const payload = { amount, to_uuid: ben.uuid };
  const url = '/api/account/transfer';
  const key = randomUUID();
  const { status, body } = await test.request({ method: 'POST', url, payload, key, user: ada });
  expect(status).toBe(200);
  return body.id;
}

async function statementOf(month: string, zone = VIENNA): Promise<Statement> {
  const url = `/api/account/statements/${YEAR}-${month}?zone=${zone}`;
  const { status, body } = await test.request({ method: 'GET', url, user: ada });
  expect(status).toBe(200);
  return body;
}

const idsOf = ({ lines }: Statement): number[] => lines.map(({ id }) => id);
const movedIn = ({ lines }: Statement): bigint =>
  lines.reduce((sum, { change }) => sum + BigInt(change), 0n);

describe('statements of neighbouring months', () => {
  it('begin and end at midnight of the zone, in winter time and in summer time', async () => {
    const [february, march, april] = [
      await statementOf('02'),
      await statementOf('03'),
      await statementOf('04'),
    ];
    const lastOfFebruary = new Date(Date.UTC(YEAR, 2, 0, 23)).toISOString();
    expect([march.from, march.to]).toEqual([lastOfFebruary, `${YEAR}-03-31T22:00:00.000Z`]);
    expect(idsOf(february)).toEqual(ids.slice(0, 1));
    expect(idsOf(march)).toEqual(ids.slice(1, 4));
    expect(idsOf(april)).toEqual(ids.slice(4));
    expect(idsOf(await statementOf('03', 'UTC'))).toEqual(ids.slice(2));
  });

  it.each([VIENNA, 'UTC', 'Pacific/Auckland'])(
    'that both moved add up to their sum in %s',
    async (zone) => {
      const months = [];
      for (const month of ['02', '03', '04']) months.push(await statementOf(month, zone));
      const [first, second, third] = months;
      expect(second?.opening).toBe(first?.closing);
      expect(third?.opening).toBe(second?.closing);
      for (const one of months) {
        expect(BigInt(one.opening) + movedIn(one)).toBe(BigInt(one.closing));
      }
      const opening = BigInt(first?.opening ?? '');
      const moved = months.reduce((sum, one) => sum + movedIn(one), 0n);
      expect(moved).toBe(-31_000_000n);
      expect(opening + moved).toBe(BigInt(third?.closing ?? ''));
      expect(months.flatMap(idsOf)).toEqual(ids);
    },
  );
});
