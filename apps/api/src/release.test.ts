import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { newestMigration } from './migrations.ts';
import { buildVersion } from './release.ts';

const folder = mkdtempSync(join(tmpdir(), 'release-'));
afterAll(() => rmSync(folder, { recursive: true }));

it('a release is told by its commit, and a checkout by its newest migration', () => {
  const file = join(folder, 'release.json');
  expect(buildVersion(file)).toBe(newestMigration());
  const commit = '0123456789abcdef0123456789abcdef01234567';
  writeFileSync(file, JSON.stringify({ version: '0.1.0', commit }));
  expect(buildVersion(file)).toBe(commit);
  // A file without a commit must not put its content into every log line.
  writeFileSync(file, '{}');
  expect(buildVersion(file)).toBe(newestMigration());
});
