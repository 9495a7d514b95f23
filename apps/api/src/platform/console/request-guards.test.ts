/** Refusals of console requests before any handler sees them. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import type { ConsoleCall } from '@athos/contract/console/console-call';
import { consoleAs, type ConsoleCaller } from '../../../test/console.ts';
import { createTestApp, type TestApp } from '../../../test/test-app.ts';
import { consoleEndpoint } from './console-endpoint.ts';

const keep = {
  method: 'POST',
  path: '/admin/test_kept/:id',
  auth: 'console',
  permission: 'customers.note',
  summary: 'Keeps anything',
  audit: { action: 'note.write', subject: 'customer' },
  params: z.object({ id: z.string() }),
  body: z.object({ value: z.json() }),
  answer: z.object({}),
} as const satisfies ConsoleCall;

let test: TestApp;
let support: ConsoleCaller;
beforeAll(async () => {
  test = await createTestApp();
  consoleEndpoint(test.app, test.deps, keep, async ({ body, params, record }) => {
    await record({ subjectId: params.id, after: body });
    return {};
  });
  support = await consoleAs(test, ['support']);
});
afterAll(() => test.close());

const ask = async (body: unknown, id = 'ada') => {
  const headers = { 'content-type': 'application/json' };
  const { status, body: answer } = await support.ask(keep, { params: { id }, body, headers });
  return [status, answer.code];
};

const REFUSED = [400, 'invalid_request'];
/** Stays within the byte limit, but is nested deeper than the stack of a recursive reader. */
const DEPTH = 7_000;

describe('a request that the database cannot keep', () => {
  it.each([
    ['a NUL in its body', { value: 'a\u0000b' }],
    ['half of a surrogate pair in its body', { value: 'a\ud800b' }],
    ['a NUL in a name of its body', { value: { '\u0000': 1 } }],
    [
      'a body that nests deeper than the stack',
      `{"value":${'['.repeat(DEPTH)}${']'.repeat(DEPTH)}}`,
    ],
  ])('is refused for %s, with an entry', async (_what, body) => {
    expect(await ask(body)).toEqual(REFUSED);
    const entry = await test.deps.db
      .selectFrom('audit_entries')
      .select(['action', 'outcome'])
      .orderBy('seq', 'desc')
      .executeTakeFirst();
    expect(entry).toEqual({ action: 'note.write', outcome: 'refused' });
  });

  it('is refused for a NUL in its address', async () => {
    expect(await ask({ value: 'a' }, 'a\u0000b')).toEqual(REFUSED);
  });

  it('is taken with any other text', async () => {
    expect(await ask({ value: ['\u0001 \u{1F600}', { nested: [[null]] }] })).toEqual([
      200,
      undefined,
    ]);
  });
});
