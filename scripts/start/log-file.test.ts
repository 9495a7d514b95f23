import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { ProgramLog } from './log-file.ts';

const dir = mkdtempSync(join(tmpdir(), 'program-log-'));
afterAll(() => rmSync(dir, { recursive: true }));

it('keeps alarms through a flood of other lines, and at most 20 MB of these', () => {
  const log = new ProgramLog(dir, 'api');
  const alarm = JSON.stringify({ level: 50, alarm: 'payment_review', orderId: '1' });
  log.write(alarm);
  const pretended = JSON.stringify({ level: 30, userAgent: '{"alarm":"payment_review"}' });
  for (let count = 0; count < 30_000; count += 1) log.write(pretended.padEnd(1_000));
  log.close();
  const sizes = readdirSync(dir)
    .filter((name) => !name.includes('alarms'))
    .map((name) => statSync(join(dir, name)).size);
  expect(Math.max(...sizes)).toBeLessThanOrEqual(10_001_001);
  expect(sizes).toHaveLength(2);
  expect(readFileSync(join(dir, 'api-alarms.log'), 'utf8')).toBe(`${alarm}\n`);
});
