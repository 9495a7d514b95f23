import type { AnswerOf } from '@athos/contract/api';
import { walletRoutes } from '@athos/contract/gen/wallet-routes';
import { uuidv7 } from '@athos/domain/uuid';
import { afterEach, beforeEach, describe, expect, expectTypeOf, it, vi } from 'vitest';
import { abandonRetries } from './abandoned-retries.ts';
import { createClient, type ClientOptions } from './client.ts';
import { ApiError, NetworkError, TimeoutError, UnreadableAnswerError } from './errors.ts';
import { newIdempotencyKey } from './idempotency-key.ts';
import { isMovingValue, moveValue } from './outcome.ts';
import { TENANT } from './tenant.ts';

type Answer = (request: Request) => Promise<Response> | Response;

const json = (body: unknown, status = 200, headers: Record<string, string> = {}): Response =>
  new Response(JSON.stringify(body), {
    status,
    statusText: status === 200 ? 'OK' : 'Some Status Text',
    headers: { 'content-type': 'application/json', ...headers },
  });
const problem = (status: number, code: string): Response =>
  json({ code, status, title: 'A title', detail: '', type: '', request_id: 'r-1' }, status);
const balance = { balance: '1', balances: { ATH: '1', ATH2: '0', ATH3: '0' } };
const never: Answer = (request) =>
  new Promise((_, reject) => {
    const end = () => reject(request.signal.reason as Error);
    if (request.signal.aborted) end();
    request.signal.addEventListener('abort', end);
  });
const lost: Answer = () => Promise.reject(new TypeError('Failed to fetch'));

let requests: Request[];
let token: string | undefined;
let options: ClientOptions;

/** Responds to requests in order. The last response is repeated for all further requests. */
function serve(...answers: Answer[]) {
  let index = 0;
  vi.stubGlobal('fetch', async (request: Request) => {
    requests.push(request.clone());
    const answer = answers[Math.min(index++, answers.length - 1)];
    if (answer === undefined) throw new Error('no response given');
    return answer(request);
  });
  return createClient(walletRoutes, options);
}

/** Advances fake time until `promise` settles, and returns its outcome. */
async function outcome<T>(promise: Promise<T>, ms = 60_000): Promise<T | Error> {
  const settled = promise.catch((error: unknown) => error as Error);
  await vi.advanceTimersByTimeAsync(ms);
  return settled;
}

beforeEach(() => {
  vi.useFakeTimers({ now: 1_800_000_000_000 });
  requests = [];
  token = undefined;
  options = {
    prefixUrl: 'https://wallet.test/api',
    token: () => token,
    deviceId: () => 'a-device',
    onNetworkLost: vi.fn<() => void>(),
    onNetworkBack: vi.fn<() => void>(),
    onUnauthorized: vi.fn<ClientOptions['onUnauthorized']>(),
    log: vi.fn<ClientOptions['log']>(),
  };
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

describe('requests', () => {
  it('[S7-001] go to the API under the /api prefix', async () => {
    const client = serve(() =>
      json({ client_secret: 's', id: 'i', stripe_status: 0, error: null }),
    );
    await client.call('balance');
    await client.call('paymentIntent', { params: { id: 'a/b' } });
    await client.call('allHistory', { query: { limit: 5, cursor: undefined } });
    expect(requests.map(({ url }) => url)).toEqual([
      'https://wallet.test/api/account/balance',
      'https://wallet.test/api/payment_intent/a%2Fb',
      'https://wallet.test/api/all_history?limit=5',
    ]);
  });

  it('[D-028] are typed by the contract’s schemas: name, body, key and response', async () => {
    const client = serve(() => json({ id: 7, balance: '1' }));
    expectTypeOf(client.call<'transfer'>).returns.resolves.toEqualTypeOf<AnswerOf<'transfer'>>();
    expectTypeOf<AnswerOf<'transfer'>>().toEqualTypeOf<{
      id: number;
      balance: string;
      hold?: { id: string; post_at: string; is_first_time?: boolean | undefined } | undefined;
    }>();
    const calls = () => [
      // @ts-expect-error -- amounts are strings of micro-units
      client.call('transfer', { body: { amount: 1, to_uuid: 'u' }, key: 'k' }),
      // @ts-expect-error -- a transfer needs a receiver
      client.call('transfer', { body: { amount: '1' }, key: 'k' }),
      // @ts-expect-error -- the contract has no such call
      client.call('withdraw'),
    ];
    expect(calls).toBeTypeOf('function');
  });

  it.each([
    ['a token', 'token-1', 'Bearer token-1'],
    ['no token', undefined, null],
  ])('[S7-002] carry the expected bearer header with %s', async (_, text, header) => {
    token = text;
    const client = serve(() => json(balance));
    await client.call('balance');
    await client.call('exchangeRate');
    expect(requests.map(({ headers }) => headers.get('authorization'))).toEqual([header, header]);
  });

  it('[S7-003] send JSON bodies with a JSON content type, and none without a body', async () => {
    const client = serve(() => json({ success: true }));
    await client.call('verify', { body: { code: 'c'.repeat(43) } });
    await client.call('logout');
    expect(requests[0]?.headers.get('content-type')).toBe('application/json');
    expect(await requests[0]?.json()).toEqual({ code: 'c'.repeat(43) });
    expect(requests[1]?.headers.get('content-type')).toBeNull();
  });

  it('send the id of the installation with the calls that read it, and with no other', async () => {
    const client = serve(() => json({ success: true }));
    const key = newIdempotencyKey();
    const credentials = { email: 'ada@example.com', password: 'Passw0rd!' };
    await client.call('login', { body: { ...credentials, ...TENANT } });
    await client.call('verify', { body: { code: 'c'.repeat(43) } });
    await client.call('deleteAccount', { body: { password: 'Passw0rd!' }, key });
    await client.call('redeemReward', { params: { id: 'CODE' }, key });
    await client.call('forgotPassword', { body: { email: credentials.email, ...TENANT } });
    await client.call('balance');
    await client.call('logout');
    expect(requests.map(({ headers }) => headers.get('x-device-id'))).toEqual([
      ...Array<string>(5).fill('a-device'),
      null,
      null,
    ]);
  });

  it('[S6-003] take tenant 1 and mode production from one constant', () => {
    expect(TENANT).toEqual({ tenant_id: 1, mode: 'production' });
  });
});

describe('a confirmation that the server asks for', () => {
  const key = newIdempotencyKey();
  const body = { amount: '5', to_uuid: 'u' };
  const refused = () => problem(403, 'confirmation_required');
  const done = () => json({ id: 7, balance: '1' });

  it('[W-112] is sent with the same request and key', async () => {
    options.confirm = () => Promise.resolve('proof');
    const client = serve(refused, done);
    expect(await client.call('transfer', { body, key })).toMatchObject({ id: 7 });
    expect(requests.map(({ headers }) => headers.get('x-confirmation'))).toEqual([null, 'proof']);
    expect(requests.map(({ headers }) => headers.get('idempotency-key'))).toEqual([key, key]);
  });

  it('is not asked for twice', async () => {
    options.confirm = vi.fn<() => Promise<string>>(() => Promise.resolve('proof'));
    const client = serve(refused);
    expect(await outcome(client.call('transfer', { body, key }))).toBeInstanceOf(ApiError);
    expect(options.confirm).toHaveBeenCalledOnce();
    expect(requests).toHaveLength(2);
  });

  it('changes nothing if nobody gives one, or somebody else has signed in meanwhile', async () => {
    const client = serve(refused);
    expect(await outcome(client.call('transfer', { body, key }))).toBeInstanceOf(ApiError);
    options.confirm = () => {
      token = 'of somebody else';
      return Promise.resolve('proof');
    };
    expect(await outcome(client.call('transfer', { body, key }))).toBeInstanceOf(ApiError);
    expect(requests).toHaveLength(2);
  });
});

describe('the time limit', () => {
  it("[S7-004] ends a request after 10 s with 'Request timed out'", async () => {
    const client = serve(never);
    const settled = vi.fn<() => void>();
    const failure = client.call('balance').catch((error: unknown) => {
      settled();
      return error;
    });
    await vi.advanceTimersByTimeAsync(9999);
    expect(settled).not.toHaveBeenCalled();
    await vi.advanceTimersByTimeAsync(1);
    expect(await failure).toBeInstanceOf(TimeoutError);
    expect(String(await failure)).toContain('Request timed out');
    expect(requests).toHaveLength(1);
    expect(options.onNetworkLost).not.toHaveBeenCalled();
  });
});

describe('retries', () => {
  it.each([408, 413, 429, 500, 502, 503, 504])(
    '[S7-005] retries an idempotent call twice after %i',
    async (status) => {
      const client = serve(() => problem(status, 'internal_error'));
      const error = await outcome(client.call('balance'));
      expect(error).toBeInstanceOf(ApiError);
      expect(requests).toHaveLength(3);
    },
  );

  it('[S7-005] retries twice after a failed connection', async () => {
    const client = serve(lost);
    expect(await outcome(client.call('balance'))).toBeInstanceOf(NetworkError);
    expect(requests).toHaveLength(3);
  });

  it.each([400, 401, 403, 404, 409, 422, 501])('does not retry after %i', async (status) => {
    const client = serve(() => problem(status, 'not_found'));
    await outcome(client.call('balance'));
    expect(requests).toHaveLength(1);
  });

  it('never retries a POST without a key', async () => {
    const client = serve(() => problem(503, 'overloaded'));
    await outcome(client.call('login', { body: { email: 'a@b.c', password: 'p', ...TENANT } }));
    expect(requests).toHaveLength(1);
  });

  it('waits 300 ms before the second attempt and 600 ms before the third', async () => {
    const client = serve(lost);
    const failure = outcome(client.call('balance'), 0);
    for (const [ms, count] of [
      [299, 1],
      [1, 2],
      [599, 2],
      [1, 3],
    ] as const) {
      await vi.advanceTimersByTimeAsync(ms);
      expect(requests).toHaveLength(count);
    }
    expect(await failure).toBeInstanceOf(NetworkError);
  });

  it('retries a PUT with the body and the key of the first attempt', async () => {
    const key = newIdempotencyKey();
    const body = { old_password: 'Passw0rd!', password: 'Passw0rd?' };
    const client = serve(lost, () => json({ success: true }));
    await outcome(client.call('updatePassword', { body, key }));
    expect(requests.map(({ headers }) => headers.get('idempotency-key'))).toEqual([key, key]);
    expect(await Promise.all(requests.map((request) => request.json()))).toEqual([body, body]);
  });

  it('ends the pause when the caller aborts', async () => {
    const client = serve(lost);
    const giveUp = new AbortController();
    const failure = outcome(client.call('balance', { signal: giveUp.signal }), 100);
    await vi.advanceTimersByTimeAsync(100);
    giveUp.abort(new Error('gone'));
    await vi.advanceTimersByTimeAsync(0);
    expect(await failure).toMatchObject({ message: 'gone' });
    expect(requests).toHaveLength(1);
  });

  it('treats a truncated response as a failed connection', async () => {
    const broken = (): Response =>
      new Response(
        new ReadableStream({ start: (stream) => stream.error(new TypeError('network error')) }),
      );
    const client = serve(broken, () => json(balance));
    expect(await outcome(client.call('balance'))).toEqual(balance);
    expect(options.onNetworkLost).toHaveBeenCalledOnce();
  });

  it('waits until the date in Retry-After', async () => {
    const inOneSecond = new Date(Date.now() + 1000).toUTCString();
    const client = serve(
      () => json({}, 503, { 'retry-after': inOneSecond }),
      () => json(balance),
    );
    const answer = client.call('balance');
    await vi.advanceTimersByTimeAsync(999);
    expect(requests).toHaveLength(1);
    await vi.advanceTimersByTimeAsync(1);
    expect(await answer).toEqual(balance);
  });

  it('waits for Retry-After, at most 2 s', async () => {
    const client = serve(
      () => json({}, 503, { 'retry-after': '3600' }),
      () => json(balance),
    );
    const answer = client.call('balance');
    await vi.advanceTimersByTimeAsync(1999);
    expect(requests).toHaveLength(1);
    await vi.advanceTimersByTimeAsync(1);
    expect(await answer).toEqual(balance);
  });
});

describe('keys', () => {
  const key = newIdempotencyKey();
  const body = { amount: '5', to_uuid: 'u' };

  it('[D-038] are version 7, with a new one for each intent', () => {
    const pattern = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
    expect(key).toMatch(pattern);
    expect(newIdempotencyKey()).not.toBe(key);
    expect(uuidv7(1_800_000_000_000, (bytes) => bytes).slice(0, 13)).toBe('01a3185c-5000');
  });

  const move = (client: ReturnType<typeof serve>) =>
    moveValue(() => client.call('transfer', { body, key }), false);

  it.each([
    ['a timeout', never],
    ['a lost connection', lost],
    ['an outcome that the server does not know', () => problem(503, 'try_again')],
    ['a fault of the server after which it may have acted', () => problem(500, 'internal_error')],
    ['a proxy that lost the server', () => new Response('<h1>Bad Gateway</h1>', { status: 502 })],
    ['an answer that cannot be read', () => new Response('{"id":7,"bal')],
  ])('[D-182] retries once with the same key after %s', async (_, first: Answer) => {
    const data = { id: 7, balance: '1' };
    const client = serve(first, () => json(data));
    expect(await outcome(move(client))).toEqual({ status: 'done', data });
    expect(requests.map(({ headers }) => headers.get('idempotency-key'))).toEqual([key, key]);
    expect(await Promise.all(requests.map((request) => request.json()))).toEqual([body, body]);
  });

  it('[D-182] fails after the second loss', async () => {
    const client = serve(lost);
    expect(await outcome(move(client))).toEqual({ status: 'offline' });
    expect(requests).toHaveLength(2);
  });

  it.each([
    ['too many calls', () => problem(429, 'too_many_requests')],
    ['an ended session', () => problem(401, 'session_ended')],
    ['a busy server', () => problem(503, 'overloaded')],
    ['a proxy', () => new Response('<h1>Forbidden</h1>', { status: 403 })],
  ])('reports an unknown outcome when the retry ends with %s', async (_, second) => {
    const client = serve(lost, second);
    expect(await outcome(move(client))).toEqual({ status: 'offline' });
  });

  it('does not retry for a user who has signed out meanwhile', async () => {
    const client = serve(lost);
    const moved = outcome(move(client));
    abandonRetries();
    expect(await moved).toEqual({ status: 'offline' });
    expect(requests).toHaveLength(1);
  });

  it('knows the outcome when the retry is refused', async () => {
    const client = serve(lost, () => problem(422, 'insufficient_balance'));
    const refused = { status: 'refused', code: 'insufficient_balance' };
    expect(await outcome(move(client))).toMatchObject(refused);
  });

  it.each([
    [422, 'insufficient_balance'],
    [503, 'overloaded'],
  ] as const)('does not ask again after a refusal: %i %s', async (status, code) => {
    const client = serve(() => problem(status, code));
    expect(await outcome(move(client))).toMatchObject({ status: 'refused', code });
    expect(requests).toHaveLength(1);
  });

  it('reports that value is moving until the response to the retry arrives', async () => {
    const client = serve(lost, never);
    const moved = outcome(move(client), 10_000);
    expect(isMovingValue()).toBe(true);
    await vi.advanceTimersByTimeAsync(9000);
    expect(isMovingValue()).toBe(true);
    await vi.advanceTimersByTimeAsync(3000);
    await moved;
    expect(isMovingValue()).toBe(false);
  });
});

describe('the token', () => {
  it('[S4-008] is reported when a call fails with a 401', async () => {
    token = 'token-1';
    const client = serve(() => problem(401, 'session_ended'));
    await outcome(client.call('balance'));
    expect(options.onUnauthorized).toHaveBeenCalledExactlyOnceWith('token-1');
  });

  it('[S4-008] is not reported when its refresh is refused, because the caller handles that', async () => {
    token = 'token-1';
    const client = serve(() => problem(401, 'session_ended'));
    await outcome(client.call('refreshJwt', { query: { token } }));
    expect(options.onUnauthorized).not.toHaveBeenCalled();
  });

  it('is reported as it was sent, even if there is a newer one', async () => {
    token = 'token-1';
    const client = serve(() => {
      token = 'token-2';
      return problem(401, 'session_ended');
    });
    await outcome(client.call('balance'));
    expect(options.onUnauthorized).toHaveBeenCalledExactlyOnceWith('token-1');
  });

  it('is not reported after a wrong password', async () => {
    token = 'token-1';
    const client = serve(() => problem(422, 'incorrect_password'));
    await outcome(client.call('balance'));
    expect(options.onUnauthorized).not.toHaveBeenCalled();
  });
});

describe('the network', () => {
  it.each([
    'Failed to fetch',
    'Load failed',
    'NetworkError when attempting to fetch resource.',
    'x',
  ])("[S4-035] is lost when a fetch fails with '%s'", async (message) => {
    const client = serve(() => Promise.reject(new TypeError(message)));
    await outcome(client.call('balance'));
    expect(options.onNetworkLost).toHaveBeenCalled();
    expect(options.onNetworkBack).not.toHaveBeenCalled();
  });

  it('[S4-036] is back after any successful response', async () => {
    const client = serve(lost, () => json(balance));
    await outcome(client.call('balance'));
    expect(options.onNetworkBack).toHaveBeenCalledTimes(1);
  });

  it("is not back after a response from the browser's cache", async () => {
    const client = serve(() => json(balance));
    await client.call('exchangeRate');
    expect(requests.map(({ cache }) => cache)).toEqual(['no-cache']);
  });

  it('is neither lost nor back when the caller aborts', async () => {
    const client = serve(never);
    const giveUp = new AbortController();
    const failure = outcome(client.call('balance', { signal: giveUp.signal }), 0);
    giveUp.abort(new Error('gone'));
    expect(await failure).toMatchObject({ message: 'gone' });
    expect(options.onNetworkLost).not.toHaveBeenCalled();
  });
});

describe('errors', () => {
  it('[S7-013] are thrown by account/delete, where a wrong password does not end the session', async () => {
    token = 'token-1';
    const client = serve(() => problem(422, 'incorrect_password'));
    const call = { body: { password: 'wrong-password' }, key: newIdempotencyKey() };
    expect(await outcome(client.call('deleteAccount', call))).toMatchObject({
      name: 'ApiError',
      status: 422,
      code: 'incorrect_password',
    });
    expect(options.onUnauthorized).not.toHaveBeenCalled();
  });

  it('[S8-030] carry the status text as their message', async () => {
    const client = serve(() => problem(404, 'not_found'));
    expect(await outcome(client.call('balance'))).toMatchObject({
      name: 'ApiError',
      message: 'Some Status Text',
      status: 404,
      code: 'not_found',
      problem: { request_id: 'r-1' },
    });
  });

  it('fall back to the title because HTTP/2 has no status text', () => {
    const title = { title: 'A title' } as NonNullable<ApiError['problem']>;
    expect(new ApiError(404, '', title).message).toBe('A title');
    expect(new ApiError(502, '', undefined).message).toBe('502');
  });

  it('distinguish an empty from an unreadable response', async () => {
    const empty = serve(() => new Response(''));
    expect(await outcome(empty.call('balance'))).toMatchObject({
      message: 'No response',
      isEmpty: true,
    });
    const broken = serve(() => new Response('<html>'));
    const error = await outcome(broken.call('balance'));
    expect(error).toBeInstanceOf(UnreadableAnswerError);
    expect(error).toMatchObject({ isEmpty: false });
  });

  it('are logged without token, body or query, and rethrown', async () => {
    token = 'secret-token';
    const client = serve(() => problem(422, 'weak_password'));
    await outcome(
      client.call('resetPassword', { body: { code: 'secret', new_password: 'secret' } }),
    );
    expect(options.log).toHaveBeenCalledWith('call_failed', {
      name: 'resetPassword',
      status: 422,
      code: 'weak_password',
      requestId: 'r-1',
    });
  });
});
