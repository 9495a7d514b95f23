/** Every alarm that the code can raise is explained to whoever is woken by it, in `docs/operating.md`. */
import { globSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';

/** If fewer are found, the test is looking in the wrong place and proves nothing. */
const ALARM_COUNT_MIN = 10;

it('every alarm is explained, and no other', () => {
  const sources = globSync('apps/api/src/**/*.ts')
    .filter((file) => !file.endsWith('.test.ts'))
    .map((file) => readFileSync(file, 'utf8'))
    .join('\n');
  const raised = [...sources.matchAll(/\balarm(?::| =)[^;\n]*/g)]
    .flatMap(([text]) => [...text.matchAll(/'([a-z]+(?:_[a-z]+)+)'/g)])
    .map(([, name]) => name ?? '');
  const page = readFileSync('docs/operating.md', 'utf8');
  const explained = [...page.matchAll(/^\| `([a-z_]+)` +\|/gm)].map(([, name]) => name ?? '');
  expect(raised.length).toBeGreaterThan(ALARM_COUNT_MIN);
  expect(raised.filter((name) => !explained.includes(name))).toEqual([]);
  expect(explained.filter((name) => !sources.includes(`'${name}'`))).toEqual([]);
});
