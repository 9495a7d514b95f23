/** Jobs, mails and the state of the system, as the API returns them to the console. */
import type { ConsoleAnswerOf } from '@athos/contract/console/calls';
import type { Handlers } from '../fake-api.ts';

type Job = ConsoleAnswerOf<'job'>;
type Mail = ConsoleAnswerOf<'mails'>['items'][number];
type System = ConsoleAnswerOf<'system'>;

export const JOB_ID = '48102';
const CUSTOMER_UUID = '0192aaaa-0000-7000-8000-000000000001';
const MINUTE_MS = 60_000;
const minutesAgo = (minutes: number): string =>
  new Date(Date.now() - minutes * MINUTE_MS).toISOString();

export const job = (more: Partial<Job> = {}): Job => ({
  id: JOB_ID,
  task: 'payment_receipt',
  state: 'failed',
  attempts: 25,
  attempts_max: 25,
  created_at: minutesAgo(4_400),
  run_at: minutesAgo(30),
  customer_uuid: CUSTOMER_UUID,
  failure: '451 [address] mailbox is busy, try again later',
  ...more,
});

const JOBS: readonly Job[] = [
  job(),
  job({ id: '48101', task: 'auth_mail_new_device', state: 'retrying', attempts: 3 }),
  job({
    id: '48100',
    task: 'payment_list_events',
    state: 'running',
    attempts: 1,
    failure: null,
    customer_uuid: null,
  }),
  job({
    id: '48099',
    task: 'export_run',
    state: 'waiting',
    attempts: 0,
    attempts_max: 1,
    failure: null,
    customer_uuid: null,
  }),
];

const task = (
  name: string,
  counts: Partial<Record<Job['state'], number>>,
  dueMinutes?: number,
) => ({
  task: name,
  waiting: 0,
  running: 0,
  retrying: 0,
  failed: 0,
  ...counts,
  due_since: dueMinutes === undefined ? null : minutesAgo(dueMinutes),
});

const mail = (id: string, more: Partial<Mail> = {}): Mail => ({
  id,
  template: 'receipt',
  state: 'sent',
  customer_uuid: CUSTOMER_UUID,
  at: minutesAgo(12),
  refusal: null,
  ...more,
});

export const system = (more: Partial<System> = {}): System => {
  const program = (name: string, facts: Partial<System['processes'][number]> = {}) => ({
    id: `0192dddd-0000-7000-8000-0000000000${name.length}`,
    program: name,
    version: '0068_jobs_and_health',
    started_at: minutesAgo(3_000),
    seen_at: minutesAgo(0.1),
    is_gone: false,
    memory_bytes: 148_000_000,
    loop_delay_ms: 4,
    ...facts,
  });
  return {
    at: minutesAgo(0),
    processes: [program('api'), program('worker', { memory_bytes: 96_000_000, loop_delay_ms: 31 })],
    database: {
      byte_count: 2_840_000_000,
      connections: 31,
      connections_max: 100,
      oldest_transaction_seconds: null,
      replicas: [{ name: 'standby-1', state: 'streaming', lag_seconds: 0.2 }],
      is_replica: false,
    },
    outside: [
      { name: 'provider', ok_at: minutesAgo(2), failed_at: minutesAgo(900) },
      { name: 'mail', ok_at: minutesAgo(40), failed_at: minutesAgo(3) },
      { name: 'rate', ok_at: minutesAgo(0.1), failed_at: null },
    ],
    told: [{ kind: 'backup', at: minutesAgo(400), note: 'nightly, 12 GB' }],
    verified: { ledger: { at: minutesAgo(700), state: 'right' }, audit: null },
    ...more,
  };
};

const listed = <Item>(items: readonly Item[]) => ({
  items: [...items],
  next_cursor: null,
  count: { value: items.length, is_at_least: false },
});

export const healthAnswers: Handlers = {
  jobs: () => listed(JOBS),
  job: () => job(),
  jobQueue: () => ({
    tasks: [
      task('auth_mail_new_device', { waiting: 2, retrying: 1 }, 3),
      task('payment_list_events', { running: 1 }),
      task('export_run', { waiting: 1 }, 1),
      task('payment_receipt', { failed: 1 }),
    ],
    is_at_least: false,
    events: {
      received: 412,
      unprocessed: 1,
      last_received_at: minutesAgo(1),
      unprocessed_since: minutesAgo(1),
    },
  }),
  retryJob: () => job({ state: 'waiting', attempts: 0 }),
  giveUpJob: () => job({ failure: 'Given up by staff' }),
  mails: () =>
    listed([
      mail('901'),
      mail('900', {
        template: 'new_device',
        state: 'refused',
        refusal: '550 5.1.1 [recipient] unknown',
      }),
      mail('899', { template: 'reset' }),
    ]),
  system: () => system(),
};
