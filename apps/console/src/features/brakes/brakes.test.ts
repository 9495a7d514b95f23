// @vitest-environment jsdom
import type { FakeBackend } from '@athos/testing/fake-fetch';
import { staffWith } from '@athos/testing/samples/console';
import { brakes } from '@athos/testing/samples/console-brakes';
import { screen } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { beginTest, endTest, openConsole, settle } from '../../../test/open-console.tsx';

let backend: FakeBackend;
beforeEach(() => {
  backend = beginTest();
});
afterEach(endTest);

const button = (name: string): HTMLElement =>
  screen.getAllByRole('button', { name }).at(-1) ?? expect.fail();

describe('a brake', () => {
  it('is pulled with a reason for staff and a notice for customers', { tags: 'long' }, async () => {
    const user = await openConsole('/brakes');
    await user.click(button('Stop buying'));
    await settle();
    const notice = screen.getByLabelText('Notice for customers');
    await user.clear(notice);
    await user.type(notice, 'We are checking our prices.');
    await user.type(screen.getByLabelText('Reason'), 'The feed looks wrong');
    await user.click(button('Stop buying'));
    await settle();
    expect(backend.calls('pullBrake').at(-1)?.body).toEqual({
      reason: 'The feed looks wrong',
      notice: 'We are checking our prices.',
    });
  });

  it('that is pulled says who stopped it and why, and is released by request', async () => {
    backend.answer('brakes', () => brakes('buying'));
    const user = await openConsole('/brakes');
    expect(screen.getByText('The feed says ten times the usual rate.')).toBeDefined();
    await user.click(button('Resume buying'));
    await settle();
    await user.type(screen.getByLabelText('Reason'), 'The feed is right again');
    await user.click(button('Resume buying'));
    await settle();
    expect(backend.calls('releaseBrake').at(-1)?.body).toEqual({
      reason: 'The feed is right again',
    });
  });

  it('names the permission that somebody lacks', async () => {
    backend.answer('me', () => staffWith(['support']));
    await openConsole('/brakes');
    expect(button('Stop buying').hasAttribute('disabled')).toBe(true);
    expect(screen.getAllByText(/system\.brake/).length).toBeGreaterThan(0);
  });
});
