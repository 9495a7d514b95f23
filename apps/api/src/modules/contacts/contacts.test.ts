import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { openUser, PASSWORD, signIn } from '../../../test/accounts.ts';
import { createTestApp, type TestApp, type TestUser } from '../../../test/test-app.ts';
import { createContactTasks } from './contacts.tasks.ts';

const URL = '/api/account/contacts';
const DAY_MS = 24 * 60 * 60_000;
const BEN = '0192bbbb-0000-7000-8000-000000000002';
const CY = '0192cccc-0000-7000-8000-000000000003';

let test: TestApp;
let ada: TestUser;
beforeAll(async () => {
  test = await createTestApp({ env: { CONTACT_CHANGES_PER_MINUTE: '25' } });
});
beforeEach(async () => {
  ada = await openUser(test);
});
afterAll(() => test.close());

const live = (alias: string, address = BEN, { id = randomUUID() as string, version = 1 } = {}) => ({
  id,
  version,
  state: 'live' as const,
  alias,
  address,
});
const deleted = (id: string, version: number) => ({ id, version, state: 'deleted' as const });

const put = (contacts: readonly object[], user = ada) =>
  test.request({ method: 'PUT', url: URL, payload: { contacts }, user });

async function kept(user = ada): Promise<unknown[]> {
  const { status, body } = await test.request({ method: 'GET', url: URL, user });
  expect(status).toBe(200);
  return body.contacts;
}

async function putAll(contacts: readonly object[]): Promise<void> {
  for (let from = 0; from < contacts.length; from += 100) {
    const { status } = await put(contacts.slice(from, from + 100));
    expect(status).toBe(200);
  }
}

const many = (count: number) => Array.from({ length: count }, (_, index) => live(`n${index}`));

const rows = () => test.admin.selectFrom('contacts').selectAll().where('user_id', '=', ada.userId);

describe('contacts', () => {
  it('[W-084] saved on one device are told to another device of the same account', async () => {
    const ben = live('Ben');
    const before = test.clock.nowMs();
    const { status, body } = await put([ben]);
    expect([status, body.contacts]).toEqual([200, [ben]]);
    expect(Date.parse(body.server_time)).toBeGreaterThanOrEqual(before);
    const other = (await signIn(test, ada.email)).body;
    const { body: told } = await test.request({
      method: 'GET',
      url: URL,
      headers: { authorization: `Bearer ${other.token}` },
    });
    expect(told.contacts).toEqual([ben]);
  });

  it('[W-085] are sealed: no row shows a name or an address', async () => {
    await put([live('Benjamin'), live('Benjamin')]);
    const stored = await rows().execute();
    expect(stored).toHaveLength(2);
    const texts = stored.map(({ sealed }) => sealed?.toString('latin1') ?? '');
    expect(texts.join()).not.toMatch(/Benjamin|0192bbbb/);
    // The same name is sealed differently each time, so that nobody can tell who has the same contact.
    expect(texts[0]).not.toBe(texts[1]);
    const { sealed: _, ...plain } = stored[0] ?? {};
    expect(JSON.stringify(plain, (_key, value) => String(value))).not.toMatch(/Benjamin|0192bbbb/);
  });

  it('[W-085] keep nothing of a deleted one but that it was deleted', async () => {
    const ben = live('Ben');
    await put([ben]);
    expect((await put([deleted(ben.id, 2)])).body.contacts).toEqual([deleted(ben.id, 2)]);
    expect((await rows().executeTakeFirst())?.sealed).toBeNull();
    expect(await kept()).toEqual([deleted(ben.id, 2)]);
  });

  it('[W-005] [W-085] that were swapped in the database do not open, and the others do', async () => {
    const [ben, cy, dee] = [live('Ben'), live('Cy', CY), live('Dee', CY)];
    await put([ben, cy, dee]);
    const stored = await rows().execute();
    const sealedOf = (id: string): Buffer =>
      stored.find((row) => row.id === id)?.sealed ?? Buffer.alloc(0);
    for (const [id, from] of [
      [ben.id, cy.id],
      [cy.id, ben.id],
    ] as const) {
      await test.admin
        .updateTable('contacts')
        .set({ sealed: sealedOf(from) })
        .where('id', '=', id)
        .execute();
    }
    const list = await kept();
    expect(list).toHaveLength(3);
    expect(list).toContainEqual(dee);
    expect(list).toContainEqual({ id: ben.id, version: 1, state: 'unreadable' });
    expect(JSON.stringify(list)).not.toMatch(/Ben|Cy/);
    // The device that still has the contact writes it again.
    const again = { ...ben, version: 2 };
    expect((await put([again])).body.contacts).toEqual([again]);
    expect((await put([deleted(cy.id, 2)])).body.contacts).toEqual([deleted(cy.id, 2)]);
    expect(await kept()).not.toContainEqual(expect.objectContaining({ state: 'unreadable' }));
  });

  it('[W-085] of another account do not open, even in a row of the same id', async () => {
    const eve = await openUser(test);
    const ben = live('Ben');
    await put([ben]);
    const { sealed } = await rows().executeTakeFirstOrThrow();
    await put([{ ...ben, alias: 'Mine' }], eve);
    await test.admin
      .updateTable('contacts')
      .set({ sealed })
      .where('user_id', '=', eve.userId)
      .execute();
    expect(await kept(eve)).toEqual([{ id: ben.id, version: 1, state: 'unreadable' }]);
  });

  it('of another account are neither told nor changed', async () => {
    const eve = await openUser(test);
    const ben = live('Ben');
    await put([ben]);
    expect(await kept(eve)).toEqual([]);
    expect((await put([deleted(ben.id, 9)], eve)).body.contacts).toEqual([deleted(ben.id, 9)]);
    await put([{ ...ben, alias: 'Eve', version: 10 }], eve);
    expect(await kept()).toEqual([ben]);
  });

  it('may have any letter', async () => {
    const names = ['誕生日 🎂', '<b>"a"</b> ; drop table', '👩‍👩‍👧', "O'Neil\\", 'x'.repeat(60)];
    const contacts = names.map((alias) => live(alias, BEN.toUpperCase()));
    await put(contacts);
    const told = contacts.map((contact) => ({ ...contact, address: BEN }));
    expect(await kept()).toEqual(expect.arrayContaining(told));
  });

  it.each([
    ['a name of 61 signs', [live('x'.repeat(61))]],
    ['a huge name', [live('x'.repeat(60_000))]],
    ['an empty name', [live('')]],
    ['a name of spaces', [live('   ')]],
    ['a sign of control', [live('a\u0000b')]],
    ['a line break', [live('a\nb')]],
    ['signs that turn the text', [live('a\u202Eb')]],
    ['half a sign', [live('a\uD800')]],
    ['no address', [{ ...live('a'), address: undefined }]],
    ['an address that is none', [live('a', 'somebody')]],
    ['an id that is none', [live('a', BEN, { id: '1' })]],
    ['version 0', [live('a', BEN, { version: 0 })]],
    ['a version above the column', [live('a', BEN, { version: 2 ** 31 })]],
    ['another state', [{ ...live('a'), state: 'unreadable' }]],
    ['the same contact twice', Array<object>(2).fill(live('a'))],
    ['nothing', []],
    ['101 in one call', many(101)],
  ])('are refused with %s', async (_, contacts) => {
    expect((await put(contacts)).status).toBeOneOf([400, 413]);
    expect(await kept()).toEqual([]);
  });

  it('are 500 at most, and one more is refused with everything beside it', async () => {
    const all = many(500);
    await putAll(all);
    const { status, body } = await put([live('one more'), deleted(randomUUID(), 2)]);
    expect([status, body.code]).toEqual([409, 'too_many_contacts']);
    expect(await kept()).toHaveLength(500);
    // A contact that replaces a deleted one still fits.
    const [first] = all;
    expect((await put([deleted(first?.id ?? '', 2), live('in its place')])).status).toBe(200);
  });

  it('are 2,000 at most together with deleted ones, and can still be deleted then', async () => {
    const [ben] = [live('Ben')];
    await put([ben]);
    await test.admin
      .insertInto('contacts')
      .values(
        Array.from({ length: 1_999 }, () => ({
          user_id: ada.userId,
          id: randomUUID(),
          version: 2,
          sealed: null,
          changed_at: new Date(),
          deleted_at: new Date(),
        })),
      )
      .execute();
    expect((await put([live('one more')])).status).toBe(409);
    expect((await put([deleted(ben.id, 2)])).status).toBe(200);
  });

  it('are changed 25 times a minute at most, as the setting says', async () => {
    const answers = [];
    for (let count = 0; count < 26; count += 1) answers.push(await put([live('a')]));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(25);
    expect(answers.at(-1)?.body.code).toBe('too_many_requests');
    expect(await kept()).toHaveLength(25);
  });
});

describe('of two changes of a contact', () => {
  const ID = randomUUID();
  const FIRST = live('Ben', BEN, { id: ID });
  const CHANGED = live('Benny', BEN, { id: ID, version: 2 });
  const ADDED_AGAIN = live('Ben again', CY, { id: ID, version: 3 });

  /** Two devices were offline: the result must not depend on which of them syncs first. */
  it.each([
    ['a deletion and then a change of the same version', [deleted(ID, 2), CHANGED], deleted(ID, 2)],
    ['a change and then a deletion of the same version', [CHANGED, deleted(ID, 2)], deleted(ID, 2)],
    ['a deletion and then a higher version', [deleted(ID, 2), ADDED_AGAIN], ADDED_AGAIN],
    ['a higher version and then a deletion', [ADDED_AGAIN, deleted(ID, 2)], ADDED_AGAIN],
    ['a deletion and then the first version once more', [deleted(ID, 2), FIRST], deleted(ID, 2)],
    ['two of the same version', [CHANGED, { ...CHANGED, alias: 'Late' }], CHANGED],
    ['the same one twice', [CHANGED, CHANGED], CHANGED],
  ])('the higher version stays: %s', async (_, changes, remaining) => {
    await put([FIRST]);
    const answers = [];
    for (const change of changes) answers.push(await put([change]));
    expect(answers.map(({ status }) => status)).toEqual([200, 200]);
    expect(answers.at(-1)?.body.contacts).toEqual([remaining]);
    expect(await kept()).toEqual([remaining]);
  });

  it('a deletion that overtakes the contact itself keeps it out', async () => {
    await put([deleted(ID, 2)]);
    await put([FIRST]);
    expect(await kept()).toEqual([deleted(ID, 2)]);
  });

  it('twenty at once leave one of them whole', async () => {
    const changes = Array.from({ length: 20 }, (_, index) =>
      live(`n${index}`, BEN, { id: ID, version: index + 1 }),
    );
    const answers = await Promise.all(changes.map((change) => put([change])));
    expect(answers.every(({ status }) => status === 200)).toBe(true);
    expect(await kept()).toEqual([changes.at(-1)]);
  });

  it('twenty that add to 490 add no more than 500', async () => {
    await putAll(many(490));
    test.clock.advance(61_000);
    const answers = await Promise.all(many(20).map((contact) => put([contact])));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(10);
    expect(await kept()).toHaveLength(500);
  });
});

describe('a deleted contact', () => {
  it('is told for 180 days, and forgotten then', async () => {
    const [ben, cy] = [live('Ben'), live('Cy', CY)];
    await put([ben, cy]);
    await put([deleted(ben.id, 2)]);
    await test.admin
      .updateTable('contacts')
      .set({ deleted_at: new Date(test.clock.nowMs() - 180 * DAY_MS + 60_000) })
      .where('id', '=', ben.id)
      .execute();
    const prune = () => createContactTasks(test.deps).upkeep?.['contacts_prune']?.({}, {} as never);
    await prune();
    expect(await kept()).toContainEqual(deleted(ben.id, 2));
    test.clock.advance(120_000);
    await prune();
    expect(await kept()).toEqual([cy]);
  });
});

describe('a deleted account', () => {
  it('leaves no contact', async () => {
    await put([live('Ben'), live('Cy', CY)]);
    await put([deleted(randomUUID(), 2)]);
    const payload = { password: PASSWORD };
    const url = '/api/account/delete';
    const key = randomUUID();
    expect((await test.request({ method: 'POST', url, payload, key, user: ada })).status).toBe(200);
    await test.runJobs();
    expect(await rows().execute()).toEqual([]);
    expect((await put([live('late')])).status).toBe(401);
    expect(await rows().execute()).toEqual([]);
  });
});
