/**
 * Processes of the previous release and of this version serve one database, as they do while processes are replaced. `npm run
 * test:compat` checks the previous release out and passes its programs, and the migrations that both share.
 */
import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { canonicalQrText, signedQrText } from '@athos/domain/qr-payload';
import { createOffer } from '../../test/build-catalog.ts';
import {
  createItems,
  createStaff,
  purchaseCode,
  purchaseContent,
} from '../../test/build-redemption.ts';
import { createCampaign, redeem } from '../../test/build-reward.ts';
import {
  forgotPassword,
  PASSWORD,
  register,
  resetPassword,
  signIn,
  verify,
} from '../../test/accounts.ts';
import { startApiProcess, type ApiProcess } from '../../test/api-process.ts';
import { expectBooksBalance } from '../../test/expect-books-balance.ts';
import { ath, balanceOf, buy } from '../../test/shop.ts';
import { startTestSmtpServer, type TestSmtpServer } from '../../test/smtp-server.ts';
import { setup as copyMigrated, teardown as dropMigrated } from '../../test/template-database.ts';
import {
  createTestApp,
  type TestAnswer,
  type TestApp,
  type TestUser,
} from '../../test/test-app.ts';
import { setup as startServer, teardown as stopServer } from '../../../../tools/vitest-postgres.ts';

const PROGRAMS = {
  'the release before': process.env['COMPAT_PROGRAMS'] ?? expect.fail('no release before is named'),
  'this version': import.meta.dirname,
};
type Side = keyof typeof PROGRAMS;
/** The side that begins, and the side that continues. */
const TURNS: readonly (readonly [Side, Side])[] = [
  ['the release before', 'this version'],
  ['this version', 'the release before'],
];

type Request = Pick<TestApp, 'request'>;

let test: TestApp;
let mails: TestSmtpServer;
let apis: Readonly<Record<Side, ApiProcess & Request>>;
beforeAll(async () => {
  await startServer();
  await copyMigrated();
  test = await createTestApp();
  mails = await startTestSmtpServer();
  const start = async (side: Side) => {
    const api = await startProcess(side, 'wallet-api');
    return { ...api, request: requestOver(api.url) };
  };
  apis = {
    'the release before': await start('the release before'),
    'this version': await start('this version'),
  };
});
afterEach(() => expectBooksBalance(test.deps.config.databaseUrl));
afterAll(async () => {
  await Promise.all(Object.values(apis).map((api) => api.end()));
  await mails.close();
  await test.close();
  await dropMigrated();
  await stopServer();
});

function startProcess(side: Side, program: 'wallet-api' | 'worker'): Promise<ApiProcess> {
  const { databaseUrl } = test.deps.config;
  return startApiProcess(databaseUrl, program, { SMTP_URL: mails.url }, PROGRAMS[side]);
}

/** Like `request` of the app in this process, but over HTTP. */
function requestOver(url: string): TestApp['request'] {
  return async ({ user, key, headers = {}, method = 'GET', url: path, payload }) => {
    if (typeof path !== 'string') throw new Error('a request without a path');
    const answer = await fetch(`${url}${path}`, {
      method,
      headers: {
        ...(user !== undefined && { authorization: `Bearer ${user.token}` }),
        ...(key !== undefined && { 'idempotency-key': key }),
        ...(payload !== undefined && { 'content-type': 'application/json' }),
        ...(headers as Record<string, string>),
      },
      ...(payload !== undefined && { body: JSON.stringify(payload) }),
    });
    const text = await answer.text();
    const isJson = /json/.test(answer.headers.get('content-type') ?? '');
    return {
      status: answer.status,
      headers: Object.fromEntries(answer.headers),
      text,
      body: isJson ? JSON.parse(text) : undefined,
    };
  };
}

/** A call with its key, made at one process and repeated at the other. */
async function replay(
  [first, second]: readonly [Side, Side],
  call: (to: Request) => Promise<TestAnswer>,
) {
  const [done, repeated] = [await call(apis[first]), await call(apis[second])];
  expect(done).toMatchObject({ status: 200 });
  expect([repeated.status, repeated.body]).toEqual([200, done.body]);
}

describe.each(TURNS)(
  '[P-057] a key that was used at %s, repeated at %s, is answered alike and moves value once',
  (...turn) => {
    it('of a send', async () => {
      const [ada, ben] = [await test.createUser({ balance: ath(10) }), await test.createUser()];
      const payload = { to_uuid: ben.uuid, amount: '3000000' };
      const key = randomUUID();
      const send = ({ request }: Request) =>
        request({ method: 'POST', url: '/api/account/transfer', user: ada, key, payload });
      await replay(turn, send);
      expect(await balanceOf(test, ben)).toBe('3000000');
    });

    it('of a cart', async () => {
      const ada = await test.createUser({ balance: ath(100) });
      const offer = await createOffer(test, { price_ath_hundredths: 500 });
      const key = randomUUID();
      await replay(turn, (to) => buy(to, ada, [[offer.id, 2]], key));
      expect(await balanceOf(test, ada)).toBe('90000000');
    });

    it('of a claim', async () => {
      const ada = await test.createUser();
      const [code = ''] = await createCampaign(test);
      const key = randomUUID();
      await replay(turn, (to) => redeem(to, ada, code, { key }));
      expect(await balanceOf(test, ada)).toBe('25000000');
    });

    it('of a redemption, of a code that the first one signed', async () => {
      const [ada, member] = [await test.createUser(), await createStaff(test)];
      const { itemIds } = await createItems(test, ada, { count: 2 });
      const content = purchaseContent(test, ada, itemIds);
      const signed = await apis[turn[0]].request({
        method: 'POST',
        url: '/api/account/sign',
        user: ada,
        payload: { data: canonicalQrText(content) },
      });
      expect(signed.status).toBe(200);
      const payload = { payload: signedQrText(content, signed.body.signature) };
      const scan = { method: 'POST', url: '/api/scanner/scan', user: member, payload } as const;
      expect((await apis[turn[1]].request(scan)).status).toBe(200);
      const key = randomUUID();
      await replay(turn, ({ request }) =>
        request({ method: 'POST', url: '/api/scanner/redeem', user: member, key, payload }),
      );
    });
  },
);

describe.each(TURNS)('[P-057] %s and %s', (first, second) => {
  it('carry out the jobs of each other, and take the links and tokens of each other', async () => {
    const email = `${randomUUID()}@athos.example`;
    const [at, other] = [apis[first], apis[second]];
    expect((await register(at, email)).status).toBe(200);
    const [signUpLink = ''] = await mailedCodes(second, email, 1);
    expect((await verify(other, signUpLink, { password: PASSWORD })).status).toBe(200);

    const signedIn = await signIn(at, email);
    expect(signedIn.status).toBe(200);
    const authorization = `Bearer ${signedIn.body.token}`;
    const profile = {
      method: 'GET',
      url: '/api/account/profile',
      headers: { authorization },
    } as const;
    expect((await other.request(profile)).body.email).toBe(email);

    expect((await forgotPassword(at, email)).status).toBe(200);
    const resetLink = (await mailedCodes(second, email, 2)).at(-1) ?? '';
    expect((await resetPassword(other, resetLink, 'Battery-Staple-8')).status).toBe(200);
    // Both processes know that the sessions have ended.
    await expect.poll(async () => (await at.request(profile)).status).toBe(401);
    expect(await jobsThatFailed()).toEqual([]);
  });

  it('tell live streams of what the other one did', async () => {
    const [ada, ben] = [await test.createUser({ balance: ath(10) }), await test.createUser()];
    const events = await listen(apis[second], ben);
    const payload = { to_uuid: ben.uuid, amount: '2000000' };
    const send = { method: 'POST', url: '/api/account/transfer', user: ada, payload } as const;
    expect((await apis[first].request({ ...send, key: randomUUID() })).status).toBe(200);
    await expect.poll(() => events.join('')).toMatch(/"type":"balance","balance":"2000000"/);

    const member = await createStaff(test);
    const { itemIds } = await createItems(test, ben);
    const code = { payload: purchaseCode(test, ben, itemIds) };
    const redemption = {
      method: 'POST',
      url: '/api/scanner/redeem',
      user: member,
      payload: code,
    } as const;
    expect((await apis[first].request({ ...redemption, key: randomUUID() })).status).toBe(200);
    await expect.poll(() => events.join('')).toContain('"type":"redeemed"');
  });
});

/** The codes of the links mailed to an address, once a worker of this side has sent `count` mails with a link. */
async function mailedCodes(side: Side, email: string, count: number): Promise<string[]> {
  const worker = await startProcess(side, 'worker');
  onTestFinished(() => worker.kill());
  const codes = () =>
    mails.received
      .map((mail) => mail.replaceAll('=\r\n', '').replaceAll('=3D', '='))
      .filter((mail) => mail.includes(`To: ${email}`))
      .flatMap((mail) => /code=([\w-]{20,100})/.exec(mail)?.[1] ?? []);
  await expect.poll(codes).toHaveLength(count);
  expect(await worker.end()).toBe(0);
  return codes();
}

/** Jobs with a failed attempt. */
async function jobsThatFailed(): Promise<unknown[]> {
  const { rows } = await sql`
    select last_error from graphile_worker._private_jobs where last_error is not null`.execute(
    test.deps.db,
  );
  return rows;
}

/** The text of a live stream, collected as it arrives. */
async function listen(api: ApiProcess, user: TestUser): Promise<readonly string[]> {
  const stopping = new AbortController();
  onTestFinished(() => stopping.abort());
  const answer = await fetch(`${api.url}/api/account/events`, {
    headers: { authorization: `Bearer ${user.token}` },
    signal: stopping.signal,
  });
  expect(answer.status).toBe(200);
  const told: string[] = [];
  const read = async (): Promise<void> => {
    const text = answer.body?.pipeThrough(new TextDecoderStream());
    for await (const part of text ?? []) told.push(part);
  };
  read().catch((error: unknown) => {
    if (!stopping.signal.aborted) told.push(String(error));
  });
  return told;
}
