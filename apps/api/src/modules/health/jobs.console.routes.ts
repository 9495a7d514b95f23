/** The queue in the console: waiting jobs, failed jobs with their reasons, and retries. */
import type { FastifyInstance } from 'fastify';
import { consoleApi } from '@athos/contract/console/calls';
import type { ActInput } from '../../platform/console/act.ts';
import { consoleEndpoint, type ConsoleDeps } from '../../platform/console/console-endpoint.ts';
import type { ListCursors } from '../../platform/console/list-cursor.ts';
import type { Db, Tx } from '../../platform/database/database.ts';
import { AppError } from '../../platform/errors.ts';
import { failureWords } from '../../platform/jobs/failure-words.ts';
import {
  countJobs,
  failJob,
  lockJob,
  rescheduleJob,
  selectJob,
  selectJobs,
  selectQueue,
  type QueuedJob,
} from '../../platform/jobs/queue.sql.ts';
import { countMails, selectMails, type MailRow } from '../../platform/mail/sent-mails.sql.ts';
import { selectEventCounts } from '../cards/index.ts';
import { selectUserByUuid } from '../identity/index.ts';

export interface JobConsoleDeps extends ConsoleDeps {
  readonly listCursors: ListCursors;
}

const presentJob = (job: QueuedJob) => ({
  id: job.id.toString(),
  task: job.task,
  state: job.state,
  attempts: job.attempts,
  attempts_max: job.attemptsMax,
  created_at: job.createdAt.toISOString(),
  run_at: job.runAt.toISOString(),
  customer_uuid: job.customerUuid,
  failure: job.lastError === null ? null : failureWords(job.lastError),
});

async function readJob(db: Db | Tx, id: bigint) {
  const job = await selectJob(db, id);
  if (job === undefined) throw new AppError('not_found', { detail: 'It is done, or was deleted.' });
  return presentJob(job);
}

/** Locks a job in one of the states. Throws `not_found`, and `state_changed` in another state. */
async function lockJobIn(tx: Tx, id: bigint, states: readonly QueuedJob['state'][]) {
  const job = await lockJob(tx, id);
  if (job === undefined) throw new AppError('not_found', { detail: 'It is done, or was deleted.' });
  if (!states.includes(job.state)) {
    throw new AppError('state_changed', { detail: `The job is ${job.state}.` });
  }
  return presentJob(job);
}

async function retryJob({ tx, record }: Pick<ActInput, 'tx' | 'record'>, id: bigint) {
  const before = await lockJobIn(tx, id, ['retrying', 'failed']);
  await rescheduleJob(tx, id);
  const { task, attempts, failure } = before;
  await record({ subjectId: id.toString(), before: { task, attempts, failure } });
  return readJob(tx, id);
}

async function giveUpJob(
  { tx, record }: Pick<ActInput, 'tx' | 'record'>,
  id: bigint,
  reason: string,
) {
  const before = await lockJobIn(tx, id, ['waiting', 'retrying']);
  await failJob(tx, id, 'Given up by staff');
  const { task, attempts, failure } = before;
  await record({
    subjectId: id.toString(),
    before: { task, attempts, failure },
    after: { reason },
  });
  return readJob(tx, id);
}

const presentMail = (mail: MailRow) => ({
  id: mail.id.toString(),
  template: mail.template,
  state: mail.refusal === null ? ('sent' as const) : ('refused' as const),
  customer_uuid: mail.customerUuid,
  at: mail.sentAt.toISOString(),
  refusal: mail.refusal,
});

/** The id of no row. */
const NOBODY = 0n;

export function registerJobConsole(app: FastifyInstance, deps: JobConsoleDeps): void {
  const { db, listCursors } = deps;

  consoleEndpoint(app, deps, consoleApi.jobs, async ({ query }) => {
    const { limit, after, count } = listCursors.readPage('jobs', query);
    const beforeId = after === undefined ? undefined : BigInt(after[0] ?? '');
    const [rows, total] = await Promise.all([
      selectJobs(db, query, { limit, beforeId }),
      count ?? countJobs(db, query),
    ]);
    return listCursors.answer('jobs', query, {
      rows,
      count: total,
      positionOf: ({ id }) => [id.toString()],
      present: presentJob,
    });
  });

  consoleEndpoint(app, deps, consoleApi.job, ({ params }) => readJob(db, BigInt(params.id)));

  consoleEndpoint(app, deps, consoleApi.jobQueue, async () => {
    const [{ tasks, isAtLeast }, events] = await Promise.all([
      selectQueue(db),
      selectEventCounts(db),
    ]);
    return {
      tasks: tasks.map(({ dueSince, ...task }) => ({
        ...task,
        due_since: dueSince?.toISOString() ?? null,
      })),
      is_at_least: isAtLeast,
      events: {
        received: events.received,
        unprocessed: events.unprocessed,
        last_received_at: events.lastReceivedAt?.toISOString() ?? null,
        unprocessed_since: events.unprocessedSince?.toISOString() ?? null,
      },
    };
  });

  consoleEndpoint(app, deps, consoleApi.retryJob, (act) => retryJob(act, BigInt(act.params.id)));

  consoleEndpoint(app, deps, consoleApi.giveUpJob, (act) =>
    giveUpJob(act, BigInt(act.params.id), act.body.reason),
  );

  consoleEndpoint(app, deps, consoleApi.mails, async ({ query }) => {
    const { limit, after, count } = listCursors.readPage('mails', query);
    const { customer_uuid: uuid, state, template } = query;
    const user = uuid === undefined ? undefined : await selectUserByUuid(db, uuid);
    const userId = uuid === undefined ? undefined : (user?.id ?? NOBODY);
    const filters = { userId, state, template };
    const beforeId = after === undefined ? undefined : BigInt(after[0] ?? '');
    const [rows, total] = await Promise.all([
      selectMails(db, filters, { limit, beforeId }),
      count ?? countMails(db, filters),
    ]);
    return listCursors.answer('mails', query, {
      rows,
      count: total,
      positionOf: ({ id }) => [id.toString()],
      present: presentMail,
    });
  });
}
