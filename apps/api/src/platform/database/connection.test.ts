import pg from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createFreezableProxy, type FreezableProxy } from '../../../test/freezable-proxy.ts';
import { recordLog } from '../../../test/recorded-log.ts';
import { copyTemplate } from '../../../test/test-database.ts';
import { verifyLedger } from '../../ledger/index.ts';
import { verifyAudit } from '../audit/verify.ts';
import { isLostConnection } from './connection.ts';
import { LastingConnection } from './lasting-connection.ts';

let template: Awaited<ReturnType<typeof copyTemplate>>;
let proxy: FreezableProxy;
beforeAll(async () => {
  template = await copyTemplate();
  proxy = await createFreezableProxy(template.url);
});
afterAll(async () => {
  await proxy.close();
  await template.drop();
});

it('a statement after the loss of its connection counts as lost too', async () => {
  const client = new pg.Client(proxy.url);
  client.on('error', () => undefined);
  await client.connect();
  await client.query('begin');
  const ended = new Promise<void>((resolve) => client.once('end', resolve));
  proxy.cutAndHeal();
  await ended;
  const error: unknown = await client.query('select 1').catch((thrown: unknown) => thrown);
  expect(isLostConnection(error)).toBe(true);
});

it.each([
  ['ledger', verifyLedger],
  ['audit', verifyAudit],
])(
  'a verification of the %s throws if its server goes, and the process lives',
  async (_, verify) => {
    const isAsked = proxy.freezeBefore('select');
    const verified = verify({ databaseUrl: proxy.url });
    void isAsked.then(() => proxy.cutAndHeal());
    await expect(verified).rejects.toThrow('Connection terminated');
  },
);

it('a lasting connection survives that the file of its authority is missing', async () => {
  const { log, lines } = recordLog();
  const url = new URL(template.url);
  url.searchParams.set('sslmode', 'verify-full');
  url.searchParams.set('sslrootcert', '/nowhere/ca.pem');
  const connection = new LastingConnection({
    databaseUrl: url.href,
    applicationName: 'try',
    log,
    onUp: () => undefined,
  });
  // It tries again.
  await expect
    .poll(() => lines.filter((line) => line.includes('ENOENT')).length)
    .toBeGreaterThan(1);
  expect(connection.isUp()).toBe(false);
  await connection.close();
});
