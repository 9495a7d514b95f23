import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { closeMeanwhile } from '../../../test/close-meanwhile.ts';
import { openUser, PASSWORD } from '../../../test/accounts.ts';
import { twenty } from '../../../test/shop.ts';
import {
  createTestApp,
  type TestAnswer,
  type TestApp,
  type TestUser,
} from '../../../test/test-app.ts';

const DAY_MS = 24 * 60 * 60_000;
const NOBODY = { exists: false, uuid: null };

let test: TestApp;
beforeAll(async () => {
  test = await createTestApp();
});
afterAll(() => test.close());

const call = (
  method: 'GET' | 'POST',
  path: string,
  user: TestUser,
  payload?: object,
): Promise<TestAnswer> =>
  test.request({
    method,
    url: `/api/account/${path}`,
    user,
    ...(payload !== undefined && { payload }),
  });
const setName = (user: TestUser, name: unknown, shows = true) =>
  call('POST', 'display_name', user, { display_name: name, shows_name: shows });
const setHandle = (user: TestUser, handle: unknown, isFindable = true) =>
  call('POST', 'handle', user, { handle, is_findable: isFindable });
const lookUp = async (user: TestUser, text: string) =>
  (await call('POST', 'recipient', user, { text })).body;
const outcomeOf = ({ status, body }: TestAnswer) => [status, body.code];

let count = 0;
/** A handle that no other test uses, and that looks like no other. */
const newHandle = (): string =>
  `user_${String((count += 1))
    .replaceAll('0', 'x')
    .replaceAll('1', 'y')}`;

const close = (user: TestUser) => call('POST', 'delete', user, { password: PASSWORD });

describe('a display name', () => {
  it('[W-077] is told to those who look the account up only where its owner allows it', async () => {
    const [ada, ben] = [await test.createUser(), await test.createUser()];
    expect(await lookUp(ben, ada.uuid)).toEqual({
      exists: true,
      uuid: ada.uuid,
      is_first_time: true,
    });
    await setName(ada, ' Ada  Lovelace ', false);
    expect(await lookUp(ben, ada.uuid)).toEqual({
      exists: true,
      uuid: ada.uuid,
      is_first_time: true,
    });
    const { body } = await setName(ada, 'Ada Lovelace');
    expect(body).toMatchObject({ display_name: 'Ada Lovelace', shows_name: true, handle: null });
    expect(await lookUp(ben, ada.uuid)).toMatchObject({ name: 'Ada Lovelace' });
    await setName(ada, null);
    expect(await lookUp(ben, ada.uuid)).toEqual({
      exists: true,
      uuid: ada.uuid,
      is_first_time: true,
    });
  });

  it.each([
    'A',
    'x'.repeat(41),
    'x'.repeat(201),
    'Ada\u202E',
    'Athos Team',
    'Suррοrt',
    'Meridian Pay',
    7,
  ])('[W-078] %j is refused, and the one before stays', async (name) => {
    const ada = await test.createUser();
    await setName(ada, 'Ada');
    expect(outcomeOf(await setName(ada, name))).toEqual([400, 'invalid_request']);
    expect((await call('GET', 'public_profile', ada)).body.display_name).toBe('Ada');
  });
});

describe('a handle', () => {
  it('finds its owner, with and without the name', async () => {
    const [ada, ben] = [await test.createUser(), await test.createUser()];
    const handle = newHandle();
    expect((await setHandle(ada, `@${handle.toUpperCase()}`)).body).toMatchObject({
      handle,
      is_findable: true,
    });
    expect(await lookUp(ben, `@${handle}`)).toEqual({
      exists: true,
      uuid: ada.uuid,
      is_first_time: true,
    });
    expect(await lookUp(ben, handle)).toEqual(NOBODY);
  });

  it('[W-079] is refused if it looks like one that somebody has, and given to one of twenty at once', async () => {
    const [ada, ben] = [await test.createUser(), await test.createUser()];
    expect((await setHandle(ada, 'corner_b0y')).status).toBe(200);
    for (const handle of ['corner_b0y', 'cornerboy', 'comerboy', 'c_o_rnerb0_y']) {
      expect(outcomeOf(await setHandle(ben, handle))).toEqual([409, 'handle_taken']);
    }
    const users = await Promise.all(Array.from({ length: 20 }, () => test.createUser()));
    const spellings = ['vvill_i', 'will1', 'w_ill_l'];
    const answers = await twenty((index) => setHandle(users[index] ?? ada, spellings[index % 3]));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(new Set(answers.map(outcomeOf).map(String))).toEqual(
      new Set(['200,', '409,handle_taken']),
    );
  });

  it.each(['ad', 'suppоrt', 'the_support', 'athos', '1ada', 'a'.repeat(21), 'ada b', ''])(
    '%j is refused',
    async (handle) => {
      expect(outcomeOf(await setHandle(await test.createUser(), handle))).toEqual([
        400,
        'invalid_request',
      ]);
    },
  );

  it('[W-080] is answered alike if nobody has it and if its owner is hidden, closed or has another', async () => {
    const [ada, hidden, other, gone] = [
      await test.createUser(),
      await test.createUser(),
      await test.createUser(),
      await openUser(test),
    ];
    const handles = [newHandle(), newHandle(), newHandle()] as const;
    await setHandle(hidden, handles[0]);
    await setHandle(hidden, handles[0], false);
    await setHandle(other, handles[1]);
    await setHandle(other, null);
    await setHandle(gone, handles[2]);
    expect((await close(gone)).status).toBe(200);
    for (const text of [...handles, newHandle()]) {
      const { status, body } = await call('POST', 'recipient', ada, { text: `@${text}` });
      expect({ status, body }).toEqual({ status: 200, body: NOBODY });
    }
    // A user who cannot be found by handle can still be paid by address.
    expect((await lookUp(ada, hidden.uuid)).exists).toBe(true);
  });

  it('is changed once in 30 days, and the old one is blocked for a year and leads nowhere', async () => {
    const [ada, ben] = [await openUser(test), await openUser(test)];
    const [first, second, third] = [newHandle(), newHandle(), newHandle()];
    const again = async (user: TestUser): Promise<TestUser> => {
      const { body } = await test.request({
        method: 'POST',
        url: '/api/account/login',
        payload: { email: user.email, password: PASSWORD, tenant_id: 1, mode: 'production' },
      });
      return { ...user, token: body.token };
    };
    expect((await setHandle(ada, first)).body.handle_changes_at).not.toBeNull();
    expect(outcomeOf(await setHandle(ada, second))).toEqual([409, 'handle_changed_lately']);
    await setHandle(ada, null);
    expect(outcomeOf(await setHandle(ada, second))).toEqual([409, 'handle_changed_lately']);
    test.clock.advance(30 * DAY_MS);
    const later = await again(ada);
    expect((await setHandle(later, second)).body.handle).toBe(second);
    expect(outcomeOf(await setHandle(await again(ben), first))).toEqual([409, 'handle_taken']);
    expect(await lookUp(later, `@${first}`)).toEqual(NOBODY);
    test.clock.advance(336 * DAY_MS);
    expect((await setHandle(await again(ben), first)).body.handle).toBe(first);
    expect((await setHandle(await again(ada), third)).status).toBe(200);
  });

  it('may be spelt in another way that looks the same', async () => {
    const ada = await openUser(test);
    await setHandle(ada, 'mo_lly');
    test.clock.advance(31 * DAY_MS);
    const { body } = await test.request({
      method: 'POST',
      url: '/api/account/login',
      payload: { email: ada.email, password: PASSWORD, tenant_id: 1, mode: 'production' },
    });
    expect((await setHandle({ ...ada, token: body.token }, 'molly')).body.handle).toBe('molly');
  });

  it('is erased with the account, which leaves it blocked without saying whose it was', async () => {
    const ada = await openUser(test);
    const handle = newHandle();
    await setHandle(ada, handle);
    await setName(ada, 'Ada');
    await call('POST', 'pay_codes', ada, { label: 'Rent' });
    expect((await close(ada)).status).toBe(200);
    await test.runJobs();
    const rows = await test.admin
      .selectFrom('handles')
      .selectAll()
      .where('skeleton', '=', handle.replace('_', ''))
      .execute();
    expect(rows).toMatchObject([{ user_id: null, handle: null }]);
    for (const table of ['profiles', 'pay_codes'] as const) {
      const found = await test.admin
        .selectFrom(table)
        .select('user_id')
        .where('user_id', '=', ada.userId)
        .execute();
      expect(found).toEqual([]);
    }
    const ben = await test.createUser();
    expect(outcomeOf(await setHandle(ben, handle))).toEqual([409, 'handle_taken']);
  });
});

describe('looking up', () => {
  it(
    '[W-081] is refused from the 301st on in a day, whatever is looked for and whoever has it',
    { tags: 'long' },
    async () => {
      const [ada, ben] = [await test.createUser(), await test.createUser()];
      const handle = newHandle();
      await setHandle(ben, handle);
      for (let minute = 0; minute < 10; minute += 1) {
        const texts = Array.from({ length: 30 }, (_, index) =>
          index % 2 === 0 ? `@${handle}` : `@${handle}x${index}`,
        );
        const answers = await Promise.all(
          texts.map((text) => call('POST', 'recipient', ada, { text })),
        );
        expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
        test.clock.advance(60_000);
      }
      const refused = await call('POST', 'recipient', ada, { text: `@${handle}` });
      expect(outcomeOf(refused)).toEqual([429, 'too_many_requests']);
      expect((await lookUp(ben, ada.uuid)).exists).toBe(true);
    },
  );
});

describe('a pay link', () => {
  const make = async (user: TestUser, payload: object = { label: 'Rent' }) =>
    (await call('POST', 'pay_codes', user, payload)).body;
  const codeIn = ({ link }: { link: string }): string =>
    new URL(link).searchParams.get('code') ?? '';

  it('[W-082] leads to its owner and to what they ask for', async () => {
    const [ada, ben] = [await test.createUser(), await test.createUser()];
    await setName(ada, 'Ada');
    const made = await make(ada, { label: 'Concert', amount: '2500000', note: 'Two seats' });
    expect(new URL(made.link).pathname).toBe('/app/pay');
    expect(await lookUp(ben, codeIn(made))).toEqual({
      exists: true,
      uuid: ada.uuid,
      name: 'Ada',
      initial: 'A',
      is_first_time: true,
      pay: { amount: '2500000', asset: 'ATH', note: 'Two seats' },
    });
    const open = await make(ada);
    expect((await lookUp(ben, codeIn(open))).pay).toEqual({ amount: null, asset: 'ATH', note: '' });
  });

  it('[W-083] leads nowhere once its owner has ended it, and nobody else can', async () => {
    const [ada, ben] = [await test.createUser(), await test.createUser()];
    const made = await make(ada);
    const end = (user: TestUser) => call('POST', `pay_codes/${made.id}/end`, user);
    expect(outcomeOf(await end(ben))).toEqual([404, 'not_found']);
    expect((await lookUp(ben, codeIn(made))).exists).toBe(true);
    expect((await end(ada)).status).toBe(200);
    expect(await lookUp(ben, codeIn(made))).toEqual(NOBODY);
    expect(outcomeOf(await end(ada))).toEqual([404, 'not_found']);
  });

  it('of a closed account leads nowhere', async () => {
    const [gone, ben] = [await openUser(test), await test.createUser()];
    const made = await make(gone);
    await close(gone);
    expect(await lookUp(ben, codeIn(made))).toEqual(NOBODY);
  });

  it('leads nowhere if its details were copied from another, which still leads to its owner', async () => {
    const [ada, ben] = [await test.createUser(), await test.createUser()];
    const [good, bad] = [await make(ada, { label: 'Good' }), await make(ada, { label: 'Bad' })];
    const codes = test.admin.selectFrom('pay_codes').select('details').where('id', '=', good.id);
    await test.admin
      .updateTable('pay_codes')
      .set({ details: codes })
      .where('id', '=', bad.id)
      .execute();
    expect((await call('GET', 'pay_codes', ada)).body.pay_codes).toEqual([good]);
    expect(await lookUp(ben, codeIn(bad))).toEqual(NOBODY);
    expect((await lookUp(ben, codeIn(good))).exists).toBe(true);
  });

  it('is kept as a hash, and sealed for its owner, who sees it again', async () => {
    const ada = await test.createUser();
    const made = await make(ada, { label: 'Fussball', note: 'Danke' });
    const { body } = await call('GET', 'pay_codes', ada);
    expect(body.pay_codes).toEqual([made]);
    const [row] = await test.admin
      .selectFrom('pay_codes')
      .selectAll()
      .where('user_id', '=', ada.userId)
      .execute();
    for (const text of [codeIn(made), 'Fussball', 'Danke']) {
      expect(row?.details.includes(text)).toBe(false);
    }
  });

  it('is one of 20 at most, twenty-five at once included', async () => {
    const ada = await test.createUser();
    const answers = await Promise.all(
      Array.from({ length: 25 }, () => call('POST', 'pay_codes', ada, { label: 'Many' })),
    );
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(20);
    expect(answers.find(({ status }) => status !== 200)?.body.code).toBe('too_many_pay_codes');
  });

  it.each([
    {},
    { label: '' },
    { label: 'x'.repeat(41) },
    { label: 'Rent', note: 'x'.repeat(101) },
    { label: 'Rent', note: 'two\nlines' },
    { label: 'Rent', note: 'turn\u202Eed' },
    { label: 'Rent', amount: '0' },
    { label: 'Rent', amount: '-1' },
    { label: 'Rent', asset: 'USD' },
  ])('is not made of %j', async (payload) => {
    expect((await call('POST', 'pay_codes', await test.createUser(), payload)).status).toBe(400);
  });

  it.each([randomUUID().slice(0, 22), 'A'.repeat(22), '../../etc/passwd-12345', '%'.repeat(22)])(
    'is not guessed by %s',
    async (text) => {
      expect(await lookUp(await test.createUser(), text)).toEqual(NOBODY);
    },
  );
});

describe('a request of an account that is closed meanwhile', () => {
  it.each([
    ['display_name', { display_name: 'Ada', shows_name: true }, 'profiles'],
    ['handle', { handle: 'late_ada', is_findable: true }, 'handles'],
    ['handle', { handle: null, is_findable: false }, 'profiles'],
    ['pay_codes', { label: 'Rent' }, 'pay_codes'],
  ] as const)('to %s with %j leaves nothing', async (path, payload, table) => {
    const ada = await test.createUser();
    const answer = await closeMeanwhile(test, ada, () => call('POST', path, ada, payload));
    expect(outcomeOf(answer)).toEqual([401, 'session_ended']);
    const left = await test.admin
      .selectFrom(table)
      .select('user_id')
      .where('user_id', '=', ada.userId)
      .execute();
    expect(left).toEqual([]);
  });
});
