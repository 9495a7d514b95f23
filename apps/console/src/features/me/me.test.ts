// @vitest-environment jsdom
import { problem } from '@athos/testing/fake-api';
import type { FakeBackend } from '@athos/testing/fake-fetch';
import { staffSessions } from '@athos/testing/samples/console';
import { screen, within } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { beginTest, endTest, openConsole, settle } from '../../../test/open-console.tsx';

let backend: FakeBackend;
beforeEach(() => {
  backend = beginTest();
});
afterEach(endTest);

const section = (name: string) => within(screen.getByRole('region', { name }));
const sessions = () => section('Where you are signed in');

it('says why there are no new recovery codes', async () => {
  backend.answer('makeRecoveryCodes', () => problem('internal_error'));
  const user = await openConsole('/me');
  const factors = section('How you sign in');
  await user.click(factors.getByRole('button', { name: 'Make new codes' }));
  // Until the call is no longer repeated by itself.
  await settle(20_000);
  expect(factors.getByText(/it is never done twice/)).toBeDefined();
  backend.answer('makeRecoveryCodes', () => ({ codes: ['aaaa-bbbb'] }));
  await user.click(factors.getByRole('button', { name: 'Make new codes' }));
  await settle();
  expect(screen.getByText('aaaa-bbbb')).toBeDefined();
  expect(screen.queryByText(/it is never done twice/)).toBeNull();
});

describe('own sessions', () => {
  it('say why one of them has not ended', async () => {
    backend.answer('endOwnSession', () => problem('not_found'));
    const user = await openConsole('/me');
    await user.click(sessions().getByRole('button', { name: 'End session' }));
    await settle();
    expect(sessions().getByRole('alert').textContent).toContain('There is nothing at this address');
  });

  it('that could not be read are read again on request', async () => {
    backend.answer('ownSessions', () => problem('internal_error'));
    const user = await openConsole('/me');
    await settle(10_000);
    backend.answer('ownSessions', staffSessions);
    await user.click(sessions().getByRole('button', { name: 'Try again' }));
    await settle();
    expect(sessions().getByText('Safari on iPhone')).toBeDefined();
  });
});
