/** A second API on the same database, in the same process. */
import type { FastifyInstance } from 'fastify';
import { buildApp } from '../src/app.ts';
import { createDeps, type Deps } from '../src/deps.ts';
import { createLog } from '../src/platform/log/log.ts';
import { requestTo, testConfig, type TestApp } from './test-app.ts';

export interface SecondApp {
  readonly app: FastifyInstance;
  readonly deps: Deps;
  readonly request: TestApp['request'];
  close(): Promise<void>;
}

interface SecondAppOptions {
  /** Default: the first app's database. */
  readonly databaseUrl?: string;
  /** Environment variables that override the tests' defaults. */
  readonly env?: Readonly<Record<string, string>>;
}

/** Opens a second API that shares only the first one's clock, mails, secrets, database and way to the card provider. */
export async function openSecondApp(
  { clock, deps: first }: TestApp,
  { databaseUrl = first.config.databaseUrl, env = {} }: SecondAppOptions = {},
): Promise<SecondApp> {
  const { mailer, pictureStorage, cardProvider } = first;
  const deps = createDeps(testConfig(databaseUrl, env), createLog('silent'), {
    clock,
    mailer,
    pictureStorage,
    cardProvider,
  });
  const app = await buildApp(deps);
  return {
    app,
    deps,
    request: requestTo(app),
    async close() {
      await app.close();
      await deps.close();
    },
  };
}
