import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { AnswerOf } from '@athos/contract/api';
import { BUILT_IN_ROLES } from '@athos/contract/console/permissions';
import type { Offer } from '@athos/contract/wallet/catalogue';
import { offerAvailability } from '@athos/domain/offer-availability';
import { passwordStrength } from '@athos/domain/password';
import { signIn } from '../../test/accounts.ts';
import { redeem } from '../../test/build-reward.ts';
import { expectBooksBalance } from '../../test/expect-books-balance.ts';
import { askAsGuest, totpCode } from '../../test/staff-accounts.ts';
import { createTestApp, type TestApp } from '../../test/test-app.ts';
import { demoRewardCodes, demoSignIns } from './demo-users.ts';
import { demoStaff } from './demo-staff.ts';
import { seed } from './seed.ts';

type Category = AnswerOf<'category'>;

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

/** Creates the folder in which this test stores pictures. */
function folder(): string {
  const { pictureStorage } = test.deps.config;
  if (pictureStorage.kind !== 'folder') throw new Error('tests store pictures in a folder');
  return pictureStorage.dir;
}

async function catalogue(): Promise<{ tops: Category[]; all: Category[]; offers: Offer[] }> {
  const tops = (await get('/api/categories')).categories as Category[];
  const all = tops.flatMap((top): Category[] => [top, ...top.categories]);
  return { tops, all, offers: all.flatMap(({ offers }) => offers) };
}

async function stateOf(email: string, password: string) {
  const { token } = (await signIn(test, email, password)).body;
  const { balances } = await get('/api/account/balance', token);
  const { history } = await get('/api/all_history', token);
  return { balances, historyCount: history.length as number };
}

describe('the demo data', () => {
  it('has a member of staff for each role, who signs in with password and the code of the mailbox', async () => {
    expect(demoStaff.map(({ role }) => role)).toEqual(BUILT_IN_ROLES);
    for (const { email, password, totpSecret, role } of demoStaff) {
      const code = totpCode(test, totpSecret);
      const answer = await askAsGuest(test, 'signIn', { email, password, code });
      expect(answer.body).toEqual({ is_enrolled: true });
      const { staffId } = await test.deps.db
        .selectFrom('staff')
        .innerJoin('staff_roles', 'staff_roles.staff_id', 'staff.id')
        .select('staff.id as staffId')
        .where('email', '=', email)
        .where('is_demo', '=', true)
        .where('role_id', '=', role)
        .executeTakeFirstOrThrow();
      expect(staffId).toBeDefined();
    }
  });

  it('has users who can all sign in, each with a strong password', async () => {
    for (const { email, password } of demoSignIns) {
      expect(passwordStrength(password)).toBe('Strong');
      expect((await signIn(test, email, password)).status).toBe(200);
    }
  });

  it('gives users balances in each token and sends between them', async () => {
    const [ada, ben] = demoSignIns;
    expect(await stateOf(ada?.email ?? '', ada?.password ?? '')).toEqual({
      balances: { ATH: '2443250000', ATH2: '120000000', ATH3: '40000000' },
      historyCount: 8,
    });
    expect((await stateOf(ben?.email ?? '', ben?.password ?? '')).balances.ATH).toBe('696750000');
    await expectBooksBalance(test.deps.config.databaseUrl);
  });

  it('changes nothing when seeded again, and keeps what users have changed', async () => {
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

  it('has seven top-level categories on two levels and 53 offers of every kind and display type', async () => {
    const { tops, all, offers } = await catalogue();
    expect(tops).toHaveLength(7);
    expect(all).toHaveLength(14);
    expect(offers).toHaveLength(53);
    const valuesOf = (rows: { [key: string]: unknown }[], key: string) =>
      new Set(rows.map((row) => row[key]));
    expect(valuesOf(offers, 'kind')).toEqual(new Set([0, 1, 2, 3]));
    expect(valuesOf(offers, 'display_type')).toEqual(new Set(['standard', 'wide', 'banner']));
    expect(valuesOf(all, 'display_type')).toEqual(new Set(['row', 'grid', 'featured', 'list']));
  });

  it('has an offer in every state that an offer can be in', async () => {
    const { offers } = await catalogue();
    const nowMs = test.clock.nowMs();
    const states = offers.map((offer) =>
      offerAvailability(
        {
          isActive: offer.active,
          stockLeft: offer.stock_left,
          saleStartsAtMs: offer.sale_starts_at === null ? null : Date.parse(offer.sale_starts_at),
          saleEndsAtMs: offer.sale_ends_at === null ? null : Date.parse(offer.sale_ends_at),
        },
        nowMs,
      ),
    );
    expect(new Set(states)).toEqual(
      new Set(['on_sale', 'inactive', 'not_yet', 'over', 'sold_out']),
    );
    for (const key of ['stock_left', 'user_count_max', 'tier_id_min'] as const) {
      expect(offers.some((offer) => (offer[key] ?? 0) > 0)).toBe(true);
    }
  });

  it('has a separate picture for each category and offer, in every width', async () => {
    const { all, offers } = await catalogue();
    const pictures = [...all, ...offers].map(({ picture }) => picture);
    expect(new Set(pictures.map((picture) => picture?.id)).size).toBe(67);
    for (const picture of pictures) {
      expect(picture).toMatchObject({ width: 1280, height: 800, widths: [320, 640, 1280] });
    }
    const id = pictures[0]?.id;
    for (const width of [320, 640, 1280]) {
      const { status } = await test.request({ method: 'GET', url: `/media/${id}/${width}.webp` });
      expect(status).toBe(200);
    }
  });

  it('has venues, staff at two of them, an offer that only one venue redeems, and tips with a beneficiary', async () => {
    const { db } = test.deps;
    expect(await db.selectFrom('venues').select('id').execute()).toHaveLength(3);
    expect(await db.selectFrom('venue_staff').select('venue_id').execute()).toHaveLength(2);
    expect(await db.selectFrom('offer_venues').select('offer_id').execute()).toHaveLength(5);
    const tips = await db
      .selectFrom('offers')
      .innerJoin('users', 'users.id', 'offers.beneficiary_user_id')
      .select('users.email')
      .execute();
    expect(tips.map(({ email }) => email)).toEqual([demoSignIns[1]?.email, demoSignIns[1]?.email]);
  });

  it('opens a reward campaign with its codes, once', async () => {
    await seed(test.deps);
    const user = await test.createUser();
    for (const code of demoRewardCodes) expect((await redeem(test, user, code)).status).toBe(200);
    const campaigns = await test.deps.db.selectFrom('reward_campaigns').select('id').execute();
    expect(campaigns).toHaveLength(1);
    await expectBooksBalance(test.deps.config.databaseUrl);
  });

  it('restores pictures that the storage has lost', async () => {
    const { all } = await catalogue();
    const name = `${all[0]?.picture?.id}/640.webp`;
    await rm(join(folder(), name));
    expect(await test.deps.pictureStorage.has(name)).toBe(false);
    await seed(test.deps);
    expect(await test.deps.pictureStorage.has(name)).toBe(true);
  });

  it('gives pictures to an older demo, whose drawings no longer exist', async () => {
    const { db } = test.deps;
    const drawing = { picture_id: null, img: '/art/tasting-box.svg' };
    await db.updateTable('offers').set(drawing).where('id', '=', 101).execute();
    await db
      .updateTable('offers')
      .set({ picture_id: null, img: 'https://pictures.example/own.png' })
      .where('id', '=', 102)
      .execute();
    await seed(test.deps);
    const { offers } = await get('/api/offers?ids=101,102');
    expect(offers[0].picture).not.toBeNull();
    expect(offers[0].img).toBe(`/media/${offers[0].picture.id}/640.webp`);
    expect(offers[1]).toMatchObject({ picture: null, img: 'https://pictures.example/own.png' });
  });

  it('has four tiers, the highest first, and a tier note that says online', async () => {
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
