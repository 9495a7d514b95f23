import { walletRoutes } from '@athos/contract/gen/wallet-routes';
import { uuidTimeMs } from '@athos/domain/uuid';
import { afterEach, expect, it, vi } from 'vitest';
import { createClient } from './client.ts';
import { newIdempotencyKey } from './idempotency-key.ts';

afterEach(() => vi.unstubAllGlobals());

it('makes keys by the time of the server, even if this machine’s date is wrong', async () => {
  const serverMs = Date.now() - 400 * 86_400_000;
  const headers = { date: new Date(serverMs).toUTCString() };
  vi.stubGlobal('fetch', () => Promise.resolve(Response.json({}, { headers })));
  const client = createClient(walletRoutes, {
    prefixUrl: 'https://wallet.test/api',
    token: () => undefined,
    deviceId: () => 'device',
    onUnauthorized: () => undefined,
    onNetworkBack: () => undefined,
    onNetworkLost: () => undefined,
    log: () => undefined,
  });
  await client.call('balance').catch(() => undefined);
  const keyMs = uuidTimeMs(newIdempotencyKey()) ?? 0;
  expect(Math.abs(keyMs - serverMs)).toBeLessThan(60_000);
});
