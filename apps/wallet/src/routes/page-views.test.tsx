// @vitest-environment jsdom
import { screen } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { beginTest, endWholeTest, settle, startAt } from '../../test/whole-app.tsx';
import { parseSettings } from '../state/settings.ts';

const sendBeacon = vi.fn<typeof navigator.sendBeacon>();

beforeEach(() => {
  beginTest();
  Object.defineProperty(navigator, 'sendBeacon', { value: sendBeacon, configurable: true });
  const script = document.createElement('script');
  script.id = 'settings';
  script.type = 'application/json';
  script.textContent = '{"analyticsUrl":"https://views.example/hit"}';
  document.head.append(script);
});
afterEach(() => {
  endWholeTest();
  document.querySelector('#settings')?.remove();
});

describe('page views', () => {
  it('[S2-011] go to the configured service at every navigation, without the query', async () => {
    const user = await startAt('/auth/forgot-password?email=ada%40example.com');
    await user.click(screen.getByRole('link', { name: 'Back' }));
    await settle();
    await user.click(screen.getByRole('link', { name: 'Sign Up' }));
    await settle();
    const view = (path: string) => [
      'https://views.example/hit',
      JSON.stringify({ type: 'page_view', path }),
    ];
    expect(sendBeacon.mock.calls).toEqual([
      view('/auth/forgot-password'),
      view('/auth/sign-in'),
      view('/auth/sign-up'),
    ]);
  });

  it('are off unless configured, also where the page carries no readable settings', () => {
    expect(parseSettings('{}').analyticsUrl).toBeNull();
    expect(parseSettings('').analyticsUrl).toBeNull();
    expect(parseSettings('{"analyticsUrl":"https://a.example"}').analyticsUrl).toBe(
      'https://a.example',
    );
  });
});
