import { ensureTestServer, type TestServer } from '@athos/postgres/test-server';

let server: TestServer | undefined;

/**
 * Vitest global setup: starts one PostgreSQL for the whole run and passes its URL to the workers in
 * ATHOS_TEST_DATABASE_URL.
 */
export async function setup(): Promise<void> {
  server = await ensureTestServer();
  process.env['ATHOS_TEST_DATABASE_URL'] = server.url;
}

export async function teardown(): Promise<void> {
  await server?.stop();
}
