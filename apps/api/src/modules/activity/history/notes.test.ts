import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { openUser, PASSWORD } from '../../../../test/accounts.ts';
import { closeMeanwhile } from '../../../../test/close-meanwhile.ts';
import { expectBooksBalance } from '../../../../test/expect-books-balance.ts';
import { ath, refusalOf } from '../../../../test/shop.ts';
import { createTestApp, type TestApp, type TestUser } from '../../../../test/test-app.ts';

let test: TestApp;
let ada: TestUser;
let ben: TestUser;
let rent: number;
let lunch: number;
let gift: number;
beforeAll(async () => {
  test = await createTestApp();
  [ada, ben] = [await openUser(test, ath(100)), await test.createUser()];
  [rent, lunch, gift] = [await send(ada), await send(ada), await send(ada)];
});
afterEach(() => expectBooksBalance(test.deps.config.databaseUrl));
afterAll(() => test.close());

async function send(user: TestUser): Promise<number> {
  const payload = { amount: '1000', to_uuid: ben.uuid };
  const url = '/api/account/transfer';
  const key = randomUUID();
  const { status, body } = await test.request({ method: 'POST', url, payload, key, user });
  expect(status).toBe(200);
  return body.id;
}

const note = (id: number, payload: object, user = ada) =>
  test.request({ method: 'PUT', url: `/api/all_history/${id}/note`, payload, user });

const notes = async (user = ada) =>
  (await test.request({ method: 'GET', url: '/api/account/movement_notes', user })).body.notes;

async function found(query: string, user = ada): Promise<number[]> {
  const url = `/api/all_history?${query}`;
  const { status, body } = await test.request({ method: 'GET', url, user });
  expect(status).toBe(200);
  return body.history.map(({ data }: { data: { id: number } }) => data.id);
}

describe('notes', () => {
  it('[W-146] of a movement are private and sealed: the owner reads them, the other side and the database do not', async () => {
    const text = 'Rent for October\nthanks, Ben!';
    expect((await note(rent, { note: ` ${text} `, labels: ['Home', 'Fixed cost'] })).body).toEqual({
      note: text,
      labels: ['Home', 'Fixed cost'],
    });
    expect(await notes()).toEqual([
      { movement_id: rent, note: text, labels: ['Home', 'Fixed cost'] },
    ]);
    expect(await notes(ben)).toEqual([]);
    const [row] = await test.admin.selectFrom('movement_notes').selectAll().execute();
    expect(row?.sealed.toString('latin1')).not.toMatch(/Rent|Home/);
  });

  it('[W-005] [W-146] that are copied to another row do not open', async () => {
    await note(rent, { note: 'secret', labels: [] });
    await note(lunch, { note: 'open', labels: [] });
    const original = await test.admin.selectFrom('movement_notes').selectAll().execute();
    const secret = original.find(({ movement_id: id }) => id === BigInt(rent));
    await test.admin
      .updateTable('movement_notes')
      .set({ sealed: secret?.sealed ?? Buffer.alloc(0) })
      .where('movement_id', '=', BigInt(lunch))
      .execute();
    // The other notes are shown all the same.
    expect(await notes()).toEqual([{ movement_id: rent, note: 'secret', labels: [] }]);
    expect(await found('q=secret')).toEqual([rent]);
    await note(lunch, { note: '', labels: [] });
    await note(rent, { note: '', labels: [] });
  });

  it('are not kept for an account that is closed meanwhile', async () => {
    const eve = await openUser(test, ath(1));
    const movement = await send(eve);
    const answer = await closeMeanwhile(test, eve, () =>
      note(movement, { note: 'late', labels: [] }, eve),
    );
    expect(refusalOf(answer)).toEqual({ status: 401, code: 'session_ended' });
    const left = await test.admin
      .selectFrom('movement_notes')
      .selectAll()
      .where('user_id', '=', eve.userId)
      .execute();
    expect(left).toEqual([]);
  });

  it('are replaced as a whole, and an empty one is forgotten', async () => {
    await note(rent, { note: 'a', labels: ['b'] });
    await note(rent, { note: 'c', labels: [] });
    expect(await notes()).toEqual([{ movement_id: rent, note: 'c', labels: [] }]);
    await note(rent, { note: '  ', labels: [] });
    expect(await notes()).toEqual([]);
  });

  it('are for own movements only', async () => {
    const eve = await test.createUser();
    expect((await note(rent, { note: 'x', labels: [] }, eve)).status).toBe(404);
    expect((await note(99_999_999, { note: 'x', labels: [] })).status).toBe(404);
  });

  it.each([
    ['a note of 281 signs', { note: 'x'.repeat(281), labels: [] }],
    ['six labels', { note: '', labels: ['a', 'b', 'c', 'd', 'e', 'f'] }],
    ['a label of 25 signs', { note: '', labels: ['x'.repeat(25)] }],
    ['an empty label', { note: '', labels: [' '] }],
    ['the same label twice', { note: '', labels: ['Home', 'home'] }],
    ['signs that turn the text', { note: 'a\u202Eb', labels: [] }],
    ['a sign of control', { note: '', labels: ['a\u0000b'] }],
    ['no labels', { note: 'x' }],
  ])('are refused with %s', async (_, payload) => {
    expect((await note(rent, payload)).status).toBe(400);
    expect(await notes()).toEqual([]);
  });

  it('may have any letter', async () => {
    const said = {
      note: '誕生日 🎂 <b>"a"</b> ; drop table',
      labels: ['ça', 'подарок', '=SUM(A1)'],
    };
    expect((await note(gift, said)).body).toEqual(said);
    expect(await notes()).toEqual([{ movement_id: gift, ...said }]);
  });

  it('are kept whole when twenty are written at once', async () => {
    const said = Array.from({ length: 20 }, (_, index) => ({ note: `n${index}`, labels: [] }));
    const answers = await Promise.all(said.map((one) => note(gift, one)));
    expect(answers.every(({ status }) => status === 200)).toBe(true);
    expect(said.map((one) => ({ movement_id: gift, ...one }))).toContainEqual((await notes())[0]);
  });
});

describe('the history', () => {
  beforeAll(async () => {
    await note(rent, { note: 'October', labels: ['Home', 'Fixed'] });
    await note(lunch, { note: 'Lunch at home', labels: [] });
    await note(gift, { note: '', labels: ['Birthday'] });
  });

  it('is filtered by label and by words of notes and labels', async () => {
    expect(await found('label=home')).toEqual([rent]);
    expect(await found('q=HOME')).toEqual([lunch, rent]);
    expect(await found('q=home&label=fixed')).toEqual([rent]);
    expect(await found('q=birth&type=Send')).toEqual([gift]);
    expect(await found('q=birth&type=Receive')).toEqual([]);
    expect(await found('q=%25')).toEqual([]);
    expect(await found('label=home', ben)).toEqual([]);
    const now = new Date(test.clock.nowMs() + 1_000).toISOString();
    expect(await found(`q=home&from=${now}`)).toEqual([]);
    expect(await found(`q=home&to=${now}`)).toEqual([lunch, rent]);
  });

  it('of noted movements has pages', async () => {
    const url = '/api/all_history?q=home&limit=1';
    const first = (await test.request({ method: 'GET', url, user: ada })).body;
    const next = `${url}&cursor=${first.next_cursor}`;
    const second = (await test.request({ method: 'GET', url: next, user: ada })).body;
    expect([first, second].map(({ history }) => history[0].data.id)).toEqual([lunch, rent]);
    expect(second.next_cursor).toBeNull();
  });

  it.each(['q=', `q=${'x'.repeat(61)}`, 'label=', 'q=home&cursor=start~', 'q=home&cursor=noted~x'])(
    'is refused with %s',
    async (query) => {
      const url = `/api/all_history?${query}`;
      expect((await test.request({ method: 'GET', url, user: ada })).status).toBe(400);
    },
  );

  it('answers as ever to whoever asks without the new fields', async () => {
    const { body } = await test.request({ method: 'GET', url: '/api/all_history', user: ada });
    expect(JSON.stringify(body)).not.toMatch(/October|label/);
  });
});

it('no note is left of a deleted account', async () => {
  const payload = { password: PASSWORD };
  const url = '/api/account/delete';
  const key = randomUUID();
  expect((await test.request({ method: 'POST', url, payload, key, user: ada })).status).toBe(200);
  await test.runJobs();
  expect(await test.admin.selectFrom('movement_notes').selectAll().execute()).toEqual([]);
});
