/** The queue of jobs, the sent mails, and the card provider's events. */
import { z } from 'zod';
import { timeText, uuidText } from '../values.ts';
import { reasonText } from './approvals.ts';
import type { ConsoleCalls } from './console-call.ts';
import { MAIL_TEMPLATES } from './customers.ts';
import { listOf, pageQuery } from './lists.ts';

/** `retrying`: failed and will run again. `failed`: gave up, and stays for 30 days. */
const JOB_STATES = ['waiting', 'running', 'retrying', 'failed'] as const;
export type JobState = (typeof JOB_STATES)[number];

const taskName = z.string().regex(/^[a-z][a-z0-9_]{0,62}$/, 'must be the name of a task');
const jobId = z.string().regex(/^[1-9]\d{0,18}$/, 'must be the number of a job');
const jobParam = z.object({ id: jobId });

const job = z
  .object({
    id: z.string(),
    task: z.string(),
    state: z.enum(JOB_STATES),
    attempts: z.int(),
    attempts_max: z.int(),
    created_at: timeText,
    /** The time of the next run, or of the last one if it gave up. */
    run_at: timeText,
    /** The customer concerned. */
    customer_uuid: z.string().nullable(),
    /** The last failure, without addresses and secrets. */
    failure: z.string().nullable(),
  })
  .meta({ id: 'Job' });

const mailState = z.enum(['sent', 'refused']);

export const jobCalls = {
  jobs: {
    method: 'GET',
    path: '/admin/jobs',
    auth: 'console',
    permission: 'jobs.read',
    summary: 'Jobs that wait, run or have failed, newest first',
    query: z.object({
      ...pageQuery,
      state: z.enum(JOB_STATES).optional(),
      task: taskName.optional(),
    }),
    answer: listOf(job),
  },
  job: {
    method: 'GET',
    path: '/admin/jobs/:id',
    auth: 'console',
    permission: 'jobs.read',
    summary: 'One of them',
    params: jobParam,
    answer: job,
  },
  jobQueue: {
    method: 'GET',
    path: '/admin/job-queue',
    auth: 'console',
    permission: 'jobs.read',
    summary: 'How long the queue is, by task, and how the card provider’s events come in',
    answer: z
      .object({
        tasks: z.array(
          z.object({
            task: z.string(),
            waiting: z.int(),
            running: z.int(),
            retrying: z.int(),
            failed: z.int(),
            /** The time since which the oldest job that may run has waited. */
            due_since: timeText.nullable(),
          }),
        ),
        /** There are more jobs than were counted. */
        is_at_least: z.boolean(),
        events: z.object({
          /** Received within 24 hours, counted up to 10,000. */
          received: z.int(),
          unprocessed: z.int(),
          last_received_at: timeText.nullable(),
          /** The time of the oldest event that waits for its job. */
          unprocessed_since: timeText.nullable(),
        }),
      })
      .meta({ id: 'JobQueue' }),
  },
  retryJob: {
    method: 'POST',
    path: '/admin/jobs/:id/retry',
    auth: 'console',
    permission: 'jobs.manage',
    audit: { action: 'job.retry', subject: 'job' },
    summary: 'Run a job that has failed again, now and with all its attempts',
    params: jobParam,
    answer: job,
  },
  giveUpJob: {
    method: 'POST',
    path: '/admin/jobs/:id/give-up',
    auth: 'console',
    permission: 'jobs.manage',
    proof: true,
    audit: { action: 'job.give_up', subject: 'job' },
    summary: 'Give up a job that does not run at this moment',
    params: jobParam,
    body: z.object({ reason: reasonText }).meta({ id: 'GiveUpJob' }),
    answer: job,
  },
  mails: {
    method: 'GET',
    path: '/admin/mails',
    auth: 'console',
    permission: 'jobs.read',
    summary:
      'Mails to customers that the mail server took or refused, newest first. Their texts are not kept',
    query: z.object({
      ...pageQuery,
      state: mailState.optional(),
      template: z.enum(MAIL_TEMPLATES).optional(),
      customer_uuid: uuidText.optional(),
    }),
    answer: listOf(
      z
        .object({
          id: z.string(),
          template: z.enum(MAIL_TEMPLATES),
          state: mailState,
          customer_uuid: z.string(),
          at: timeText,
          /** The mail server's response, without the address. */
          refusal: z.string().nullable(),
        })
        .meta({ id: 'ConsoleMail' }),
    ),
  },
} as const satisfies ConsoleCalls;
