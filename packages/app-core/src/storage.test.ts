// @vitest-environment jsdom
import { afterEach, expect, it, vi } from 'vitest';
import { localStore } from './storage.ts';

afterEach(() => vi.unstubAllGlobals());

it('keeps values in memory when storage is refused, and forgets them on removal', () => {
  vi.stubGlobal('localStorage', {
    getItem() {
      throw new DOMException('denied', 'SecurityError');
    },
    setItem() {
      throw new DOMException('full', 'QuotaExceededError');
    },
    removeItem() {
      throw new DOMException('denied', 'SecurityError');
    },
  });
  localStore.write('key', 'text');
  expect(localStore.read('key')).toBe('text');
  localStore.remove('key');
  expect(localStore.read('key')).toBeNull();
});

it('writes to the browser’s storage when it can', () => {
  localStore.write('key', 'text');
  expect(localStorage.getItem('key')).toBe('text');
  localStore.remove('key');
  expect(localStorage.getItem('key')).toBeNull();
});

it('reads the last write even if storage was full and still holds older text', () => {
  localStore.write('key', 'before');
  const full = vi.spyOn(Storage.prototype, 'setItem').mockImplementation(() => {
    throw new DOMException('full', 'QuotaExceededError');
  });
  localStore.write('key', 'longer than before');
  full.mockRestore();
  expect(localStorage.getItem('key')).toBe('before');
  expect(localStore.read('key')).toBe('longer than before');
  localStore.write('key', 'after');
  expect([localStore.read('key'), localStorage.getItem('key')]).toEqual(['after', 'after']);
  localStore.remove('key');
});
