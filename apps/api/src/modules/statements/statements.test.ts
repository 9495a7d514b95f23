import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { Statement } from '@athos/contract/wallet/statements';
import { readPdfTexts } from '@athos/testing/pdf';
import { expectBooksBalance } from '../../../test/expect-books-balance.ts';
import { publishTestRate } from '../../../test/card-purchase.ts';
import { createOffer } from '../../../test/build-catalog.ts';
import { ath, buy } from '../../../test/shop.ts';
import { createTestApp, issueTo, type TestApp, type TestUser } from '../../../test/test-app.ts';
import { monthOf } from './month.ts';

let test: TestApp;
let ada: TestUser;
let ben: TestUser;
let month: string;
beforeAll(async () => {
  test = await createTestApp();
  [ada, ben] = [await test.createUser({ balance: ath(100) }), await test.createUser()];
  month = monthOf(new Date(test.clock.nowMs()), 'UTC');
  await send(ada, ben, '2500000');
  await buyDrinks(ada);
  await issueTo(test.deps, ada.userId, ath(3));
  await send(ada, ben, '1000001');
  await takenBack(ada, ben, '4000000');
});
afterEach(() => expectBooksBalance(test.deps.config.databaseUrl));
afterAll(() => test.close());

async function post(user: TestUser, url: string, payload: object) {
  const key = randomUUID();
  const { status, body } = await test.request({ method: 'POST', url, payload, key, user });
  expect(status).toBe(200);
  return body;
}

const send = (user: TestUser, to: TestUser, amount: string, more: object = {}) =>
  post(user, '/api/account/transfer', { amount, to_uuid: to.uuid, ...more });

async function takenBack(user: TestUser, to: TestUser, amount: string): Promise<void> {
  const { hold } = await send(user, to, amount, { undo_seconds: 10 });
  await post(user, `/api/account/holds/${hold.id}/undo`, {});
}

async function buyDrinks(user: TestUser): Promise<void> {
  const offer = await createOffer(test, { price_ath_hundredths: 100, title: 'Soda, "cold"' });
  expect((await buy(test, user, [[offer.id, 2]])).status).toBe(200);
}

const ask = (query = '', user?: TestUser, of = month) =>
  test.request({
    method: 'GET',
    url: `/api/account/statements/${of}${query}`,
    ...(user !== undefined && { user }),
  });

async function statementOf(user: TestUser, query = '', of = month): Promise<Statement> {
  const { status, body } = await ask(query, user, of);
  expect(status).toBe(200);
  return body;
}

describe('a statement', () => {
  it('[W-141] states an opening and a closing balance that differ by exactly its lines', async () => {
    const statement = await statementOf(ada);
    const { opening, closing, lines, sums } = statement;
    expect([opening, closing]).toEqual(['0', '97499999']);
    const moved = lines.reduce((sum, { change }) => sum + BigInt(change), 0n);
    expect(BigInt(opening) + moved).toBe(BigInt(closing));
    let balance = BigInt(opening);
    for (const line of lines) {
      balance += BigInt(line.change);
      expect(line.balance_after).toBe(balance.toString());
    }
    const sumOf = (side: 'in' | 'out') => sums.reduce((sum, one) => sum + BigInt(one[side]), 0n);
    expect(BigInt(opening) + sumOf('in') - sumOf('out')).toBe(BigInt(closing));
    expect(lines.map(({ kind }) => kind)).toEqual([
      'opening',
      'send',
      'purchase',
      'opening',
      'send',
      'send',
      'send_returned',
    ]);
    expect(lines[1]).toMatchObject({ counterparty: ben.uuid, change: '-2500000', card: null });
    expect(lines[2]).toMatchObject({ title: 'Soda, "cold"', change: '-2000000' });
    expect(statement).toMatchObject({ account: ada.uuid, asset: 'ATH', is_running: true });
  });

  it('[W-142] has the same lines and sums as PDF, CSV and JSON', async () => {
    const statement = await statementOf(ada);
    const csv = await ask('?format=csv', ada);
    expect(csv.headers['content-type']).toBe('text/csv; charset=utf-8');
    expect(csv.headers['content-disposition']).toContain(`statement-${month}-ATH.csv`);
    const rows = csv.text.trim().split('\r\n').slice(1);
    expect(rows).toHaveLength(statement.lines.length + 2);
    expect(rows[0]).toContain('Opening balance');
    expect(rows.at(-1)).toContain('97.499999');
    expect(rows[3]).toContain('"Soda, ""cold"""');

    const pdf = await test.app.inject({
      method: 'GET',
      url: `/api/account/statements/${month}?format=pdf`,
      headers: { authorization: `Bearer ${ada.token}` },
    });
    expect(pdf.headers['content-type']).toBe('application/pdf');
    const text = readPdfTexts(pdf.rawPayload).join('\n');
    for (const { receipt } of statement.lines) expect(text).toContain(receipt);
    for (const amount of ['97.499999', '-2.50', '-1.000001', '100.00']) {
      expect(text).toContain(amount);
    }
    const lineCount = (text.match(/R-[0-9A-Z]+-./g) ?? []).length;
    expect(lineCount).toBe(statement.lines.length);
  });

  it('of two months adds up: one closes where the other opens', async () => {
    const other = monthOf(new Date(test.clock.nowMs() + 32 * 86_400_000), 'UTC');
    const before = monthOf(new Date(test.clock.nowMs() - 32 * 86_400_000), 'UTC');
    expect(await statementOf(ada, '', before)).toMatchObject({
      opening: '0',
      closing: '0',
      lines: [],
    });
    const now = await statementOf(ada);
    expect(await statementOf(ada, '', other)).toMatchObject({ opening: now.closing, lines: [] });
  });

  it('shows own notes', async () => {
    const { lines } = await statementOf(ada);
    const id = lines[1]?.id ?? 0;
    await test.request({
      method: 'PUT',
      url: `/api/all_history/${id}/note`,
      payload: { note: '=1+1', labels: ['Rent'] },
      user: ada,
    });
    const [, noted] = (await statementOf(ada)).lines;
    expect(noted).toMatchObject({ note: '=1+1', labels: ['Rent'] });
    expect(noted?.usd_cents).toBeNull();
    expect((await ask('?format=csv', ada)).text).toContain("'=1+1,Rent");
    expect((await statementOf(ben)).lines.every(({ note }) => note === '')).toBe(true);
  });

  it('shows what ATH were worth at that time, and no worth of the other tokens', async () => {
    await publishTestRate(test, '0.5');
    const eve = await test.createUser({ balance: ath(3) });
    await issueTo(test.deps, eve.userId, ath(3), 'ATH2');
    const worth = async (asset: string) =>
      (await statementOf(eve, `?asset=${asset}`)).lines.map(({ usd_cents: cents }) => cents);
    expect(await worth('ATH')).toEqual([150]);
    expect(await worth('ATH2')).toEqual([null]);
  });

  it('is of one token, and of the caller alone', async () => {
    expect(await statementOf(ada, '?asset=ATH2')).toMatchObject({ opening: '0', lines: [] });
    expect((await statementOf(ben)).lines.map(({ change }) => change)).toEqual([
      '2500000',
      '1000001',
    ]);
    expect((await ask()).status).toBe(401);
  });

  it.each([
    ['2026-13', ''],
    ['2026-1', ''],
    ['1999-01', ''],
    ['2026-10', '?zone=Mars%2FBase'],
    ['2026-10', '?zone=' + 'x'.repeat(65)],
    ['2026-10', '?format=xls'],
    ['2026-10', '?asset=USD'],
  ])('of %s with "%s" is refused', async (of, query) => {
    expect((await ask(query, ada, of)).status).toBe(400);
  });

  it('lists the months since the account was opened', async () => {
    const { body } = await test.request({
      method: 'GET',
      url: '/api/account/statements?zone=Asia/Tokyo',
      user: ada,
    });
    expect(body.months[0]).toBe(monthOf(new Date(test.clock.nowMs()), 'Asia/Tokyo'));
  });
});
