import { describe, expect, it } from 'vitest';
import { readDevice } from './device.ts';

const KEY = 'k'.repeat(32);
const read = (userAgent: string | undefined, deviceId?: string) =>
  readDevice({ userAgent, deviceId }, [KEY]);
const hashOf = (...device: Parameters<typeof read>): string => read(...device).hash.toString('hex');

const CHROME_WINDOWS =
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/150.0.0.0 Safari/537.36';

describe('a device', () => {
  it.each([
    [CHROME_WINDOWS, 'Chrome on Windows'],
    [`${CHROME_WINDOWS} Edg/150.0.0.0`, 'Edge on Windows'],
    [`${CHROME_WINDOWS} OPR/120.0.0.0`, 'Opera on Windows'],
    ['Mozilla/5.0 (X11; Linux x86_64; rv:150.0) Gecko/20100101 Firefox/150.0', 'Firefox on Linux'],
    [
      'Mozilla/5.0 (iPhone; CPU iPhone OS 19_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/19.0 Mobile/15E148 Safari/604.1',
      'Safari on iOS',
    ],
    [
      'Mozilla/5.0 (Linux; Android 16; Pixel 9) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/150.0.0.0 Mobile Safari/537.36',
      'Chrome on Android',
    ],
    [
      'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/19.0 Safari/605.1.15',
      'Safari on macOS',
    ],
    ['curl/8.5.0', 'an unknown device'],
    ['', 'an unknown device'],
    [undefined, 'an unknown device'],
  ])('%s is called %s', (userAgent, label) => {
    expect(read(userAgent).label).toBe(label);
  });

  it('stays the same after an update', () => {
    expect(hashOf(CHROME_WINDOWS.replace('150', '151'))).toBe(hashOf(CHROME_WINDOWS));
    expect(hashOf('curl/8.6.0')).toBe(hashOf('curl/8.5.0'));
    expect(hashOf('curl/8.5.0')).not.toBe(hashOf('node'));
  });

  it('is recognized by the id that it sends; one that is malformed or too short for a secret is ignored', () => {
    const name = 'a'.repeat(22);
    expect(read('curl/8.5.0', name).hasId).toBe(true);
    expect(read('curl/8.5.0', name.slice(1)).hasId).toBe(false);
    expect(read('curl/8.5.0').hasId).toBe(false);
    expect(hashOf('curl/8.5.0', name)).toBe(hashOf(CHROME_WINDOWS, name));
    expect(hashOf(CHROME_WINDOWS, name)).not.toBe(hashOf(CHROME_WINDOWS, `${name}b`));
    expect(hashOf(CHROME_WINDOWS, 'short')).toBe(hashOf(CHROME_WINDOWS));
  });

  it('is stored as a hash with our key', () => {
    expect(readDevice({ userAgent: 'x', deviceId: undefined }, ['other']).hash).not.toEqual(
      read('x').hash,
    );
  });
});
