import { ensureTestServer, type TestServer } from '@athos/postgres/test-server';

let server: TestServer | undefined;

/** Vitest global setup: one PostgreSQL for the whole run. ATHOS_TEST_DATABASE_URL tells every worker its address. */
export async function setup(): Promise<void> {
  server = await ensureTestServer();
  process.env['ATHOS_TEST_DATABASE_URL'] = server.url;
}

export async function teardown(): Promise<void> {
  await server?.stop();
}
