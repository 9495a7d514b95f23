import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, describe, expect, it, vi } from 'vitest';
import { locate, otherBrowsers } from './other-browsers.ts';

const dir = mkdtempSync(join(tmpdir(), 'browsers-'));
afterAll(() => rmSync(dir, { recursive: true }));
afterEach(() => vi.unstubAllEnvs());

/** Locates Firefox, with `words` as the installed one's version output. */
function locateFirefox(words: string) {
  const path = join(dir, 'firefox');
  writeFileSync(path, `#!/bin/sh\necho "${words}"\n`, { mode: 0o755 });
  vi.stubEnv('FIREFOX_PATH', path);
  const [firefox] = otherBrowsers;
  return firefox === undefined ? expect.fail('no Firefox') : locate(firefox);
}

describe('a browser for the stories', () => {
  it('is used if it is new enough', () => {
    const { line, packages, paths } = locateFirefox('Mozilla Firefox 153.7.0esr');
    expect(line).toBe('Firefox ESR 153.7.0: 153 or newer is needed.');
    expect(packages).toEqual([]);
    expect(paths['FIREFOX_PATH']).toBe(join(dir, 'firefox'));
  });

  it('is upgraded if it is too old', () => {
    expect(locateFirefox('Mozilla Firefox 140.12.0esr')).toMatchObject({
      line: 'Firefox ESR 140.12.0: 153 or newer is needed.',
      packages: ['firefox-esr'],
    });
  });

  it('is used if it does not say its version', () => {
    expect(locateFirefox('nonsense')).toMatchObject({
      line: 'Firefox ESR of an unknown version: 153 or newer is needed.',
      packages: [],
    });
  });
});
