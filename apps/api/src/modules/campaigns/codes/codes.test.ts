/** Looking up a code, and lock-outs after too many wrong codes. */
import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createCampaign, drawCode, redeem } from '../../../../test/build-reward.ts';
import { consoleAs, type ConsoleCaller } from '../../../../test/console.ts';
import { expectBooksBalance } from '../../../../test/expect-books-balance.ts';
import { refusalOf } from '../../../../test/shop.ts';
import { createTestApp, type TestApp, type TestUser } from '../../../../test/test-app.ts';

const HOUR_MS = 3_600_000;
const REASON = 'Asked for at the bar';

let test: TestApp;
let support: ConsoleCaller;
beforeAll(async () => {
  test = await createTestApp({ env: { REWARD_GUESSES_PER_ADDRESS_AND_HOUR: '12' } });
});
beforeEach(async () => {
  support = await consoleAs(test, ['support']);
});
afterEach(() => expectBooksBalance(test.deps.config.databaseUrl));
afterAll(() => test.close());

const lookUp = (code: string, by = support) => by.call('lookUpCode', { body: { code } });

describe('a look-up', () => {
  it('[O-094] tells of a typed code its campaign, batch, state and claims', async () => {
    const brand = await consoleAs(test, ['brand_manager'], { organisation: 'brand' });
    const [code = ''] = await createCampaign(test, { codeClaimCountMax: 2 });
    const [campaign] = (await brand.call('campaigns')).body.items;
    const { body: fresh } = await lookUp(`https://wallet.example/app/redeem?code=${code}`);
    expect(fresh).toMatchObject({
      is_code: true,
      found: { state: 'open', claims: [], batch: null },
    });
    const [ada, ben] = [await test.createUser(), await test.createUser()];
    await redeem(test, ada, code);
    await redeem(test, ben, code);
    const { found } = (await lookUp(code.toLowerCase().replaceAll('-', ' '))).body;
    expect(found).toMatchObject({
      state: 'used_up',
      campaign: { id: campaign.id, title: 'Summer', state: 'running' },
      uses: 2,
      claim_count: 2,
      claims: [
        { customer_uuid: ben.uuid, claimed_at: expect.any(String), amount: '25000000' },
        { customer_uuid: ada.uuid },
      ],
    });
    const { body } = await brand.call('makeBatch', {
      params: { id: campaign.id },
      body: { label: 'Bottles', code_count: 1, reason: REASON },
    });
    await test.deps.db
      .updateTable('reward_codes')
      .set({ batch_id: body.batch_id })
      .where('campaign_id', '=', campaign.id)
      .execute();
    expect((await lookUp(code)).body.found.batch).toMatchObject({ label: 'Bottles' });
    await brand.call('voidBatch', { params: { id: body.batch_id }, body: { reason: REASON } });
    expect((await lookUp(code)).body.found.state).toBe('void');
  });

  it('tells an unknown code from what is none, and is audited without the code', async () => {
    const code = drawCode();
    expect((await lookUp(code)).body).toEqual({ is_code: true, found: null });
    expect((await lookUp('nonsense')).body).toEqual({ is_code: false, found: null });
    const { rows } = await sql<{ text: string }>`
      select (select string_agg(e::text, '') from audit_entries e)
          || (select string_agg(d::text, '') from audit_details d) as text`.execute(test.deps.db);
    expect(rows[0]?.text).toContain('code.look_up');
    expect(rows[0]?.text).not.toContain(code);
  });

  it('is limited to 30 an hour for each person', async () => {
    for (let count = 0; count < 30; count += 1) {
      test.clock.advance(100);
      expect((await lookUp(drawCode())).status).toBe(200);
    }
    expect(refusalOf(await lookUp(drawCode()))).toEqual({ status: 429, code: 'too_many_requests' });
    const other = await consoleAs(test, ['support']);
    expect((await lookUp(drawCode(), other)).status).toBe(200);
  });
});

describe('a lock-out', () => {
  async function guess(user: TestUser, count: number, remoteAddress: string) {
    let last;
    for (let done = 0; done < count; done += 1) {
      last = await redeem(test, user, drawCode(), { remoteAddress });
    }
    return last?.body.code;
  }
  const lockOuts = async () => (await support.call('lockOuts')).body.items;

  it('of an account or a place is shown until its hour is over, and can be released', async () => {
    const [ada, ben] = [await test.createUser(), await test.createUser()];
    expect(await guess(ada, 10, '198.51.100.7')).toBe('invalid_reward_code');
    expect(await lockOuts()).toEqual([]);
    expect(await guess(ada, 2, '198.51.100.7')).toBe('too_many_attempts');
    expect(await guess(ben, 3, '198.51.100.7')).toBe('too_many_attempts');
    const [place, account] = await lockOuts();
    expect(place).toMatchObject({ kind: 'place', place: '198.51.100.7', customer_uuid: null });
    expect(account).toMatchObject({ kind: 'account', place: null, customer_uuid: ada.uuid });

    const release = (id: number, by = support) =>
      by.call('releaseLockOut', { params: { id }, body: { reason: REASON } });
    const own = await consoleAs(test, ['support'], { walletUuid: ada.uuid });
    expect((await release(account.id, own)).body.code).toBe('own_account');
    for (const { id } of [place, account]) expect((await release(id)).status).toBe(200);
    expect((await release(place.id)).status).toBe(404);
    const [code = ''] = await createCampaign(test);
    const claim = await redeem(test, ada, code, { remoteAddress: '198.51.100.7' });
    expect(claim.status).toBe(200);

    expect(await guess(ada, 12, '198.51.100.8')).toBe('too_many_attempts');
    expect(await lockOuts()).toHaveLength(1);
    test.clock.advance(HOUR_MS);
    support = await consoleAs(test, ['support']);
    expect(await lockOuts()).toEqual([]);
    await sql`select graphile_worker.add_job('lock_outs_delete_ended')`.execute(test.deps.db);
    await test.runJobs();
    const { rows } = await sql`select from reward_lock_outs`.execute(test.deps.db);
    expect(rows).toEqual([]);
  });

  it('is noted once by twenty refused guesses, and keeps no address in plain', async () => {
    const eve = await test.createUser();
    await guess(eve, 31, '203.0.113.99');
    const { rows } = await sql<{ text: string }>`
      select l::text as text from reward_lock_outs l`.execute(test.deps.db);
    expect(rows).toHaveLength(1);
    await guess(await test.createUser(), 3, '203.0.113.99');
    const all = await sql<{ text: string }>`select l::text as text from reward_lock_outs l`.execute(
      test.deps.db,
    );
    expect(all.rows.map(({ text }) => text).join('')).not.toContain('203.0.113');
  });
});
