import { Writable } from 'node:stream';
import type { ServerResponse } from 'node:http';
import { pino } from 'pino';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import type { CallName } from '@athos/contract/api';
import { API_PREFIX } from '@athos/contract/call';
import { problem } from '@athos/contract/problem';
import { liveEvent, type LiveEvent } from '@athos/contract/wallet/events';
import type { TestApp, TestUser } from '../test/test-app.ts';
import { EventHub } from './platform/http/event-hub.ts';

interface Compiled {
  readonly schema: unknown;
  readonly method?: string;
  readonly url?: string;
  /** Set for request schemas, absent for response schemas. */
  readonly httpPart?: string;
}
const compiled: Compiled[] = [];

// Fastify validates with compiled schemas, so the app is loaded again with compilers that record what they compile.
vi.resetModules();
vi.doMock(import('fastify-type-provider-zod'), async (load) => {
  const real = await load();
  return {
    ...real,
    validatorCompiler: (route) => {
      compiled.push(route as Compiled);
      return real.validatorCompiler(route);
    },
    serializerCompiler: (route) => {
      compiled.push(route as Compiled);
      return real.serializerCompiler(route);
    },
  };
});
const { api } = await import('@athos/contract/api');
const { createTestApp } = await import('../test/test-app.ts');
const { createStaff } = await import('../test/build-redemption.ts');
const { endpoint } = await import('./platform/http/endpoint.ts');

const names = Object.keys(api) as CallName[];
const PARTS = { body: 'body', query: 'querystring', params: 'params' } as const;

let test: TestApp;
let staff: TestUser;
const logLines: string[] = [];
beforeAll(async () => {
  const sink = new Writable({
    write(chunk, _encoding, done) {
      logLines.push(String(chunk));
      done();
    },
  });
  test = await createTestApp({ log: pino({ level: 'error' }, sink) });
  endpoint(
    test.app,
    test.deps,
    { ...api.exchangeRate, path: '/wrong_answer' as typeof api.exchangeRate.path },
    ({ request }) => {
      const isText = request.headers['x-answer'] === 'text';
      const wrong: object = { exchange_rate: isText ? 'cheap' : 0.1683, secret: 'of the house' };
      return wrong as { exchange_rate: number };
    },
  );
  await test.app.ready();
  staff = await createStaff(test);
});
afterAll(async () => {
  vi.doUnmock('fastify-type-provider-zod');
  vi.resetModules();
  await test.close();
});

function schemaOf(name: CallName, part: string | undefined): unknown {
  const { method, path } = api[name];
  const found = compiled.filter(
    (route) =>
      route.method === method && route.url === API_PREFIX + path && route.httpPart === part,
  );
  expect(found.length, `${name} ${part ?? 'answer'}`).toBeLessThanOrEqual(1);
  return found[0]?.schema;
}

it.each(names)(
  '[D-027] validates the request and response of %s with the schemas of the contract',
  (name) => {
    const { answer, ...parts } = api[name];
    expect(schemaOf(name, undefined)).toBe(answer);
    for (const [part, fastifyPart] of Object.entries(PARTS)) {
      const stated = (parts as Record<string, unknown>)[part];
      expect(schemaOf(name, fastifyPart), `${name} ${part}`).toBe(stated);
    }
  },
);

const withBody = names.filter((name) => 'body' in api[name]);
it.each(withBody)('[D-027] refuses a body of %s that the schema refuses', async (name) => {
  const { method, path } = api[name];
  const url = API_PREFIX + path;
  for (const payload of [{}, [], { unheard: 'of' }]) {
    const { status, body } = await test.request({ method, url, payload, user: staff });
    expect({ status, code: body.code }).toEqual({ status: 400, code: 'invalid_request' });
    expect(problem.parse(body)).toEqual(body);
  }
});

it.each([
  ['paymentIntent', '/payment_intent/seven'],
  ['historyItem', '/all_history/seven'],
  ['tier', '/tiers/0'],
  ['category', '/categories/2147483648'],
  ['allHistory', '/all_history?limit=none'],
  ['offers', '/offers?ids=a,b'],
  ['scannerScans', '/scanner/scans?limit=none'],
  ['refreshJwt', `/account/refresh_jwt?token=${'x'.repeat(4097)}`],
] as const)('[D-027] refuses an address of %s that the schema refuses', async (name, address) => {
  const { method } = api[name];
  const { status, body } = await test.request({ method, url: API_PREFIX + address, user: staff });
  expect({ status, code: body.code }).toEqual({ status: 400, code: 'invalid_request' });
  expect(problem.parse(body)).toEqual(body);
});

it('[D-027] drops response members that the schema does not have, and fails on a response that violates it', async () => {
  const url = '/api/wrong_answer';
  expect((await test.request({ method: 'GET', url })).body).toEqual({ exchange_rate: 0.1683 });
  const wrong = await test.request({ method: 'GET', url, headers: { 'x-answer': 'text' } });
  expect({ status: wrong.status, code: wrong.body.code }).toEqual({
    status: 500,
    code: 'internal_error',
  });
  expect(wrong.text).not.toContain('cheap');
  expect(logLines.join('')).toContain('ResponseSerializationError');
});

it('[D-027] does not send a live event that violates its schema', () => {
  const write = vi.fn<(text: string) => boolean>();
  const response = { write, writableLength: 0, end: () => undefined } as unknown as ServerResponse;
  const hub = new EventHub<bigint, LiveEvent>(liveEvent, { perOwnerMax: 1, allMax: 1 });
  hub.add({ owner: 1n, sessionId: 's', response });
  const balances = { ATH: '1', ATH2: '0', ATH3: '0' };
  const wrong = { type: 'balance', balance: 1, balances } as unknown as LiveEvent;
  expect(() => hub.sendTo(1n, wrong)).toThrow('balance');
  expect(write).not.toHaveBeenCalled();
  hub.sendTo(1n, { type: 'balance', balance: '1', balances });
  expect(write).toHaveBeenCalledOnce();
});
