import { randomBytes } from 'node:crypto';
import { addressAs, ensureRoles, LOGIN_ROLES, type LoginRole } from '../src/roles.ts';
import { createKeptConnection } from './kept-connection.ts';

function serverUrl(): string {
  const url = process.env['ATHOS_TEST_DATABASE_URL'];
  if (url === undefined) throw new Error('no test server: run the tests through vitest');
  return url;
}

export function databaseUrlNamed(name: string): string {
  const url = new URL(serverUrl());
  url.pathname = `/${name}`;
  return url.href;
}

/** Opening a connection takes longer than to create or drop a database, and some files have one for each test. */
const server = createKeptConnection();

const onServer = async (statement: string): Promise<void> => {
  await (await server.to(serverUrl())).query(statement);
};

/** Ends the connection to the server, for processes that go on without databases. */
export const leaveServer = (): Promise<void> => server.end();

/** Every role of the test server has the password that the server was made with. */
const password = (): string => decodeURIComponent(new URL(serverUrl()).password);

export const ensureTestRoles = (): Promise<void> =>
  ensureRoles(serverUrl(), Object.fromEntries(LOGIN_ROLES.map((role) => [role, password()])));

/** The same database, as another role. */
export const asRole = (url: string, role: LoginRole): string => addressAs(url, role, password());

export const createDatabase = (name: string): Promise<void> => onServer(`create database ${name}`);
export const dropDatabase = (name: string): Promise<void> =>
  onServer(`drop database if exists ${name} with (force)`);

/** The machine of a test may be slower than any that serves people, so tests wait longer for statements and locks. */
const PATIENCE_MS = '30000';
/** The driver prefers what an address says to what the program sets. */
const PATIENT = new URLSearchParams({
  statement_timeout: PATIENCE_MS,
  lock_timeout: PATIENCE_MS,
  query_timeout: PATIENCE_MS,
  idle_in_transaction_session_timeout: PATIENCE_MS,
}).toString();

/** The same database with the time limits of the product, for tests that are about them. */
export function withProductLimits(url: string): string {
  const limited = new URL(url);
  limited.search = '';
  return limited.href;
}

export interface TestDatabase {
  /** As the API signs in. */
  readonly url: string;
  /** As the worker signs in. */
  readonly workerUrl: string;
  /** May do anything, for tests that break what no program can. */
  readonly adminUrl: string;
  readonly drop: () => Promise<void>;
}

/** Creates a migrated, empty database. Copying the template's files takes 13 ms; the default, through the WAL, takes 51 ms. */
export async function copyTemplate(): Promise<TestDatabase> {
  const name = `athos_test_${randomBytes(6).toString('hex')}`;
  const template = process.env['ATHOS_TEST_TEMPLATE'] ?? '';
  await onServer(`create database ${name} template ${template} strategy file_copy`);
  const adminUrl = `${databaseUrlNamed(name)}?${PATIENT}`;
  return {
    url: asRole(adminUrl, 'athos_api'),
    workerUrl: asRole(adminUrl, 'athos_worker'),
    adminUrl,
    drop: () => dropDatabase(name),
  };
}
