// @vitest-environment jsdom
import { screen, within } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { walletAnswers } from '@athos/testing/answers';
import { problem } from '@athos/testing/fake-api';
import { installFakeBackend, type FakeBackend } from '@athos/testing/fake-fetch';
import { pass, useFakeTime } from '@athos/testing/fake-time';
import { ownSessions } from '@athos/testing/samples/security';
import { currentAddress, endTest, openAt } from '../../../test/signed-in.tsx';

let backend: FakeBackend;
beforeEach(() => {
  useFakeTime();
  backend = installFakeBackend(walletAnswers);
});
afterEach(endTest);

const rows = () =>
  within(screen.getByRole('list', { name: 'Signed-in devices' })).getAllByRole('listitem');
const dayOf = (isoTime: string): string =>
  new Date(isoTime).toLocaleDateString('en-US', { dateStyle: 'medium' });

describe('Security', () => {
  it('[W-117] lists this device first, with first and last use, and the others by their last use', async () => {
    await openAt('/app/settings/security');
    expect(rows().map((row) => row.textContent)).toEqual([
      expect.stringMatching(/^Firefox on Linux.*This device.*Last used.*First used.*mailed link/),
      expect.stringMatching(/^Unknown device.*Last used.*First used/),
      expect.stringMatching(/^Safari on iOS.*Last used.*First used.*with the password/),
    ]);
    for (const { begun_at: begunAt, last_seen_at: lastSeenAt, device } of ownSessions) {
      const row = rows().find((one) => one.textContent.startsWith(device ?? 'Unknown device'));
      expect(row?.textContent).toContain(`First used ${dayOf(begunAt)}`);
      expect(row?.textContent).toContain(`Last used ${dayOf(lastSeenAt)}`);
    }
    expect(screen.getAllByText(/This device/)).toHaveLength(1);
  });

  it('ends the chosen session and no other, and this device cannot be ended here', async () => {
    const user = await openAt('/app/settings/security');
    expect(screen.queryByRole('button', { name: 'End Firefox on Linux' })).toBeNull();
    backend.answer('sessions', () => ({
      sessions: ownSessions.filter(({ device }) => device !== 'Safari on iOS'),
    }));
    await user.click(screen.getByRole('button', { name: 'End Safari on iOS' }));
    await pass();
    expect(backend.calls('endSession').map(({ params }) => params)).toEqual([
      { id: ownSessions[0]?.id },
    ]);
    expect(rows()).toHaveLength(2);
    expect(screen.getByText('Signed out there')).toBeDefined();
  });

  it('ends all others at once, and offers that only if there are any', async () => {
    const user = await openAt('/app/settings/security');
    backend.answer('sessions', () => ({
      sessions: ownSessions.filter((one) => one.is_current),
    }));
    await user.click(screen.getByRole('button', { name: 'End all others' }));
    await pass();
    expect(backend.calls('endOtherSessions')).toHaveLength(1);
    expect(rows()).toHaveLength(1);
    expect(screen.queryByRole('button', { name: 'End all others' })).toBeNull();
  });

  it('says that a session could not be ended', async () => {
    backend.answer('endSession', () => problem('internal_error'));
    const user = await openAt('/app/settings/security');
    await user.click(screen.getByRole('button', { name: 'End Safari on iOS' }));
    await pass();
    expect(screen.getByText('It could not be ended')).toBeDefined();
    expect(rows()).toHaveLength(3);
  });

  it('says that the list could not be loaded, and can try again', async () => {
    backend.answer('sessions', () => problem('forbidden'));
    const user = await openAt('/app/settings/security');
    await pass();
    backend.answer('sessions', () => ({ sessions: ownSessions }));
    await user.click(screen.getByRole('button', { name: 'Try again' }));
    await pass();
    expect(rows()).toHaveLength(3);
  });

  it('leads back to the settings', async () => {
    const user = await openAt('/app/settings/security');
    await user.click(screen.getByRole('link', { name: 'Back' }));
    expect(currentAddress()).toBe('/app/settings');
  });
});
