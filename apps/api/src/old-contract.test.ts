/** A caller who knows only section 7 of the specification: none of the headers, fields and paths that were added later. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { canonicalQrText } from '@athos/domain/qr-payload';
import { PROGRAMME_SETTINGS } from '@athos/contract/programme';
import { latestCodeTo, openUser, OTHER_PASSWORD, PASSWORD } from '../test/accounts.ts';
import { createOffer, createTier } from '../test/build-catalog.ts';
import { createCampaign } from '../test/build-reward.ts';
import { intentIdOf, payAndDeliver, purchaseBody } from '../test/card-purchase.ts';
import { startCardsApp } from '../test/cards-app.ts';
import { codeOf, post } from '../test/second-step.ts';
import { ath } from '../test/shop.ts';
import { issueTo, type TestApp, type TestUser } from '../test/test-app.ts';

type CardsApp = Awaited<ReturnType<typeof startCardsApp>>;

let asFirst: CardsApp;
let withEverything: CardsApp;
beforeAll(async () => {
  asFirst = await startCardsApp();
  withEverything = await startCardsApp();
});
afterAll(async () => {
  await asFirst.close();
  await withEverything.close();
});

const PATTERNS: readonly [RegExp, string][] = [
  [/^eyJ[\w-]+\.[\w-]+\.[\w-]+$/, '<token>'],
  [/^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/, '<uuid>'],
  [/^\d{4}-\d\d-\d\dT/, '<time>'],
  [/^pi_\w+_secret_\w+$/, '<secret>'],
  [/^[\w-]{86}$/, '<signature>'],
  // Categories of the tests' catalogue are numbered across tests.
  [/^Category \d+$/, '<category>'],
];
const isCounted = (name: string): boolean => /(^|_)id$|^position$/.test(name);

/** Replaces everything in an answer that differs between two runs by its name. */
function told(value: unknown, name = ''): unknown {
  if (Array.isArray(value)) return value.map((one) => told(one, name));
  if (typeof value === 'object' && value !== null) {
    return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, told(one, key)]));
  }
  if (isCounted(name)) return `<${name}>`;
  if (typeof value !== 'string') return value;
  return PATTERNS.find(([pattern]) => pattern.test(value))?.[1] ?? value;
}

/** The members of an answer: `{balance,balances{ATH}}`, `{history[{type,data{…}}]}` of the first entry. */
function shapeOf(value: unknown): string {
  if (Array.isArray(value)) return `[${shapeOf(value[0])}]`;
  if (typeof value !== 'object' || value === null) return '';
  const members = Object.entries(value).map(([key, one]) => key + shapeOf(one));
  return `{${members.toSorted().join(',')}}`;
}

/** Makes the calls of section 7 in one account, and returns the status and body of each. */
async function liveThrough({ app: test, sandbox }: CardsApp, friend: TestUser) {
  const transcript: [call: string, status: number, body: unknown][] = [];
  let token: string | undefined;
  const call = async (method: 'GET' | 'POST' | 'PUT', path: string, payload?: object) => {
    const answer = await test.request({
      method,
      url: `/api/${path}`,
      ...(payload !== undefined && { payload }),
      ...(token !== undefined && { headers: { authorization: `Bearer ${token}` } }),
    });
    const where = path
      .replace(/\?.*$/, '')
      .replace(/\/(\d+|[0-9a-f-]{36}|[A-Z0-9-]{10,})(?=\/|$)/, '/{id}');
    transcript.push([`${method} ${where}`, answer.status, told(answer.body)]);
    return answer.body;
  };

  const email = `first-${randomUUID()}@athos.example`;
  const who = { tenant_id: 1, mode: 'production' };
  await call('POST', 'account/register', { email, password: PASSWORD, ...who });
  await test.runJobs();
  token = (await call('POST', 'account/verify', { code: latestCodeTo(test, email) })).token;
  const { uuid } = await call('GET', `account/refresh_jwt?token=${token}`);
  token = undefined;
  token = (await call('POST', 'account/login', { email, password: PASSWORD, ...who })).token;
  const { id: userId } = await test.deps.db
    .selectFrom('users')
    .select('id')
    .where('uuid', '=', uuid)
    .executeTakeFirstOrThrow();
  await issueTo(test.deps, userId, ath(2_000));

  const [code = ''] = await createCampaign(test);
  await createTier(test, { title: 'Gold', amount_micro_ath: ath(100) });
  const offer = await createOffer(test, { title: 'Fizz', note: 'Cold', img: '/art/fizz.svg' });
  const box = await createOffer(test, {
    title: 'Tips',
    note: 'Thanks',
    img: '/art/tips.svg',
    kind: 3,
  });
  await call('GET', 'account/balance');
  await call('POST', 'account/transfer', { amount: ath(1_500).toString(), to_uuid: friend.uuid });
  await call('POST', 'account/transfer', { amount: ath(9_999).toString(), to_uuid: friend.uuid });
  const data = canonicalQrText({ t: 'transfer', d: { a: uuid, t: test.clock.nowMs(), v: 1 } });
  await call('POST', 'account/sign', { data });
  const tip = { offer_id: box.id, amount: ath(2).toString(), tip_from: 'Ada', note: 'Well done' };
  await call('POST', 'account/tip', tip);
  await call('POST', `reward/${code}/redeem`);
  await call('GET', 'exchange_rate');
  await call('GET', 'categories');
  await call('GET', `categories/${offer.category_id}`);
  await call('POST', 'purchase', { offer_ids: [offer.id], offer_counts: [2] });
  await call('GET', 'my_purchases');
  const { tokenAmount: _, ...order } = purchaseBody(ath(100));
  const { id: paymentId, client_secret: secret } = await call('POST', 'payment_intent', order);
  await call('GET', `payment_intent/${paymentId}`);
  await payAndDeliver(sandbox, { secret, intentId: intentIdOf(secret) });
  await test.runJobs();
  await call('GET', `payment_intent/${paymentId}`);
  await call('GET', 'tiers');
  await call('GET', 'all_history');
  const change = { old_password: PASSWORD, password: OTHER_PASSWORD };
  await call('PUT', 'account/update_password', { ...change, old_password: 'Wrong-Horse-7' });
  await call('PUT', 'account/update_password', change);
  await call('POST', 'account/forgot_password', { email, ...who });
  await test.runJobs();
  const reset = { code: latestCodeTo(test, email), new_password: PASSWORD };
  await call('POST', 'account/reset_password', reset);
  await call('GET', 'account/balance');
  token = undefined;
  token = (await call('POST', 'account/login', { email, password: PASSWORD, ...who })).token;
  await call('POST', 'account/delete', { password: OTHER_PASSWORD });
  await call('POST', 'account/delete', { password: PASSWORD });
  return transcript;
}

const ITEM =
  '{id,offer{active,amount_cents,id,img,kind,note,picture,title},purchase_date,purchase_id,redeemed_at,redeemed_venue}';
const CATEGORY =
  '{banner_url,categories[],description,display_type,id,offers[{active,amount_cents,category_id,display_type,id,img,kind,note,picture,sale_ends_at,sale_starts_at,stock_left,tier_id_min,title,user_count_max}],parent_id,picture,position,title}';
const PROBLEM = '{code,detail,request_id,status,title,type}';

/** The answer to each call in the first release: its status, and the members of its body. */
const FIRST_RELEASE = [
  '200 POST account/register {success}',
  '200 POST account/verify {token,uuid}',
  '200 GET account/refresh_jwt {token,uuid}',
  '200 POST account/login {token,uuid}',
  '200 GET account/balance {balance,balances{ATH,ATH2,ATH3}}',
  '200 POST account/transfer {balance,id}',
  `422 POST account/transfer ${PROBLEM}`,
  '200 POST account/sign {signature}',
  '200 POST account/tip {balance,id}',
  '200 POST reward/{id}/redeem {amount,claimed_at}',
  '200 GET exchange_rate {exchange_rate}',
  `200 GET categories {categories[${CATEGORY}]}`,
  `200 GET categories/{id} ${CATEGORY}`,
  `200 POST purchase {balance,items[${ITEM}],purchase_id}`,
  `200 GET my_purchases {purchases[${ITEM}]}`,
  '200 POST payment_intent {client_secret,id}',
  '200 GET payment_intent/{id} {error,stripe_status}',
  '200 GET payment_intent/{id} {error,stripe_status}',
  '200 GET tiers {tiers[{amount,color,id,note,title}]}',
  '200 GET all_history {history[{data{amount_paid,athos_fee,date,id,stripe_status,token_amount,tx_fee},type}],next_cursor}',
  `422 PUT account/update_password ${PROBLEM}`,
  '200 PUT account/update_password {success}',
  '200 POST account/forgot_password {success}',
  '200 POST account/reset_password {success}',
  `401 GET account/balance ${PROBLEM}`,
  '200 POST account/login {token,uuid}',
  `422 POST account/delete ${PROBLEM}`,
  '200 POST account/delete {success}',
];

/** Switches on all later features that can be switched on, and has the other user use them. */
async function switchEverythingOn(test: TestApp, friend: TestUser): Promise<void> {
  const values: Record<string, unknown> = {
    [PROGRAMME_SETTINGS.undoSeconds.key]: 60,
    [PROGRAMME_SETTINGS.undoFirstSeconds.key]: 60,
    [PROGRAMME_SETTINGS.ticketHours.key]: 168,
  };
  for (const [key, value] of Object.entries(values)) {
    await test.admin
      .insertInto('programme_settings')
      .values({ key, value: JSON.stringify(value), changed_at: new Date(), changed_by: 'test' })
      .execute();
  }
  const { token } = friend;
  const { body } = await post(test, 'totp/begin', { token, password: PASSWORD });
  const code = codeOf(test, String(body.secret), -1);
  expect((await post(test, 'totp/confirm', { token, code })).status).toBe(200);
}

it(
  '[W-001] is answered as before, with everything switched on that came later',
  { tags: 'long' },
  async () => {
    const [friend, otherFriend] = [await openUser(asFirst.app), await openUser(withEverything.app)];
    await switchEverythingOn(withEverything.app, otherFriend);
    const before = await liveThrough(asFirst, friend);
    const told = before.map(([call, status, body]) => `${status} ${call} ${shapeOf(body)}`);
    expect(told).toEqual(FIRST_RELEASE);
    expect(await liveThrough(withEverything, otherFriend)).toEqual(before);
  },
);
