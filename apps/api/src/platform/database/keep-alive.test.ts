import { Socket } from 'node:net';
import { sql } from 'kysely';
import { afterEach, expect, it, vi } from 'vitest';
import { createTestApp } from '../../../test/test-app.ts';

afterEach(() => vi.restoreAllMocks());

it('every connection to PostgreSQL is probed after 5 s of silence, so that none outlives the other end unnoticed', async () => {
  const keepAlive = vi.spyOn(Socket.prototype, 'setKeepAlive');
  const test = await createTestApp();
  try {
    keepAlive.mockClear();
    const user = await test.createUser();
    await test.deps.ledger.isKeyUsed(user.userId, user.uuid);
    await sql`select 1`.execute(test.deps.consoleDb);
    await expect.poll(() => test.deps.notifications.isListening()).toBe(true);
    expect(keepAlive.mock.calls.length).toBeGreaterThan(2);
    expect(new Set(keepAlive.mock.calls.map((call) => JSON.stringify(call)))).toEqual(
      new Set(['[true,5000]']),
    );
  } finally {
    await test.close();
  }
});
