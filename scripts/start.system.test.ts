import { once } from 'node:events';
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isTraversable } from '@athos/postgres/account';
import { deletePostgres, startPostgres } from '@athos/postgres/launch';
import { findFreePort } from '@athos/postgres/free-port';
import { readCommandLine, readProcessBirth } from '@athos/postgres/processes';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { AUTHORITY_FILE, offerTls, SERVER_NAME } from '../apps/api/test/offer-tls.ts';
import { demoSignIns } from '../apps/api/src/seed/demo-users.ts';
import { clearData } from './start/data-dir.ts';
import { generateKeys } from './start/keys.ts';
import { dataPaths, root } from './start/paths.ts';
import { runRefusedStart, startSystem, waitFor, type StartedSystem } from './start/test-start.ts';

const NOBODY = 65_534;
const canBeNobody = process.getuid?.() === 0 && isTraversable(root);

let parent: string;
let dataDir: string;
let systems: StartedSystem[];

beforeAll(() => {
  parent = mkdtempSync(join(tmpdir(), 'athos-start-'));
  chmodSync(parent, 0o755);
});
afterAll(() => rmSync(parent, { recursive: true, force: true }));
beforeEach(() => {
  dataDir = mkdtempSync(join(parent, 'data-'));
  chmodSync(dataDir, 0o755);
  systems = [];
});
afterEach(async () => {
  for (const system of systems) if (system.child.exitCode === null) await system.stop();
  await deletePostgres(dataPaths(dataDir).postgres);
});

async function start(options: Partial<Parameters<typeof startSystem>[0]> = {}) {
  const system = await startSystem({ dataDir, ...options });
  systems.push(system);
  return system;
}

async function isAnswering(url: string): Promise<boolean> {
  return fetch(url).then(
    (response) => response.ok,
    () => false,
  );
}

async function register(wallet: string, email: string): Promise<void> {
  const response = await fetch(`${wallet}/api/account/register`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email, password: 'Correct-horse-7', tenant_id: 1, mode: 'production' }),
  });
  expect(response.status).toBeLessThan(300);
}

const signIn = (wallet: string, email: string, password: string) =>
  fetch(`${wallet}/api/account/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email, password, tenant_id: 1, mode: 'production' }),
  });

async function listMails(mailbox: string, to: string): Promise<{ links: string[] }[]> {
  const response = await fetch(`${mailbox}/api/messages?to=${encodeURIComponent(to)}`);
  return (await response.json()) as { links: string[] }[];
}

/** `undefined` for the file of a process that has just ended. */
function readIfThere(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}
const pidsOfParts = () =>
  readdirSync(join(dataDir, 'run')).flatMap((name) => {
    const text = readIfThere(join(dataDir, 'run', name));
    return text === undefined ? [] : { name, pid: parseInt(text, 10) };
  });

/** The stack traces in a part's log. */
const stacksIn = (log: string): string[] =>
  readFileSync(join(dataDir, 'logs', log), 'utf8')
    .split('\n')
    .filter((line) => line.includes('"stack"'))
    .map((line) => (JSON.parse(line) as { err: { stack: string } }).err.stack);

/** Settings that a production start accepts. No test contacts the mail server or the card provider they name. */
const productionEnvironment = (databaseUrl: string): NodeJS.ProcessEnv => ({
  NODE_ENV: 'production',
  DATABASE_URL: databaseUrl,
  DATABASE_CA_FILE: AUTHORITY_FILE,
  DATABASE_SERVER_NAME: SERVER_NAME,
  MEDIA_DIR: join(parent, 'pictures'),
  PUBLIC_URL: 'https://wallet.example',
  SIGNING_KEYS: generateKeys().SIGNING_KEYS,
  HASHING_KEY: generateKeys().HASHING_KEY,
  DATA_KEYS: generateKeys().DATA_KEYS,
  RECEIPT_KEY: generateKeys().RECEIPT_KEY,
  SMTP_URL: 'smtps://mail.example',
  MAIL_FROM: 'Rewards <rewards@example.com>',
  STRIPE_SECRET_KEY: 'sk_live_of_nobody',
  STRIPE_PUBLISHABLE_KEY: 'pk_live_of_nobody',
  STRIPE_WEBHOOK_SECRET: 'whsec_production',
  RATE_SOURCE: '0.25',
});

/** NaN while it has no such file. */
const pidOfPostgres = () =>
  parseInt(readIfThere(join(dataDir, 'postgres/cluster/postmaster.pid')) ?? '', 10);

describe('npm start', () => {
  it('starts every part, writes the addresses, stops in order and keeps all data', async () => {
    const first = await start();
    const { wallet, scanner, mailbox, sandbox, ...rest } = first.addresses;
    expect(scanner).toBe(`${wallet}/scanner`);
    expect(rest.console).toBe(`${wallet.replace('127.0.0.1', 'localhost')}/console`);
    expect(mailbox).toMatch(/\/mailbox$/);
    expect(rest.publishableKey).toMatch(/^pk_test_/);
    expect(rest.secretKey).toMatch(/^sk_test_/);
    expect(rest.demoSignIns.length).toBeGreaterThan(1);
    expect(rest.demoStaff).toHaveLength(7);
    const codes = (await (await fetch(`${mailbox}/api/codes`)).json()) as { account: string }[];
    expect(codes.map(({ account }) => account)).toEqual(rest.demoStaff.map(({ email }) => email));
    expect(rest.rewardCodes.length).toBeGreaterThan(1);
    for (const { email, password, role } of rest.demoSignIns) {
      expect([email, password, role].every((text) => text.length > 0)).toBe(true);
    }
    for (const url of [wallet, `${wallet}/readyz`, `${wallet}/api/openapi.json`, mailbox]) {
      expect(await isAnswering(url)).toBe(true);
    }
    expect((await fetch(sandbox)).status).toBeLessThan(500);
    for (const secret of ['addresses.json', 'keys.json', 'postgres/password']) {
      expect(statSync(join(dataDir, secret)).mode & 0o077).toBe(0);
    }

    await register(wallet, 'zoe@example.com');
    await waitFor(async () => (await listMails(mailbox, 'zoe@example.com')).length === 1);
    const [mail] = await listMails(mailbox, 'zoe@example.com');
    expect(mail?.links[0]).toContain(wallet);
    expect(await first.stop()).toBe(0);
    expect(readdirSync(join(dataDir, 'run'))).toEqual([]);
    expect(await isAnswering(wallet)).toBe(false);

    const startedAt = performance.now();
    const second = await start();
    // The goal is 3 s on a quiet machine. Other tests may run at the same time.
    expect(performance.now() - startedAt).toBeLessThan(30_000);
    expect(second.addresses.secretKey).toBe(rest.secretKey);
    expect(await listMails(second.addresses.mailbox, 'zoe@example.com')).toHaveLength(1);
  });

  it('restarts each part that is killed with SIGKILL, PostgreSQL included', async () => {
    const { addresses } = await start();
    for (const { name, pid } of pidsOfParts()) {
      process.kill(pid, 'SIGKILL');
      await waitFor(() => pidsOfParts().some((part) => part.name === name && part.pid !== pid));
    }
    const postgresPid = pidOfPostgres();
    process.kill(postgresPid, 'SIGKILL');
    // A server that has not ended yet could answer the questions below.
    await waitFor(() => ![postgresPid, Number.NaN].includes(pidOfPostgres()));
    for (const url of [`${addresses.wallet}/readyz`, addresses.mailbox]) {
      await waitFor(() => isAnswering(url));
    }
    await register(addresses.wallet, 'zoe@example.com');
    await waitFor(async () => (await listMails(addresses.mailbox, 'zoe@example.com')).length === 1);
  });

  it('starts again after it was killed with SIGKILL itself, and leaves no process behind', async () => {
    const first = await start();
    const pids = [...pidsOfParts().map(({ pid }) => pid), pidOfPostgres()];
    first.child.kill('SIGKILL');
    await once(first.child, 'close');
    const second = await start();
    expect(pids.filter((pid) => readProcessBirth(pid) !== undefined)).toEqual([]);
    expect(await isAnswering(`${second.addresses.wallet}/readyz`)).toBe(true);
  });

  it('starts with empty data on request, and leaves other files alone', async () => {
    writeFileSync(join(dataDir, 'note.txt'), 'mine');
    const first = await start();
    await first.stop();
    writeFileSync(join(dataDir, 'mailbox/0000000001.json'), '{"id":"0000000001","to":"a@b.c"}');
    const second = await start({ words: ['--fresh'] });
    expect(await listMails(second.addresses.mailbox, 'a@b.c')).toEqual([]);
    expect(second.addresses.secretKey).not.toBe(first.addresses.secretKey);
    expect(existsSync(join(dataDir, 'note.txt'))).toBe(true);
  });

  it.each([
    ['no account with a public password', {}, 401],
    ["the demo's accounts, if DEMO=1 asks for them", { DEMO: '1' }, 200],
  ])('writes into an external database %s', async (_what, env, status) => {
    const ownDir = join(parent, 'seeded-postgres');
    const postgres = await startPostgres({ dataDir: ownDir, durable: false });
    try {
      const { addresses } = await start({ env: { ...env, DATABASE_URL: postgres.url } });
      expect(addresses.demoSignIns.length > 0).toBe(status === 200);
      for (const { email, password } of demoSignIns) {
        expect((await signIn(addresses.wallet, email, password)).status).toBe(status);
      }
    } finally {
      await systems.at(-1)?.stop();
      await postgres.stop();
      await deletePostgres(ownDir);
    }
  });

  it('survives the loss of an external database, and resumes when it is back', async () => {
    const ownDir = join(parent, 'own-postgres');
    const first = await startPostgres({ dataDir: ownDir, durable: false });
    const { child, addresses } = await start({ env: { DATABASE_URL: first.url } });
    const { wallet, mailbox } = addresses;
    const pids = pidsOfParts();
    await first.stop();
    const answer = await fetch(`${wallet}/readyz`);
    expect(answer.status).toBe(503);
    // The response comes in time and does not claim success.
    const refused = await signIn(wallet, 'zoe@example.com', 'Correct-horse-7');
    expect(refused.status).toBe(503);
    const second = await startPostgres({ dataDir: ownDir, durable: false, port: first.port });
    try {
      await waitFor(() => isAnswering(`${wallet}/readyz`));
      await register(wallet, 'zoe@example.com');
      await waitFor(async () => (await listMails(mailbox, 'zoe@example.com')).length === 1);
      // The processes are the same: the outage ended none of them.
      expect(pidsOfParts()).toEqual(pids);
      expect(child.exitCode).toBeNull();
    } finally {
      await systems.at(-1)?.stop();
      await second.stop();
      await deletePostgres(ownDir);
    }
  });

  it('runs the bundles in production, with stack traces that name source lines', async () => {
    const ownDir = join(parent, 'production-postgres');
    const postgres = await startPostgres({ dataDir: ownDir, durable: false });
    const port = await findFreePort();
    const api = `http://127.0.0.1:${port}`;
    await offerTls(postgres.url);
    try {
      await start({ env: { ...productionEnvironment(postgres.url), PORT: String(port) } });
      const commands = pidsOfParts().map(({ pid }) => readCommandLine(pid));
      for (const program of ['wallet-api', 'worker']) {
        expect(commands.join('\n')).toContain(`/apps/api/dist/${program}.js`);
      }
      for (const path of ['/', '/scanner', '/readyz', '/api/openapi.json', '/api/docs']) {
        expect(await isAnswering(api + path), path).toBe(true);
      }
      await register(api, 'zoe@example.com');
      // Loads the card SDK, which is a separate file of the bundle and refuses the signature.
      const webhook = await fetch(`${api}/api/webhooks/stripe`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'stripe-signature': 't=1,v1=00' },
        body: '{}',
      });
      expect(webhook.status).toBe(400);
      await postgres.stop();
      expect(await isAnswering(`${api}/api/tiers`)).toBe(false);
      const ownLine = /\(\S+\/apps\/api\/src\/\S+\.ts:\d+:\d+\)/;
      await waitFor(() => stacksIn('api.log').some((stack) => ownLine.test(stack)));
      expect(await systems.at(-1)?.stop()).toBe(0);
    } finally {
      await postgres.stop();
      await deletePostgres(ownDir);
    }
  });

  it.runIf(canBeNobody)('runs as an ordinary user', async () => {
    chownSync(dataDir, NOBODY, NOBODY);
    const system = await start({ uid: NOBODY });
    expect(statSync(join(dataDir, 'postgres/cluster')).uid).toBe(NOBODY);
    expect(await isAnswering(`${system.addresses.wallet}/readyz`)).toBe(true);
    expect(await system.stop()).toBe(0);
  });
});

describe('npm start explains in one sentence', () => {
  it('that the port is in use', async () => {
    const server = createServer();
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const result = await runRefusedStart({ dataDir, env: { PORT: String(port) } });
    server.close();
    expect(result).toEqual({
      code: 1,
      output: `Port ${port} is taken by another program: end that one, or choose another port with PORT.`,
    });
  });

  it('that a second start would use or empty the same folder', async () => {
    const { child } = await start();
    await expect(clearData(dataPaths(dataDir))).rejects.toThrow('already runs PostgreSQL on');
    const { code, output } = await runRefusedStart({ dataDir, words: ['--fresh'] });
    expect(code).toBe(1);
    expect(output).toBe(
      `The system already runs on ${dataDir} (process ${child.pid}): stop it first, or choose another folder with DATA_DIR.`,
    );
  });

  it('that the database cannot be used', async () => {
    const url = 'postgres://athos:secret@127.0.0.1:1/athos';
    const result = await runRefusedStart({ dataDir, env: { DATABASE_URL: url } });
    expect(result).toEqual({
      code: 1,
      output: 'The database at 127.0.0.1:1/athos cannot be used: nothing listens there.',
    });
  });

  it('that the folder cannot be created', async () => {
    writeFileSync(join(dataDir, 'file'), '');
    const impossible = join(dataDir, 'file/data');
    const result = await runRefusedStart({ dataDir: impossible });
    expect(result).toEqual({
      code: 1,
      output: `The folder ${impossible} cannot be written to (ENOTDIR): choose another one with DATA_DIR.`,
    });
  });

  it.runIf(canBeNobody)('that the folder belongs to another user', async () => {
    const foreign = join(dataDir, 'data');
    mkdirSync(foreign, { mode: 0o755 });
    const result = await runRefusedStart({ dataDir: foreign, uid: NOBODY });
    expect(result).toEqual({
      code: 1,
      output: `The folder ${foreign} cannot be written to (EACCES): choose another one with DATA_DIR.`,
    });
  });
});

describe('npm start lists', () => {
  it('every wrong setting at once and starts nothing', async () => {
    const { code, output } = await runRefusedStart({
      dataDir,
      env: {
        PORT: 'eighty',
        MAILBOX_PORT: '70000',
        DATABASE_URL: 'mysql://nowhere',
        STRIPE_SECRET_KEY: 'sk_test_of_mine',
      },
      words: ['--fresh'],
    });
    expect(code).toBe(1);
    for (const name of [
      'PORT: must be',
      'MAILBOX_PORT: must be',
      'DATABASE_URL: must be a postgres:// address',
      'STRIPE_PUBLISHABLE_KEY: is missing',
      'STRIPE_WEBHOOK_SECRET: is missing',
      '--fresh: empties the embedded database only',
    ]) {
      expect(output).toContain(name);
    }
    expect(readdirSync(dataDir)).toEqual([]);
  });

  it('every missing setting in production, where it brings nothing itself', async () => {
    const { code, output } = await runRefusedStart({ dataDir, env: { NODE_ENV: 'production' } });
    expect(code).toBe(1);
    for (const name of [
      'DATABASE_URL',
      'SIGNING_KEYS',
      'HASHING_KEYS',
      'DATA_KEYS',
      'RECEIPT_KEY',
      'SMTP_URL',
      'MAIL_FROM',
      'STRIPE_SECRET_KEY',
      'STRIPE_PUBLISHABLE_KEY',
      'STRIPE_WEBHOOK_SECRET',
      'RATE_SOURCE',
      'MEDIA_DIR',
      'DATABASE_CA_FILE',
    ]) {
      expect(output).toContain(`  ${name}: is missing`);
    }
    expect(readdirSync(dataDir)).toEqual([]);
  });

  it('demo data, sandbox and mailbox as faults in production', async () => {
    const { code, output } = await runRefusedStart({
      dataDir,
      env: {
        ...generateKeys(),
        NODE_ENV: 'production',
        DEMO: '1',
        DATABASE_URL: 'postgres://athos:secret@db.example/athos',
        SMTP_URL: 'smtp://127.0.0.1:8025',
        MAIL_FROM: 'Rewards <rewards@example.com>',
        STRIPE_API_URL: 'http://127.0.0.1:8082',
        RATE_SOURCE: '0.25',
        PUBLIC_URL: 'https://wallet.example',
      },
    });
    expect(code).toBe(1);
    for (const name of ['DEMO', 'STRIPE_API_URL', 'STRIPE_SECRET_KEY', 'SMTP_URL']) {
      expect(output).toMatch(new RegExp(`^  ${name}: `, 'm'));
    }
  });
});
