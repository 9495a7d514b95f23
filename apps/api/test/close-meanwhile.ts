import type { TestAnswer, TestApp, TestUser } from './test-app.ts';
import { waitForLock } from './wait-for-lock.ts';

/** Closes the account while its request waits for the lock that the closing holds, and returns the answer. */
export async function closeMeanwhile(
  test: TestApp,
  { userId }: TestUser,
  ask: () => Promise<TestAnswer>,
): Promise<TestAnswer> {
  const closing = await test.deps.db.startTransaction().execute();
  await closing
    .updateTable('users')
    .set({ email: null, password_hash: null, closed_at: new Date() })
    .where('id', '=', userId)
    .execute();
  const answer = ask();
  await waitForLock(test);
  await closing.commit().execute();
  return answer;
}
