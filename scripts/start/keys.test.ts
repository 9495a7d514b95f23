import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { ensureKeys } from './keys.ts';

let folder: string;
let file: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'keys-'));
  file = join(folder, 'keys.json');
});
afterEach(() => rmSync(folder, { recursive: true }));

it('generates keys once and keeps them for the current user alone', () => {
  const keys = ensureKeys(file);
  expect(ensureKeys(file)).toEqual(keys);
  expect(statSync(file).mode & 0o777).toBe(0o600);
});

it('adds the keys that data of an earlier version lacks, and keeps the others', () => {
  const { DATA_KEYS: dataKeys, ...earlier } = ensureKeys(file);
  writeFileSync(file, JSON.stringify(earlier));
  const keys = ensureKeys(file);
  expect(keys).toMatchObject(earlier);
  expect(keys.DATA_KEYS).not.toBe(dataKeys);
  expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual(keys);
  expect(ensureKeys(file)).toEqual(keys);
});

it('does not replace a file that cannot be read', () => {
  writeFileSync(file, '{');
  expect(() => ensureKeys(file)).toThrow(/cannot be read: restore it/);
  expect(readFileSync(file, 'utf8')).toBe('{');
});
