// @vitest-environment jsdom
import { moveValue } from '@athos/client/outcome';
import { act, screen } from '@testing-library/react';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { fakeToken } from '@athos/testing/session';
import type { FakeBackend } from '@athos/testing/fake-fetch';
import { address, beginTest, endWholeTest, settle, startAt } from '../../../test/whole-app.tsx';
import { client } from '../../api/http.ts';
import { holdActivity } from '../../state/idle.ts';
import { isUpdateReady } from '@athos/app-core/service-worker';

const KEY = '01a3185c-5000-7000-8000-000000000001';

let backend: FakeBackend;
beforeEach(() => {
  backend = beginTest();
  localStorage.setItem('jwt', fakeToken());
});
afterEach(async () => {
  Reflect.deleteProperty(navigator, 'serviceWorker');
  isUpdateReady.set(false);
  await endWholeTest();
});

const offer = () => screen.queryByText('A new version is ready');

async function startWithUpdate(path: string) {
  const user = await startAt(path);
  await settle(1200);
  await settle(1000);
  expect(offer()).toBeNull();
  await act(async () => isUpdateReady.set(true));
  return user;
}

it.each(['/app', '/app/settings', '/app/history', '/app/my-purchases'])(
  'is made at %s',
  async (path) => {
    await startWithUpdate(path);
    expect(offer()).not.toBeNull();
    expect(screen.getByRole('button', { name: 'Load it now' })).toBeDefined();
  },
);

it.each([
  '/app/send',
  '/app/buy',
  '/app/cart',
  '/app/settings/update-password',
  '/app/redeem?code=X',
])('waits at %s', async (path) => {
  await startWithUpdate(path);
  expect(address()).toBe(path);
  expect(offer()).toBeNull();
});

it('waits for the response to a pending movement of value, on any screen', async () => {
  let answer: () => void = () => undefined;
  backend.answer(
    'transfer',
    () => new Promise((resolve) => (answer = () => resolve({ id: 7, balance: '0' }))),
  );
  await startAt('/app');
  await settle(1200);
  await settle(1000);
  const sending = moveValue(
    () => client.call('transfer', { body: { amount: '5', to_uuid: KEY }, key: KEY }),
    false,
  );
  await act(async () => isUpdateReady.set(true));
  await settle(1000);
  expect(offer()).toBeNull();
  answer();
  await act(async () => void (await sending));
  await settle(1000);
  expect(offer()).not.toBeNull();
});

it('waits for a running payment', async () => {
  const release = holdActivity();
  await startWithUpdate('/app');
  await settle(1000);
  expect(offer()).toBeNull();
  release();
  await settle(1000);
  expect(offer()).not.toBeNull();
});

it("disappears with 'Later'", async () => {
  const user = await startWithUpdate('/app');
  await user.click(screen.getByRole('button', { name: 'Later' }));
  expect(offer()).toBeNull();
});

it('activates the waiting build when accepted, and only then reloads the same address', async () => {
  const postMessage = vi.fn<(message: string) => void>();
  const listeners = new Map<string, () => void>();
  Object.defineProperty(navigator, 'serviceWorker', {
    configurable: true,
    value: {
      register: () => Promise.reject(new Error('not available')),
      getRegistration: () => Promise.resolve({ waiting: { postMessage } }),
      addEventListener: (name: string, handler: () => void) => listeners.set(name, handler),
    },
  });
  const user = await startWithUpdate('/app/settings');
  await user.click(screen.getByRole('button', { name: 'Load it now' }));
  await settle();
  expect(postMessage).toHaveBeenCalledExactlyOnceWith('activate');
  expect(listeners.has('controllerchange')).toBe(true);
  expect(address()).toBe('/app/settings');
});
