/** Recovers a lost second step as its owner or a thief would. */
import { identity } from '../src/modules/identity/index.ts';
import { latestCodeTo, mailsTo } from './accounts.ts';
import { challengeFor, post } from './second-step.ts';
import type { TestAnswer, TestApp } from './test-app.ts';

export const askForRecovery = (test: TestApp, challenge: string): Promise<TestAnswer> =>
  post(test, 'recovery/ask', { challenge_id: challenge });

export const beginRecovery = (test: TestApp, code: string): Promise<TestAnswer> =>
  post(test, 'recovery/begin', { code });

/** Stops it with the code of a mail. */
export const cancelRecovery = (test: TestApp, code: string): Promise<TestAnswer> =>
  post(test, 'recovery/cancel', { code });

export const subjectsTo = (test: TestApp, email: string): string[] =>
  mailsTo(test, email).map(({ subject }) => subject);

/** Lets time pass, and does what is due. */
export async function passTime(test: TestApp, ms: number): Promise<void> {
  test.clock.advance(ms);
  const tasks = identity.createTasks({ ...test.deps, erasures: [] });
  await tasks.upkeep?.['auth_recoveries']?.({}, {} as never);
  await test.runJobs();
}

/** Asks with the password, and returns the code of the mailed link. */
export async function mailedRecoveryCode(test: TestApp, email: string): Promise<string> {
  const { body } = await askForRecovery(test, await challengeFor(test, email));
  if (body.ends_at !== null) throw new Error('no link is mailed while a wait goes on');
  await test.runJobs();
  return latestCodeTo(test, email);
}

/** Begins the wait, and returns the code of the mail that stops it. */
export async function beginRecoveryOf(test: TestApp, email: string): Promise<string> {
  const { status, text } = await beginRecovery(test, await mailedRecoveryCode(test, email));
  if (status !== 200) throw new Error(`not begun: ${text}`);
  await test.runJobs();
  return latestCodeTo(test, email);
}
