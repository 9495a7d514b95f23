/** `docs/operating.md` names every alarm that the code can raise and every table that can fill the disk. */
import { globSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';

/** If fewer are found, the test is looking in the wrong place and proves nothing. */
const ALARM_COUNT_MIN = 10;

const page = readFileSync('docs/operating.md', 'utf8');

it('every alarm is explained, and no other', () => {
  const sources = globSync('apps/api/src/**/*.ts')
    .filter((file) => !file.endsWith('.test.ts'))
    .map((file) => readFileSync(file, 'utf8'))
    .join('\n');
  const raised = [...sources.matchAll(/\balarm(?::| =)[^;\n]*/g)]
    .flatMap(([text]) => [...text.matchAll(/'([a-z]+(?:_[a-z]+)+)'/g)])
    .map(([, name]) => name ?? '');
  const explained = [...page.matchAll(/^\| `([a-z_]+)` +\|/gm)].map(([, name]) => name ?? '');
  expect(raised.length).toBeGreaterThan(ALARM_COUNT_MIN);
  expect(raised.filter((name) => !explained.includes(name))).toEqual([]);
  expect(explained.filter((name) => !sources.includes(`'${name}'`))).toEqual([]);
});

it('every table has an end, or a reason to have none', () => {
  const schema = readFileSync('apps/api/schema.sql', 'utf8');
  const tables = [...schema.matchAll(/^create table (\w+)/gm)].map(([, name]) => name ?? '');
  const ends = page.slice(page.indexOf('## What ends when'));
  const named = [...ends.matchAll(/`(\w+)`/g)].map(([, name]) => name ?? '');
  expect(tables.length).toBeGreaterThan(0);
  expect(named.toSorted()).toEqual(tables.toSorted());
});

it('[P-066] every alarm of Prometheus links a runbook that tells what it means and what to do', () => {
  const rules = readFileSync('deploy/observability/rules.yml', 'utf8');
  const alerts = [...rules.matchAll(/^ +- alert: (\w+)$/gm)].map(([, name]) => name ?? '');
  const linked = [...rules.matchAll(/^ +runbook: (\S+)$/gm)].map(([, file]) => file ?? '');
  expect(alerts.length).toBeGreaterThan(ALARM_COUNT_MIN);
  expect(linked).toEqual(alerts.map((name) => `docs/runbooks/${name}.md`));
  expect(globSync('docs/runbooks/*.md').toSorted()).toEqual(linked.toSorted());
  for (const file of linked) {
    const headings = [...readFileSync(file, 'utf8').matchAll(/^## (.+)$/gm)].map(
      ([, text]) => text,
    );
    expect(headings).toEqual(['What it means', 'Look', 'Do', 'Undo']);
  }
});
