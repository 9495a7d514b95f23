import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { z } from 'zod';
import { api } from '@athos/contract/api';
import { ERROR_CODES, ERRORS } from '@athos/contract/errors';
import { API_PREFIX } from '@athos/contract/call';
import { recordLog } from '../test/recorded-log.ts';
import { createTestApp, type TestApp } from '../test/test-app.ts';

let test: TestApp;
beforeAll(async () => {
  test = await createTestApp();
});
afterAll(() => test.close());

const login = { method: 'POST', url: '/api/account/login' } as const;

describe('problems', () => {
  it('[D-031] are RFC 9457 application/problem+json with type, title, status, code, detail and request_id', async () => {
    const { status, headers, body } = await test.request({
      method: 'GET',
      url: '/api/account/balance',
    });
    expect(status).toBe(401);
    expect(headers['content-type']).toBe('application/problem+json; charset=utf-8');
    expect(body).toEqual({
      type: 'urn:athos:problem:unauthenticated',
      title: ERRORS.unauthenticated.title,
      status: 401,
      code: 'unauthenticated',
      detail: expect.any(String),
      request_id: headers['x-request-id'],
    });
  });

  it('[D-032] have snake_case codes from one enum', () => {
    expect(ERROR_CODES.every((code) => /^[a-z]+(_[a-z]+)*$/.test(code))).toBe(true);
    expect(Object.keys(ERRORS).toSorted()).toEqual([...ERROR_CODES].toSorted());
  });

  it('[D-033] point to each fault with a JSON pointer and a message', async () => {
    const { status, body } = await test.request({
      ...login,
      payload: { email: 'x', password: 5, tenant_id: 2 },
    });
    expect(status).toBe(400);
    const pointers = body.errors.map(({ pointer }: { pointer: string }) => pointer);
    expect(pointers).toEqual(
      expect.arrayContaining(['/email', '/password', '/tenant_id', '/mode']),
    );
    expect(body.errors.every(({ message }: { message: string }) => message.length > 0)).toBe(true);
  });

  it.each([
    ['malformed JSON', '{"a":', 'application/json', 400, 'malformed_json'],
    ['an empty body', '', 'application/json', 400, 'malformed_json'],
    [
      'no JSON content type',
      'a=b',
      'application/x-www-form-urlencoded',
      415,
      'unsupported_media_type',
    ],
    ['text', '{}', 'text/plain', 415, 'unsupported_media_type'],
    [
      'a body of 1 MB',
      JSON.stringify({ email: 'x'.repeat(1_000_000) }),
      'application/json',
      413,
      'body_too_large',
    ],
    ['a list', '[]', 'application/json', 400, 'invalid_request'],
    ['nothing', 'null', 'application/json', 400, 'invalid_request'],
  ])('refuse %s', async (_what, payload, contentType, status, code) => {
    const answer = await test.request({
      ...login,
      payload,
      headers: { 'content-type': contentType },
    });
    expect({ status: answer.status, code: answer.body.code }).toEqual({ status, code });
  });

  it('[D-034] never show a stack trace or SQL', async () => {
    const broken = await createTestApp();
    // Dropping a table makes its queries fail.
    const user = await broken.createUser();
    await broken.admin.schema.dropTable('tiers').cascade().execute();
    const { status, text, body } = await broken.request({ method: 'GET', url: '/api/tiers', user });
    expect({ status, code: body.code }).toEqual({ status: 500, code: 'internal_error' });
    expect(text).not.toMatch(/select|tiers"|relation|\bat \w|\.ts/i);
    await broken.close();
  });

  it.each([
    [`/api/payment_intent/${'a'.repeat(300)}`, 404, 'not_found'],
    ['/api/payment_intent/%zz', 400, 'invalid_request'],
  ])(
    '[D-031] are problems even if the router rejects the URL: %.40s',
    async (url, status, code) => {
      const answer = await test.request({ method: 'GET', url });
      expect(answer.headers['content-type']).toBe('application/problem+json; charset=utf-8');
      expect(answer.body).toMatchObject({ status, code });
      expect(answer.body.request_id).toBe(answer.headers['x-request-id']);
      expect(answer.text).not.toContain(url);
    },
  );

  it('are returned as not_found for an unknown address below /api', async () => {
    const { status, body } = await test.request({ method: 'GET', url: '/api/nowhere' });
    expect({ status, code: body.code }).toEqual({ status: 404, code: 'not_found' });
  });
});

describe('headers', () => {
  const PAGE = '/api/docs';

  it('let pages use camera and payment, and no other feature of the device', async () => {
    const { headers } = await test.request({ method: 'GET', url: PAGE });
    expect(headers['permissions-policy']).toBe(
      'camera=(self), geolocation=(), microphone=(), payment=(self "http://127.0.0.1:1"), usb=()',
    );
  });

  it('carry a strict content security policy that allows the card form and nothing else', async () => {
    const { headers } = await test.request({ method: 'GET', url: PAGE });
    const policy = String(headers['content-security-policy']);
    expect(policy).toContain("default-src 'self'");
    // The QR decoder is WebAssembly from our own origin; `eval` stays forbidden.
    expect(policy).toContain("script-src 'self' http://127.0.0.1:1 'wasm-unsafe-eval';");
    expect(policy).toContain("frame-ancestors 'none'");
    expect(policy).toContain("object-src 'none'");
    expect(policy.replace("'wasm-unsafe-eval'", '')).not.toMatch(/unsafe|\*/);
    expect(headers).toMatchObject({
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
    });
  });

  it.each(['/api/openapi.json', '/api/nowhere', '/nowhere', '/%zz'])(
    'are those of a page on %s, whatever the response status',
    async (url) => {
      const names = [
        'content-security-policy',
        'cross-origin-opener-policy',
        'cross-origin-resource-policy',
        'permissions-policy',
        'referrer-policy',
        'x-content-type-options',
        'x-frame-options',
      ];
      const [page, other] = [
        await test.request({ method: 'GET', url: PAGE }),
        await test.request({ method: 'GET', url }),
      ];
      for (const name of names) {
        expect(page.headers[name]).toBeDefined();
        expect(other.headers[name]).toBe(page.headers[name]);
      }
    },
  );

  it.each(['/healthz', '/api/tiers', '/api/account/balance', '/api/payment_intent/x'])(
    'forbid a browser that opens %s to run or load anything, whatever the response status',
    async (url) => {
      const { headers } = await test.request({ method: 'GET', url });
      expect(headers).toMatchObject({
        'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
        'cross-origin-resource-policy': 'same-origin',
        'x-content-type-options': 'nosniff',
      });
    },
  );
});

describe('health', () => {
  it('answers /healthz without the database and /readyz with it', async () => {
    expect((await test.request({ method: 'GET', url: '/healthz' })).body).toEqual({ status: 'ok' });
    expect((await test.request({ method: 'GET', url: '/readyz' })).body).toEqual({
      status: 'ready',
    });
  });
});

interface Operation {
  readonly parameters?: readonly { readonly name: string }[];
  readonly responses: Readonly<Record<string, { readonly content?: unknown }>>;
}

describe('OpenAPI', () => {
  it('is generated once, however often it is requested', async () => {
    const written = vi.spyOn(test.app, 'swagger');
    for (const url of ['/api/openapi.json', '/api/docs', '/api/openapi.json', '/api/docs']) {
      expect((await test.request({ method: 'GET', url })).status).toBe(200);
    }
    const before = written.mock.calls.length;
    await test.request({ method: 'GET', url: '/api/docs' });
    expect(written.mock.calls.length).toBe(before);
    expect(before).toBeLessThanOrEqual(2);
    written.mockRestore();
  });

  it('[D-029] is 3.1 and has every route of the contract', async () => {
    const { body } = await test.request({ method: 'GET', url: '/api/openapi.json' });
    expect(body.openapi).toBe('3.1.0');
    for (const { method, path } of Object.values(api)) {
      const operation =
        body.paths[API_PREFIX + path.replace(/:(\w+)/g, '{$1}')]?.[method.toLowerCase()];
      expect(operation, `${method} ${path}`).toBeDefined();
    }
    expect(body.components.schemas).toHaveProperty('TransferRequest');
  });

  it('documents the errors of each call, which calls take a key, and which one streams', async () => {
    const { body } = await test.request({ method: 'GET', url: '/api/openapi.json' });
    const operations = Object.values<Record<string, Operation>>(body.paths).flatMap(Object.values);
    expect(operations.length).toBeGreaterThan(20);
    for (const { responses } of operations) {
      expect(responses['default']?.content).toEqual({
        'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } },
      });
    }
    const takesKey = ({ parameters = [] }: Operation) =>
      parameters.filter(({ name }) => name === 'Idempotency-Key').length;
    for (const [path, count] of [
      ['/api/purchase', 1],
      ['/api/account/tip', 1],
      ['/api/account/transfer', 1],
      ['/api/scanner/redeem', 1],
      ['/api/scanner/scan', 0],
    ] as const) {
      expect(takesKey(body.paths[path].post), path).toBe(count);
    }
    const namesOf = ({ parameters = [] }: Operation) => parameters.map(({ name }) => name);
    expect(namesOf(body.paths['/api/account/login'].post)).toEqual(['X-Device-Id']);
    const { content } = body.paths['/api/account/events'].get.responses['200'];
    expect(Object.keys(content)).toEqual(['text/event-stream']);
    const page = await test.request({ method: 'GET', url: '/api/docs' });
    expect(page.text).toContain('Idempotency-Key');
  });

  it.each([
    ['GET', '/account/refresh_jwt', 'refreshJwt', 'token', 'token uuid'],
    ['POST', '/account/register', 'register', 'email password tenant_id mode', ''],
    ['POST', '/account/verify', 'verify', 'code', 'token uuid'],
    ['POST', '/account/login', 'login', 'email password tenant_id mode', 'token uuid'],
    ['PUT', '/account/update_password', 'updatePassword', 'old_password password', ''],
    ['POST', '/account/forgot_password', 'forgotPassword', 'email tenant_id mode', ''],
    ['POST', '/account/reset_password', 'resetPassword', 'code new_password', ''],
    ['POST', '/account/delete', 'deleteAccount', 'password', ''],
    ['GET', '/account/balance', 'balance', '', 'balance'],
    ['POST', '/account/transfer', 'transfer', 'amount to_uuid', 'id balance'],
    ['POST', '/account/sign', 'sign', 'data', 'signature'],
    ['POST', '/account/tip', 'tip', 'offer_id amount tip_from note', 'id balance'],
    ['POST', '/reward/:id/redeem', 'redeemReward', '', 'amount claimed_at'],
    ['GET', '/exchange_rate', 'exchangeRate', '', 'exchange_rate'],
    ['GET', '/categories', 'categories', '', 'categories'],
    ['GET', '/categories/:id', 'category', '', 'categories offers'],
    ['POST', '/purchase', 'purchase', 'offer_ids offer_counts', 'purchase_id items balance'],
    ['GET', '/my_purchases', 'myPurchases', '', 'purchases'],
    [
      'POST',
      '/payment_intent',
      'createPaymentIntent',
      'exchangeRate subtotal athosFee processingFee total description',
      'client_secret id',
    ],
    ['GET', '/payment_intent/:id', 'paymentIntent', '', 'stripe_status error'],
    ['GET', '/tiers', 'tiers', '', 'tiers'],
    ['GET', '/all_history', 'allHistory', '', 'history'],
  ] as const)(
    '[D-025] [S7-001] keeps %s %s of section 7 under /api, its payload names with what was added left to choice',
    (method, path, name, asked, answered) => {
      const namesOf = (schema: z.ZodType | undefined, io: 'input' | 'output') => {
        if (schema === undefined) return { all: [], required: [] };
        const { $defs = {}, $ref, ...inline } = z.toJSONSchema(schema, { io });
        const object = $ref === undefined ? inline : $defs[$ref.replace('#/$defs/', '')];
        const { properties = {}, required = [] } = object ?? {};
        return { all: Object.keys(properties), required };
      };
      const listed = (names: string) => names.split(' ').filter((one) => one !== '');
      expect(API_PREFIX).toBe('/api');
      expect(api[name]).toMatchObject({ method, path });
      const parts: { body?: z.ZodType; query?: z.ZodType; answer: z.ZodType } = api[name];
      const takes = namesOf(parts.body ?? parts.query, 'input');
      expect(takes.all).toEqual(expect.arrayContaining(listed(asked)));
      expect(listed(asked)).toEqual(expect.arrayContaining(takes.required));
      const answers = namesOf(parts.answer, 'output');
      expect(answers.all).toEqual(expect.arrayContaining(listed(answered)));
    },
  );

  it('[D-030] has a page for human readers', async () => {
    const { status, text, headers } = await test.request({ method: 'GET', url: '/api/docs' });
    expect(status).toBe(200);
    expect(headers['content-type']).toContain('text/html');
    expect(text).toContain('/api/account/transfer');
    expect(text).not.toContain('<script');
  });
});

describe('the log', () => {
  it('[D-040] never contains tokens, codes, passwords or query strings', async () => {
    const { log, lines } = recordLog();
    const logged = await createTestApp({ log });
    const user = await logged.createUser();
    await logged.request({ method: 'GET', url: `/api/account/refresh_jwt?token=${user.token}` });
    await logged.request({ method: 'GET', url: '/api/account/balance', user });
    await logged.request({
      ...login,
      payload: {
        email: 'a@b.example',
        password: 'Secret-pass-1',
        tenant_id: 1,
        mode: 'production',
      },
    });
    await logged.request({
      method: 'POST',
      url: '/api/account/verify',
      payload: { code: 'c0de'.repeat(10) },
    });
    await logged.close();
    const text = lines.join('');
    expect(text).toContain('/api/account/refresh_jwt');
    for (const secret of [
      user.token,
      user.token.split('.')[2],
      'Secret-pass-1',
      'c0de'.repeat(10),
    ]) {
      expect(text).not.toContain(secret);
    }
  });
});
