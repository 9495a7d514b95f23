import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { passwordStrength } from '@athos/domain/password';
import { signIn } from '../../test/accounts.ts';
import { expectBooksBalance } from '../../test/expect-books-balance.ts';
import { createTestApp, type TestApp } from '../../test/test-app.ts';
import { demoSignIns } from './demo-sign-ins.ts';
import { seed } from './seed.ts';

let test: TestApp;
beforeAll(async () => {
  test = await createTestApp();
  await seed(test.deps);
});
afterAll(() => test.close());

const get = async (url: string, token?: string) =>
  (
    await test.request({
      method: 'GET',
      url,
      headers: token === undefined ? {} : { authorization: `Bearer ${token}` },
    })
  ).body;

async function stateOf(email: string, password: string) {
  const { token } = (await signIn(test, email, password)).body;
  const { balances } = await get('/api/account/balance', token);
  const { history } = await get('/api/all_history', token);
  return { balances, historyCount: history.length as number };
}

describe('the demo data', () => {
  it('signs every demo user in, with a strong password', async () => {
    for (const { email, password } of demoSignIns) {
      expect(passwordStrength(password)).toBe('Strong');
      expect((await signIn(test, email, password)).status).toBe(200);
    }
  });

  it('gives people balances in each token and movements between them', async () => {
    const [ada, ben] = demoSignIns;
    expect(await stateOf(ada?.email ?? '', ada?.password ?? '')).toEqual({
      balances: { ATH: '2443250000', ATH2: '120000000', ATH3: '40000000' },
      historyCount: 8,
    });
    expect((await stateOf(ben?.email ?? '', ben?.password ?? '')).balances.ATH).toBe('696750000');
    await expectBooksBalance(test.deps.config.databaseUrl);
  });

  it('changes nothing when it runs again, also what was changed since', async () => {
    const tiersBefore = await get('/api/tiers');
    await test.deps.db
      .updateTable('offers')
      .set({ title: 'Renamed' })
      .where('id', '=', 101)
      .execute();
    const [ada] = demoSignIns;
    const before = await stateOf(ada?.email ?? '', ada?.password ?? '');
    await seed(test.deps);
    expect(await stateOf(ada?.email ?? '', ada?.password ?? '')).toEqual(before);
    expect(await get('/api/tiers')).toEqual(tiersBefore);
    const { categories } = await get('/api/categories');
    expect(categories[0].offers[0].title).toBe('Renamed');
    await expectBooksBalance(test.deps.config.databaseUrl);
  });

  it('has six top-level categories, subcategories, every kind of offer, and a tier note that says online', async () => {
    const { categories } = await get('/api/categories');
    expect(categories).toHaveLength(7);
    const all = categories.flatMap((category: any) => [category, ...category.categories]); // oxlint-disable-line typescript/no-explicit-any -- tests read any answer's fields
    const kinds = new Set(all.flatMap((category: any) => category.offers.map((o: any) => o.kind))); // oxlint-disable-line typescript/no-explicit-any -- as above
    expect(kinds).toEqual(new Set([0, 1, 2, 3]));
    const { tiers } = await get('/api/tiers');
    expect(tiers.map((tier: { title: string }) => tier.title)).toEqual([
      'Onyx',
      'Gold',
      'Silver',
      'Bronze',
    ]);
    expect(tiers.some((tier: { note: string }) => tier.note.includes('online'))).toBe(true);
  });
});
