// @vitest-environment jsdom
import { acceptedTerms, newTerms } from '@athos/testing/answers';
import { problem } from '@athos/testing/fake-api';
import type { FakeBackend } from '@athos/testing/fake-fetch';
import { FAKE_UUID, fakeToken } from '@athos/testing/session';
import { screen } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { address, beginTest, endWholeTest, settle, startAt } from '../../../test/whole-app.tsx';
import { sendDraftOf } from '../../state/send-draft.ts';
import { areTermsMissing } from '../../state/terms.ts';

const FRIEND = '0192bbbb-0000-7000-8000-000000000002';
const TITLE = 'The terms have changed';

let backend: FakeBackend;
beforeEach(() => {
  backend = beginTest();
  localStorage.setItem('jwt', fakeToken());
});
afterEach(async () => {
  areTermsMissing.set(false);
  await endWholeTest();
});

const publish = (version: string): void => {
  backend.answer('terms', () => acceptedTerms(version));
  backend.answer('legalText', () => newTerms(version));
};
async function open(path: string) {
  const user = await startAt(path);
  await settle(1200);
  await settle(1000);
  return user;
}
const dialog = () => screen.queryByRole('dialog', { name: TITLE });
const button = (name: string) => screen.getByRole<HTMLButtonElement>('button', { name });

describe('new terms', () => {
  it('are not asked for while the user has accepted those in force', async () => {
    await open('/app');
    expect(backend.calls('terms')).toHaveLength(1);
    expect(dialog()).toBeNull();
  });

  it('[O-109] are shown at the next start, and accepted with the version that was shown', async () => {
    publish('2.0');
    const user = await open('/app');
    expect(dialog()?.textContent).toContain('Version 2.0');
    expect(dialog()?.textContent).toContain('What ATH is');
    backend.answer('acceptTerms', ({ body }) => ({
      version: body.version,
      accepted_at: '2026-11-22T09:00:00.000Z',
    }));
    await user.click(button('Accept'));
    await settle(300);
    expect(backend.calls('acceptTerms').map(({ body }) => body)).toEqual([{ version: '2.0' }]);
    expect(dialog()).toBeNull();
    expect(screen.queryByText(TITLE)).toBeNull();
  });

  it('can be put off, and a bar offers them again', async () => {
    publish('2.0');
    const user = await open('/app/history');
    await user.click(button('Not now'));
    await settle(300);
    expect(dialog()).toBeNull();
    await user.click(button('Read them'));
    await settle(300);
    expect(dialog()).not.toBeNull();
  });

  it('are offered by the bar if their dialog cannot be loaded, until it can be', async () => {
    vi.doMock('./terms-dialog.tsx', () => {
      throw new TypeError('Failed to fetch dynamically imported module');
    });
    publish('2.0');
    const user = await open('/app/history');
    expect(screen.getByRole('heading', { name: 'History' })).toBeDefined();
    expect(dialog()).toBeNull();
    await user.click(button('Read them'));
    await settle(300);
    expect(screen.getByText('That did not work. Try again in a moment.')).toBeDefined();
    vi.doUnmock('./terms-dialog.tsx');
    await user.click(button('Read them'));
    await settle(300);
    expect(dialog()?.textContent).toContain('Version 2.0');
  });

  it('cannot be accepted before they are shown', async () => {
    publish('2.0');
    backend.answer('legalText', () => newTerms('1.9'));
    await open('/app');
    expect(button('Accept').disabled).toBe(true);
    expect(screen.getByText('The new terms are not shown yet.')).toBeDefined();
  });

  it('that are declined lead out of the account', async () => {
    publish('2.0');
    const user = await open('/app');
    await user.click(button('Delete Account'));
    await settle(300);
    expect(address()).toBe('/app/settings/delete-account');
    expect(dialog()).toBeNull();
  });

  it('are shown when a send is refused for want of them, which says that nothing was sent', async () => {
    sendDraftOf(FAKE_UUID).change({ paymentAmount: '5', address: FRIEND });
    const user = await open('/app/send/summary');
    backend.answer('transfer', () => problem('terms_not_accepted'));
    publish('2.0');
    await user.click(button('Send'));
    await settle(500);
    expect(
      screen.getByText(
        'The terms have changed, and nothing was done. Accept them first, then try again.',
      ),
    ).toBeDefined();
    expect(dialog()).not.toBeNull();
  });

  it('stay to be accepted if the answer is lost', async () => {
    publish('2.0');
    const user = await open('/app');
    backend.answer('acceptTerms', () => problem('overloaded'));
    await user.click(button('Accept'));
    await settle(5000);
    expect(screen.getByText('That did not work. Try again in a moment.')).toBeDefined();
    expect(dialog()).not.toBeNull();
  });
});

it('a page says that it shows the text of this build if the one in force cannot be loaded', async () => {
  localStorage.removeItem('jwt');
  backend.answer('legalText', () => problem('internal_error'));
  await startAt('/terms');
  await settle(10_000);
  expect(screen.getByText(/^The text in force could not be loaded\./)).toBeDefined();
});
