/** The state of the demo's past: its clock, its services, and the ids of the rows created so far. */
import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import type { Task } from 'graphile-worker';
import { setPastClock } from '../../ledger/index.ts';
import type { Deps } from '../../deps.ts';
import type { ClaimReward } from '../../modules/campaigns/index.ts';
import type { Device } from '../../modules/identity/index.ts';
import type { AttemptDeps } from '../../modules/tickets/index.ts';
import type { SendDeps } from '../../modules/transfers/index.ts';
import { invariant } from '../../platform/errors.ts';
import type { Mail, Mailer } from '../../platform/mail/mailer.ts';
import { MailRefusedError } from '../../platform/mail/mailer.ts';
import type { Clock } from '../../platform/clock.ts';
import type { PastBank } from './past-bank.ts';

/** The time of the past, which both our services and the ledger use as the current time. */
export class PastClock implements Clock {
  #nowMs: number;

  constructor(beginMs: number) {
    this.#nowMs = beginMs;
  }

  nowMs = (): number => this.#nowMs;

  async moveTo(db: Deps['db'], atMs: number): Promise<void> {
    this.#nowMs = Math.max(this.#nowMs, Math.round(atMs));
    await setPastClock(db, this.#nowMs);
  }
}

/** One of this many receipts is refused because its mailbox no longer exists. */
const REFUSED_OF = 60;

/** Delivers nothing. Remembers the codes of links, and refuses some mails permanently. */
export class PastMailer implements Mailer {
  readonly codes = new Map<string, string>();
  #count = 0;

  send({ to, text }: Mail): Promise<void> {
    const [, code] = /[?&]code=([\w-]+)/.exec(text) ?? [];
    if (code !== undefined) this.codes.set(to, code);
    else if ((this.#count += 1) % REFUSED_OF === 0) {
      return Promise.reject(new MailRefusedError('550 5.1.1 mailbox unavailable'));
    }
    return Promise.resolve();
  }

  close(): void {}
}

export interface PastUser {
  readonly userId: bigint;
  readonly userUuid: string;
  readonly device: Device;
  readonly networkAddress: string;
}

export interface World {
  readonly words: string;
  readonly deps: Deps & { close(): Promise<void> };
  readonly clock: PastClock;
  readonly mailer: PastMailer;
  readonly bank: PastBank;
  readonly sending: SendDeps;
  readonly scanning: AttemptDeps;
  readonly claimReward: ClaimReward;
  readonly tasks: Readonly<Record<string, Task | undefined>>;
  /** Jobs up to this id existed before and are left to the worker. */
  readonly lastJobBefore: string;
  /** The users by the index of their person. */
  readonly users: Map<number, PastUser>;
  readonly orders: Map<number, { readonly orderId: string; readonly intentId: string }>;
  readonly lastOrders: Map<number, number>;
  readonly purchases: Map<
    number,
    { readonly purchaseId: bigint; readonly itemIds: readonly number[] }
  >;
  /** The staff who scan, by venue. */
  readonly crews: readonly (readonly bigint[])[];
  readonly venueIds: readonly number[];
}

/** A key of the past (RFC 9562, version 8). The same act always has the same key. */
export function pastKey({ words }: Pick<World, 'words'>, what: string): string {
  const hex = createHash('sha256').update(`${words} ${what}`).digest('hex');
  const parts = [
    hex.slice(0, 8),
    hex.slice(8, 12),
    `8${hex.slice(13, 16)}`,
    `8${hex.slice(17, 20)}`,
  ];
  return [...parts, hex.slice(20, 32)].join('-');
}

export function userOf({ users }: Pick<World, 'users'>, person: number): PastUser {
  const user = users.get(person);
  invariant(user !== undefined, 'only people with an account act');
  return user;
}

/** Less than the number of connections, so that no call waits for one. */
const AT_ONCE = 8;

/** Runs functions concurrently, but no more at once than there are connections for. */
export async function doAll(things: readonly (() => Promise<unknown>)[]): Promise<void> {
  const waiting = things.values();
  const takeTurns = async (): Promise<void> => {
    for (const thing of waiting) await thing();
  };
  await Promise.all(Array.from({ length: AT_ONCE }, takeTurns));
}

/** Runs a job of the worker now. */
export async function runTask(
  { tasks }: Pick<World, 'tasks'>,
  name: string,
  payload: unknown = {},
  priority = 0,
): Promise<void> {
  const task = tasks[name];
  invariant(task !== undefined, `there is a job ${name}`);
  // The tasks read no other field of the job.
  await task(payload, { job: { priority } } as Parameters<Task>[1]);
}

/** Jobs enqueue other jobs a few times; more rounds than this would mean a cycle. */
const ROUNDS_MAX = 10;

/** The newest job in the queue. */
export async function selectLastJob(db: Deps['db']): Promise<string> {
  const { rows } = await sql<{ id: string }>`
    select coalesce(max(id), 0)::text as id from graphile_worker._private_jobs`.execute(db);
  return rows[0]?.id ?? '0';
}

/** Runs the jobs that the worker would have run by now, and removes them from the queue. */
export async function runJobs(world: World): Promise<void> {
  const { db } = world.deps;
  for (let round = 0; round < ROUNDS_MAX; round += 1) {
    const { rows } = await sql<{ id: string; name: string; payload: unknown; priority: number }>`
      select job.id::text, task.identifier as name, job.payload, job.priority
        from graphile_worker._private_jobs job
        join graphile_worker._private_tasks task on task.id = job.task_id
       where job.id > ${world.lastJobBefore}::bigint
       order by job.id`.execute(db);
    if (rows.length === 0) return;
    await doAll(
      rows.map(
        ({ name, payload, priority }) =>
          () =>
            runTask(world, name, payload, priority),
      ),
    );
    const ids = `{${rows.map(({ id }) => id).join(',')}}`;
    await sql`select from graphile_worker.complete_jobs(${ids}::bigint[])`.execute(db);
  }
  invariant(false, 'jobs come to an end');
}
