/** Which program serves the console, at which address and to which callers. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { api } from '@athos/contract/api';
import { API_PREFIX } from '@athos/contract/call';
import { consoleApi } from '@athos/contract/console/calls';
import { consoleAs, createStaffMember, signInStaff, type ConsoleCaller } from '../test/console.ts';
import { openSecondApp, type SecondApp } from '../test/second-app.ts';
import { createTestApp, type TestApp } from '../test/test-app.ts';
import { createStaffSessions, requireNoDemoStaff } from './modules/staff/index.ts';
import { POOL_SIZE } from './platform/database/database.ts';

const folder = mkdtempSync(join(tmpdir(), 'console-app-'));
let test: TestApp;
let owner: ConsoleCaller;
const apps: SecondApp[] = [];

beforeAll(async () => {
  mkdirSync(join(folder, 'assets'));
  writeFileSync(join(folder, 'index.html'), '<title>console</title><style>p{}</style>');
  writeFileSync(join(folder, 'assets/index-abc.js'), '// console');
  test = await createTestApp({
    env: { CONSOLE_STATIC_DIR: folder, APP_ORIGINS: 'https://localhost' },
  });
  owner = await consoleAs(test, ['provider_owner']);
});
afterAll(async () => {
  for (const app of apps) await app.close();
  await test.close();
  rmSync(folder, { recursive: true });
});

async function openWith(env: Readonly<Record<string, string>>): Promise<SecondApp> {
  const app = await openSecondApp(test, { env: { CONSOLE_STATIC_DIR: folder, ...env } });
  apps.push(app);
  return app;
}

const get = (from: Pick<TestApp, 'request'>, url: string, remoteAddress = '127.0.0.1') =>
  from.request({ method: 'GET', url, remoteAddress });

describe('the documents', () => {
  it('[O-043] leave the console out of the public document', async () => {
    const { text, body } = await get(test, '/api/openapi.json');
    expect(Object.keys(body.paths).length).toBeGreaterThan(20);
    expect(text).not.toMatch(/\/admin\b|AuditEntry|ListCount/);
    expect((await get(test, '/api/docs')).text).not.toMatch(/\/admin\b|AuditEntry/);
  });

  it('describe every call of the console to staff, and none of the wallet', async () => {
    expect((await get(test, '/api/admin/openapi.json')).status).toBe(401);
    const { body } = await owner.call('consoleDocument');
    expect(body.openapi).toBe('3.1.0');
    for (const { method, path } of Object.values(consoleApi)) {
      const item = body.paths[API_PREFIX + path.replace(/:(\w+)/g, '{$1}')];
      expect(item?.[method.toLowerCase()]?.description, path).toMatch(/^Permission: |^Needs no/);
    }
    expect(body.paths).not.toHaveProperty(`${API_PREFIX}${api.balance.path}`);
    expect(body.components.schemas).toHaveProperty('AuditEntry');
    expect(body.components.schemas).not.toHaveProperty('TransferRequest');
  });
});

describe('the page', () => {
  it.each(['/console', '/console/', '/console/audit/7?sort=oldest'])(
    'is served at %s',
    async (url) => {
      const { status, text, headers } = await get(test, url);
      expect([status, text]).toEqual([200, expect.stringContaining('<title>console</title>')]);
      expect(headers['x-robots-tag']).toBe('noindex');
    },
  );

  it('has a policy of its own: no card provider, no WebAssembly, nothing inline', async () => {
    const { headers } = await get(test, '/console');
    const policy = String(headers['content-security-policy']);
    expect(policy).toContain("default-src 'none'; script-src 'self'; style-src 'self'");
    expect(policy).not.toMatch(/unsafe|sha256|wasm|stripe|127\.0\.0\.1/);
    expect(headers['permissions-policy']).toContain('camera=()');
    const wallet = await get(test, '/api/docs');
    expect(String(wallet.headers['content-security-policy'])).toContain('wasm-unsafe-eval');
  });

  it('does not stand in for a missing script', async () => {
    expect((await get(test, '/console/assets/index-abc.js')).text).toBe('// console');
    expect((await get(test, '/console/assets/index-old.js')).status).toBe(404);
  });
});

it('lets no page of another origin read it, not even those of the native apps', async () => {
  const origin = 'https://localhost';
  const { status, headers } = await owner.call('auditEntries', { headers: { origin } });
  expect([status, headers['access-control-allow-origin']]).toEqual([200, undefined]);
  const shared = await test.request({ method: 'GET', url: '/api/tiers', headers: { origin } });
  expect(shared.headers['access-control-allow-origin']).toBe(origin);
  for (const site of ['same-site', 'cross-site']) {
    const read = await owner.call('auditEntries', { headers: { 'sec-fetch-site': site } });
    expect([read.status, read.body.code]).toEqual([403, 'foreign_origin']);
  }
  const own = await owner.call('auditEntries', { headers: { 'sec-fetch-site': 'same-origin' } });
  expect(own.status).toBe(200);
});

describe('networks', () => {
  it('[O-058] keep everybody outside them from the console, however the address is spelled', async () => {
    const office = await openWith({ CONSOLE_NETWORKS: '10.0.0.0/8, 2001:db8::/32' });
    for (const url of ['/console', '/console/audit', '/api/admin/audit', '/api/%61dmin/audit']) {
      const outside = await get(office, url, '203.0.113.7');
      expect([url, outside.status, outside.body.code]).toEqual([url, 403, 'network_not_allowed']);
      expect((await get(office, url, '10.1.2.3')).status, url).not.toBe(403);
      expect((await get(office, url, '2001:db8::7')).status, url).not.toBe(403);
    }
    expect((await get(office, '/api/tiers', '203.0.113.7')).status).toBe(200);
  });
});

it('is not served with CONSOLE=off', async () => {
  const without = await openWith({ CONSOLE: 'off' });
  for (const url of ['/console', '/api/admin/audit']) {
    expect((await get(without, url)).status).toBe(404);
  }
});

describe('staff of the demo', () => {
  it('stop a production start and are never signed in there', async () => {
    const { deps } = test;
    const config = { ...deps.config, isProduction: true };
    await requireNoDemoStaff({ ...deps, config });
    const member = await createStaffMember(test, ['support'], {
      isDemo: true,
      email: 'demo@athos.example',
    });
    const { token } = await signInStaff(test, member);
    await requireNoDemoStaff(deps);
    await expect(requireNoDemoStaff({ ...deps, config })).rejects.toThrow(/demo@athos.example/);
    const from = { caller: ['place'] as const, address: '127.0.0.1' };
    const inProduction = createStaffSessions({ ...deps, config });
    await expect(inProduction.authenticate(token, from)).rejects.toThrow('session_ended');
    expect(await deps.staffSessions.authenticate(token, from)).toMatchObject(member);
  });
});

it('answers while the wallet has no connection left: sessions and limits are read on its own', async () => {
  // Data that all processes cache, such as the programme's settings, is read on the wallet's connections.
  expect((await owner.call('me')).status).toBe(200);
  let release = (): void => undefined;
  const isOver = new Promise<void>((resolve) => {
    release = resolve;
  });
  let takenCount = 0;
  const taken = Array.from({ length: POOL_SIZE }, () =>
    test.deps.db.transaction().execute(async (tx) => {
      await sql`select 1`.execute(tx);
      takenCount += 1;
      await isOver;
    }),
  );
  await vi.waitUntil(() => takenCount === POOL_SIZE, { timeout: 10_000, interval: 5 });
  const { status } = await owner.call('me');
  const limited = test.deps.consoleLimits.takeLimited('code_look_up', owner.staffId);
  await expect(limited).resolves.toBeUndefined();
  release();
  await Promise.all(taken);
  expect(status).toBe(200);
});
