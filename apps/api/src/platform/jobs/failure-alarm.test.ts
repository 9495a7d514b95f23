import { expect, it } from 'vitest';
import { recordLog } from '../../../test/recorded-log.ts';
import { FailureAlarm } from './failure-alarm.ts';

const HOUR_MS = 60 * 60_000;

function createAlarm() {
  const { log, lines } = recordLog();
  let nowMs = 1_790_000_000_000;
  const alarm = new FailureAlarm(log, { nowMs: () => nowMs }, ['limits_prune', 'payment_list']);
  const job = (task: string, attempts: number, attemptCountMax: number) => ({
    id: '7',
    task_identifier: task,
    attempts,
    max_attempts: attemptCountMax,
  });
  const raised = () => lines.map((line) => (JSON.parse(line) as { task: string }).task);
  /** Fails with every attempt from the first to the given one. */
  const failTo = (task: string, attempts: number, attemptCountMax: number): void => {
    for (let attempt = 1; attempt <= attempts; attempt += 1) {
      alarm.failed(job(task, attempt, attemptCountMax));
    }
  };
  const succeed = (task: string) => alarm.succeeded(job(task, 1, 3));
  const wait = (ms: number) => (nowMs += ms);
  return { raised, failTo, succeed, wait };
}

it('is raised once for a scheduled task that keeps failing, and again after a day', () => {
  const { raised, failTo, wait } = createAlarm();
  failTo('limits_prune', 2, 3);
  expect(raised()).toEqual([]);
  failTo('limits_prune', 3, 3);
  for (let hour = 1; hour < 23; hour += 1) {
    wait(HOUR_MS);
    failTo('limits_prune', 3, 3);
  }
  expect(raised()).toEqual(['limits_prune']);
  wait(HOUR_MS);
  failTo('limits_prune', 3, 3);
  expect(raised()).toEqual(['limits_prune', 'limits_prune']);
});

it('is raised anew for a scheduled task that has succeeded in between', () => {
  const { raised, failTo, succeed } = createAlarm();
  failTo('limits_prune', 3, 3);
  succeed('limits_prune');
  failTo('limits_prune', 2, 3);
  expect(raised()).toHaveLength(1);
  failTo('limits_prune', 3, 3);
  expect(raised()).toHaveLength(2);
});

it('is raised for a scheduled task whose next run replaces the retries and fails too', () => {
  const { raised, failTo, succeed } = createAlarm();
  failTo('payment_list', 8, 25);
  succeed('payment_list');
  failTo('payment_list', 8, 25);
  expect(raised()).toEqual([]);
  failTo('payment_list', 1, 25);
  expect(raised()).toEqual(['payment_list']);
});

it('is raised for every other job that has used up its attempts, unless it is enqueued again anyway', () => {
  const { raised, failTo } = createAlarm();
  failTo('auth_mail_reset', 24, 25);
  failTo('payment_look', 3, 3);
  expect(raised()).toEqual([]);
  failTo('auth_mail_reset', 25, 25);
  failTo('auth_mail_reset', 25, 25);
  expect(raised()).toEqual(['auth_mail_reset', 'auth_mail_reset']);
});
