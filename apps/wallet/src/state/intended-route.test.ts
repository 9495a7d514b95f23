// @vitest-environment jsdom
import { beforeEach, describe, expect, it } from 'vitest';
import { forgetRoute, rememberRoute, takeRoute } from './intended-route.ts';

beforeEach(() => localStorage.clear());

describe('intended route', () => {
  it('[S2-007] [S2-010] is kept under intended-route with its query, and read once', () => {
    rememberRoute('/app/wallet?x=1');
    expect(localStorage.getItem('intended-route')).toBe('/app/wallet?x=1');
    expect(takeRoute('ada')).toBe('/app/wallet?x=1');
    expect(localStorage.getItem('intended-route')).toBeNull();
    expect(takeRoute('ada')).toBeUndefined();
  });

  it('is cleared and not returned for another account', () => {
    rememberRoute('/app/wallet', 'ada');
    expect(takeRoute('grace')).toBeUndefined();
    expect(takeRoute('ada')).toBeUndefined();
    rememberRoute('/app/wallet', 'ada');
    expect(takeRoute('ada')).toBe('/app/wallet');
  });

  it('forgets the owner when the next visitor’s route is stored', () => {
    rememberRoute('/app/wallet', 'ada');
    rememberRoute('/app/buy');
    expect(takeRoute('grace')).toBe('/app/buy');
  });

  it.each(['https://evil.example/', '//evil.example', '/apple', 'javascript:alert(1)', '/auth'])(
    'never leads to %s',
    (path) => {
      rememberRoute(path);
      expect(takeRoute('ada')).toBeUndefined();
    },
  );

  it('can be cleared', () => {
    rememberRoute('/app/wallet', 'ada');
    forgetRoute();
    expect(localStorage).toHaveLength(0);
  });
});
