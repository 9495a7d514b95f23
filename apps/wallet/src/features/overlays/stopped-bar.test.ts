// @vitest-environment jsdom
import { screen } from '@testing-library/react';
import { fakeToken } from '@athos/testing/session';
import type { FakeBackend } from '@athos/testing/fake-fetch';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { beginTest, endWholeTest, settle, startAt } from '../../../test/whole-app.tsx';

const NOTICE = 'We are checking something. Please come back later.';

let backend: FakeBackend;
beforeEach(() => {
  backend = beginTest();
  localStorage.setItem('jwt', fakeToken());
});
afterEach(endWholeTest);

async function open(path: string): Promise<void> {
  await startAt(path);
  await settle(1200);
  await settle(1000);
}

const bar = () => screen.queryByText(NOTICE);

it.each(['/app', '/app/wallet', '/app/send', '/app/send/recipient'])(
  'tells at %s that sending is stopped, in the words of the programme',
  async (path) => {
    backend.answer('programme', () => ({ stopped: [{ what: 'sending', notice: NOTICE }] }));
    await open(path);
    expect(bar()?.textContent).toBe(`Sending is stopped at the moment${NOTICE}`);
  },
);

it.each(['/app/buy', '/app/cart', '/app/history', '/app/settings'])(
  'says nothing at %s, which sends nothing',
  async (path) => {
    backend.answer('programme', () => ({ stopped: [{ what: 'sending', notice: NOTICE }] }));
    await open(path);
    expect(bar()).toBeNull();
  },
);

it('comes and goes while the app is open', async () => {
  await open('/app/cart');
  expect(bar()).toBeNull();
  backend.answer('programme', () => ({ stopped: [{ what: 'spending', notice: NOTICE }] }));
  await settle(60_000);
  expect(bar()).not.toBeNull();
  backend.answer('programme', () => ({ stopped: [] }));
  await settle(60_000);
  expect(bar()).toBeNull();
});
