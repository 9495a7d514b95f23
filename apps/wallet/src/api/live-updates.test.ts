// @vitest-environment jsdom
import { isNetworkLost } from '@athos/app-core/network';
import { screen, within } from '@testing-library/react';
import type { LiveEvent } from '@athos/contract/wallet/events';
import { balanceOf, walletAnswers } from '@athos/testing/answers';
import { installFakeBackend } from '@athos/testing/fake-fetch';
import { pass, useFakeTime } from '@athos/testing/fake-time';
import { liveStream } from '@athos/testing/samples/purchases';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { endTest, openAt } from '../../test/signed-in.tsx';

beforeEach(() => useFakeTime());
afterEach(endTest);

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
