/** However slow the reads of one person are, they must not lock others out of the console. */
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { z } from 'zod';
import type { ConsoleCall } from '@athos/contract/console/console-call';
import { consoleAs } from '../../../test/console.ts';
import { twenty } from '../../../test/shop.ts';
import { createTestApp, type TestApp } from '../../../test/test-app.ts';
import { waitForLock } from '../../../test/wait-for-lock.ts';
import { consoleEndpoint } from './console-endpoint.ts';

const slow = {
  method: 'GET',
  path: '/admin/test_slow',
  auth: 'console',
  permission: 'own',
  summary: 'Waits for the venues',
  answer: z.object({}),
} as const satisfies ConsoleCall;

let test: TestApp;
beforeAll(async () => {
  test = await createTestApp();
  const deps = { ...test.deps, db: test.deps.consoleDb };
  consoleEndpoint(test.app, deps, slow, async () => {
    await sql`select from venues`.execute(deps.db);
    return {};
  });
});
afterAll(() => test.close());

it('twenty slow reads of one person keep nobody else from reading and acting', async () => {
  const [busy, other] = [await consoleAs(test, ['support']), await consoleAs(test, ['support'])];
  const ada = await test.createUser();
  const { reads, seen, held } = await test.deps.db.transaction().execute(async (tx) => {
    await sql`lock table venues in access exclusive mode`.execute(tx);
    const asked = twenty(() => busy.ask(slow));
    await waitForLock(test);
    const params = { uuid: ada.uuid };
    return {
      reads: asked,
      seen: await other.call('customerHolds', { params }),
      held: await other.call('placeHold', {
        params,
        body: { kinds: ['send'], reason: 'Reported as stolen by phone' },
      }),
    };
  });
  expect([seen.status, held.status]).toEqual([200, 200]);
  // On a busy machine, the last ones are refused as overloaded.
  for (const { status } of await reads) expect([200, 503]).toContain(status);
});
