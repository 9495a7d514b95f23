import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { VIEWS_MAX } from '@athos/contract/console/views';
import { consoleAs, type ConsoleCaller } from '../../../../test/console.ts';
import { createTestApp, type TestApp } from '../../../../test/test-app.ts';

const LIST = '/customers';
let test: TestApp;
let support: ConsoleCaller;
let other: ConsoleCaller;
beforeAll(async () => {
  test = await createTestApp();
  support = await consoleAs(test, ['support']);
  other = await consoleAs(test, ['support']);
});
afterAll(() => test.close());

const save = (caller: ConsoleCaller, name: string, search = 'state=open', list = LIST) => {
  // Calls are limited per second.
  test.clock.advance(1_000);
  return caller.call('saveView', { body: { list, name, search } });
};
const viewsOf = async (caller: ConsoleCaller, list = LIST) =>
  (await caller.call('savedViews', { query: { list } })).body.items;

describe('a saved view', () => {
  it('[O-065] holds filters, sort and columns of one list, for the person who saved it', async () => {
    const search = 'state=open&from=2026-11-01&sort=oldest&columns=email%2Cbalance';
    const saved = await save(support, ' New here ', search);
    expect(saved.status).toBe(200);
    expect(saved.body).toEqual({ id: expect.any(String), name: 'New here', search });
    expect(await viewsOf(support)).toEqual([saved.body]);
    expect(await viewsOf(support, '/audit')).toEqual([]);
    expect(await viewsOf(other)).toEqual([]);
  });

  it('is replaced under its name, and removed by nobody else', async () => {
    const { body: first } = await save(support, 'Closed', 'state=closed');
    const { body: second } = await save(support, 'Closed', 'state=closed&sort=oldest');
    expect(second).toEqual({ ...first, search: 'state=closed&sort=oldest' });
    const params = { id: first.id };
    expect((await other.call('removeView', { params })).status).toBe(404);
    expect((await support.call('removeView', { params })).status).toBe(200);
    expect((await support.call('removeView', { params })).status).toBe(404);
    expect(await viewsOf(support)).toHaveLength(1);
  });

  it('holds no search for a customer, no foreign address and no long text', async () => {
    for (const search of [
      'q=ada@example.com',
      'state=open&q=ada',
      'a'.repeat(2_001),
      'a b',
      '\0',
    ]) {
      expect((await save(support, 'Wrong', search)).status, search.slice(0, 20)).toBe(400);
    }
    for (const list of ['https://evil.example/', '//evil.example', 'customers', '/../me']) {
      expect((await save(support, 'Wrong', '', list)).status, list).toBe(400);
    }
    expect((await save(support, ' ', '')).status).toBe(400);
    expect((await save(support, 'a\0b', '')).status).toBe(400);
  });

  it('is one of fifty at most, also if twenty are saved at once', async () => {
    const { db } = test.deps;
    const { staffId } = other;
    await db
      .insertInto('saved_views')
      .values(
        Array.from({ length: VIEWS_MAX - 3 }, (_, index) => ({
          staff_id: staffId,
          list: '/audit',
          name: `View ${index}`,
          search: '',
        })),
      )
      .execute();
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => save(other, randomUUID(), '', '/staff')),
    );
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(3);
    expect(answers.find(({ status }) => status === 400)?.body.detail).toContain('Remove one');
    expect((await save(other, 'View 0', 'outcome=refused', '/audit')).status).toBe(200);
    expect(await viewsOf(other, '/staff')).toHaveLength(3);
  });
});
