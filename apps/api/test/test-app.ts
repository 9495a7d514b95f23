/** The whole API on its own database, with a clock, mails and jobs under the control of the test. */
import { randomBytes, randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { FastifyInstance, InjectOptions } from 'fastify';
import { Logger, runOnce } from 'graphile-worker';
import pg from 'pg';
import { vi } from 'vitest';
import { microAth, type MicroAth, type TokenAsset } from '@athos/domain/money';
import { buildApp } from '../src/app.ts';
import { readConfig, type Config } from '../src/config/config.ts';
import { createDeps, type Deps, type StandIns } from '../src/deps.ts';
import { systemAccountId, TransferKind, userAccountId } from '../src/ledger/index.ts';
import type { Clock } from '../src/platform/clock.ts';
import { tracedTasks } from '../src/platform/jobs/traced-tasks.ts';
import { createLog, type Log } from '../src/platform/log/log.ts';
import type { Mail } from '../src/platform/mail/mailer.ts';
import { openDatabase, type Db } from '../src/platform/database/database.ts';
import { createTasks } from '../src/capabilities.ts';
import { copyTemplate } from './test-database.ts';

export interface TestClock extends Clock {
  advance(byMs: number): void;
}

export interface TestUser {
  readonly userId: bigint;
  readonly uuid: string;
  readonly email: string;
  readonly token: string;
}

interface TestAppOptions {
  /** Environment variables that override the tests' defaults. */
  readonly env?: Readonly<Record<string, string>>;
  readonly standIns?: StandIns;
  readonly log?: Log;
}

export interface TestApp {
  readonly app: FastifyInstance;
  /** Connected as the API, which may change no table of the ledger and nothing that is kept for good. */
  readonly deps: Deps;
  /** May change everything, for tests that break what no program can, or begin anew. */
  readonly admin: Db;
  readonly adminUrl: string;
  readonly clock: TestClock;
  readonly mails: Mail[];
  /** Runs every due job once. */
  runJobs(): Promise<void>;
  /** Creates a verified user with a session. The balance is transferred from issuance. */
  createUser(options?: {
    balance?: MicroAth;
    asset?: TokenAsset;
    email?: string;
    passwordHash?: string;
  }): Promise<TestUser>;
  /** Sends a request, signed in as `user` if given. */
  request(options: InjectOptions & { user?: TestUser; key?: string }): Promise<TestAnswer>;
  close(): Promise<void>;
}

export interface TestAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly text: string;
  // Untyped, because tests state what they expect in it.
  readonly body: any; // oxlint-disable-line typescript/no-explicit-any -- tests read any answer's fields
}

/** Stops the clock until the end of the test, and returns a function that moves it on. */
export function stopClock({ clock }: Pick<TestApp, 'clock'>): (byMs: number) => void {
  let nowMs = clock.nowMs();
  vi.spyOn(clock, 'nowMs').mockImplementation(() => nowMs);
  return (byMs) => {
    nowMs += byMs;
    clock.advance(byMs);
  };
}

/** The real time plus an offset, so that it agrees with `now()` in the database. */
function createTestClock(): TestClock {
  let offsetMs = 0;
  return {
    nowMs: () => Date.now() + offsetMs,
    advance: (byMs) => {
      offsetMs += byMs;
    },
  };
}

export const TEST_ENV = {
  NODE_ENV: 'test',
  PORT: '0',
  PUBLIC_URL: 'http://127.0.0.1:8080',
  SIGNING_KEYS: randomBytes(32).toString('base64url'),
  HASHING_KEY: randomBytes(32).toString('base64url'),
  DATA_KEYS: randomBytes(32).toString('base64url'),
  RECEIPT_KEY: randomBytes(32).toString('base64url'),
  SMTP_URL: 'smtp://127.0.0.1:1',
  MAIL_FROM: 'Athos Rewards <rewards@athos.example>',
  STRIPE_SECRET_KEY: 'sk_test_sandbox_tests',
  STRIPE_PUBLISHABLE_KEY: 'pk_test_sandbox_tests',
  STRIPE_WEBHOOK_SECRET: 'whsec_tests',
  STRIPE_API_URL: 'http://127.0.0.1:1',
  STRIPE_SCRIPT_URL: 'http://127.0.0.1:1/stripe.js',
  RATE_SOURCE: '0.1683',
  LOG_LEVEL: 'silent',
};

export function testConfig(
  databaseUrl: string,
  env: Readonly<Record<string, string>> = {},
): Config {
  return readConfig({ ...TEST_ENV, DATABASE_URL: databaseUrl, ...env });
}

/** Sends requests to an app that does not listen. */
export const requestTo =
  (app: FastifyInstance): TestApp['request'] =>
  async ({ user, key, headers = {}, ...options }) => {
    const answer = await app.inject({
      ...options,
      headers: {
        ...(user === undefined ? {} : { authorization: `Bearer ${user.token}` }),
        ...(key === undefined ? {} : { 'idempotency-key': key }),
        ...headers,
      },
    });
    const isJson = /json/.test(String(answer.headers['content-type']));
    return {
      status: answer.statusCode,
      headers: answer.headers,
      text: answer.body,
      body: isJson ? answer.json() : undefined,
    };
  };

/** Transfers tokens from issuance to a user. */
export async function issueTo(
  { ledger }: Pick<Deps, 'ledger'>,
  userId: bigint,
  amount: MicroAth,
  asset: TokenAsset = 'ATH',
): Promise<void> {
  const outcome = await ledger.transfer({
    debitAccountId: systemAccountId('issuance', asset),
    creditAccountId: userAccountId(userId, asset),
    amountUnits: amount,
    kind: TransferKind.Seed,
    key: randomUUID(),
  });
  if (outcome.outcome !== 'done') throw new Error(`tokens were refused: ${outcome.outcome}`);
}

export async function createTestApp({
  env = {},
  standIns = {},
  log,
}: TestAppOptions = {}): Promise<TestApp> {
  const database = await copyTemplate();
  // Shared by all job runs, since opening connections for each takes longer than most jobs.
  const jobPool = new pg.Pool({ connectionString: database.workerUrl, max: 4 });
  // Tests end connections on purpose; the pool opens new ones.
  const ignoreLoss = (): void => undefined;
  jobPool.on('error', ignoreLoss).on('connect', (client) => client.on('error', ignoreLoss));
  const mediaDir = await mkdtemp(join(tmpdir(), 'pictures-'));
  const config = testConfig(database.url, { MEDIA_DIR: mediaDir, ...env });
  const clock = createTestClock();
  const mails: Mail[] = [];
  const mailer = {
    send: (mail: Mail) => {
      mails.push(mail);
      return Promise.resolve();
    },
    close: () => undefined,
  };
  const deps = createDeps(config, log ?? createLog(config.logLevel), {
    clock,
    mailer,
    ...standIns,
  });
  const app = await buildApp(deps);
  const admin = openDatabase(database.adminUrl, deps.log, {
    size: 4,
    applicationName: 'athos-test-admin',
  });

  async function createUser({
    balance = microAth(0n),
    asset = 'ATH',
    email = `user-${randomUUID()}@athos.example`,
    passwordHash = 'none',
  }: Parameters<TestApp['createUser']>[0] = {}): Promise<TestUser> {
    const { db, ledger, sessions } = deps;
    const user = await db.transaction().execute(async (tx) => {
      const { id, uuid } = await tx
        .insertInto('users')
        .values({ email, password_hash: passwordHash })
        .returning(['id', 'uuid'])
        .executeTakeFirstOrThrow();
      await ledger.openAccounts(tx, id);
      return {
        userId: id,
        uuid,
        email,
        token: await sessions.open(tx, { userId: id, userUuid: uuid }),
      };
    });
    if (balance > 0n) await issueTo(deps, user.userId, balance, asset);
    return user;
  }

  return {
    app,
    deps,
    admin: admin.db,
    adminUrl: database.adminUrl,
    clock,
    mails,
    createUser,
    async runJobs() {
      const { money, mail, upkeep, verification } = createTasks(deps);
      await runOnce({
        pgPool: jobPool,
        taskList: tracedTasks({ ...money, ...mail, ...upkeep, ...verification }),
        noHandleSignals: true,
        // As in the worker, the result of each job is recorded before this returns.
        preset: { worker: { completeJobBatchDelay: 0, failJobBatchDelay: 0 } },
        logger: new Logger(() => () => undefined),
      });
    },
    request: requestTo(app),
    async close() {
      await app.close();
      await deps.close();
      await jobPool.end();
      await admin.close();
      await database.drop();
      await rm(mediaDir, { recursive: true, force: true });
    },
  };
}
