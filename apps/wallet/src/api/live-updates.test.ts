// @vitest-environment jsdom
import { isNetworkLost } from '@athos/app-core/network';
import { screen, within } from '@testing-library/react';
import type { LiveEvent } from '@athos/contract/wallet/events';
import { balanceOf, walletAnswers } from '@athos/testing/answers';
import { installFakeBackend } from '@athos/testing/fake-fetch';
import { pass, useFakeTime } from '@athos/testing/fake-time';
import { liveStream } from '@athos/testing/samples/purchases';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { endTest, openAt, passLoading } from '../../test/signed-in.tsx';
import { paths } from '../routes/paths.ts';

beforeEach(() => useFakeTime());
afterEach(() => {
  vi.restoreAllMocks();
  endTest();
});

const balance = () => within(screen.getByRole('region', { name: 'Your wallet' }));

it('an unknown event type is ignored, and the events after it are heard on the same stream', async () => {
  const backend = installFakeBackend(walletAnswers);
  const stream = liveStream();
  backend.answer('events', stream.answer);
  await openAt('/app', { live: true });
  const callCount = backend.calls('balance').length;
  // An event type that only a later server sends.
  stream.tell({ type: 'parade', id: '7' } as unknown as LiveEvent);
  await pass();
  expect(backend.calls('balance')).toHaveLength(callCount);
  stream.tell({ type: 'balance', ...balanceOf('7000000') });
  await pass();
  expect(balance().getByText(/7\.00/)).toBeDefined();
  expect(backend.calls('events')).toHaveLength(1);
});

it('nothing is polled while the network is lost, and the balance is fetched once it is back', async () => {
  const backend = installFakeBackend(walletAnswers);
  await openAt('/app', { live: true });
  isNetworkLost.set(true);
  const callCount = () => backend.calls('balance').length + backend.calls('exchangeRate').length;
  const before = callCount();
  await pass(60_000);
  expect(callCount()).toBe(before);
  isNetworkLost.set(false);
  await pass();
  const back = backend.calls('balance').length;
  expect(callCount()).toBeGreaterThan(before);
  await pass(15_000);
  expect(backend.calls('balance')).toHaveLength(back + 1);
});

const moved = (id: number) => ({
  id,
  date: '2026-11-20T10:00:00.000Z',
  amount: '5000000',
  asset: 'ATH' as const,
  counterparty: '0192bbbb-0000-7000-8000-000000000002',
});

async function turn(state: DocumentVisibilityState): Promise<void> {
  vi.spyOn(document, 'visibilityState', 'get').mockReturnValue(state);
  document.dispatchEvent(new Event('visibilitychange'));
  await passLoading();
}

it('what happened while the tab was hidden is in the history, for one page of it', async () => {
  const backend = installFakeBackend(walletAnswers);
  backend.answer('events', liveStream().answer);
  const older = { history: [{ type: 'Reward' as const, data: moved(1) }], next_cursor: null };
  const send = (state: 'arriving' | 'sent') => ({
    type: 'Send' as const,
    data: { ...moved(2), state },
  });
  backend.answer('allHistory', ({ query }) =>
    query.get('cursor') === null ? { history: [send('arriving')], next_cursor: 'older' } : older,
  );
  await openAt(paths.history, { live: true });
  expect(screen.getByText('Arriving')).toBeDefined();
  await turn('hidden');
  const received = { type: 'Receive' as const, data: moved(3) };
  backend.answer('allHistory', ({ query }) =>
    query.get('cursor') === null
      ? { history: [received, send('sent')], next_cursor: 'older' }
      : older,
  );
  const callCount = backend.calls('allHistory').length;
  await turn('visible');
  expect(screen.queryByText('Arriving')).toBeNull();
  const list = within(screen.getByRole('list', { name: 'History' }));
  expect(list.getAllByRole('link')).toHaveLength(3);
  expect(backend.calls('allHistory').length).toBe(callCount + 1);
});
