/**
 * `npm run test:alerts`: each alarm of deploy/observability/rules.yml fires on its own series, and none fires on those of a healthy system.
 * promtool is taken from the PATH, or extracted from the Debian package `prometheus` without installing it. If neither is possible, it
 * reports what is missing, and passes.
 */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beginRun } from './spec/runs.ts';
import { root } from './start/paths.ts';
import { readCounts } from './test/counts.ts';
import { finish } from './test/run-tests.ts';
import { writeReport } from './test/write-report.ts';

const TITLE = '[P-065] each alarm fires on its series and on no healthy one';
const rules = join(root, 'deploy/observability/rules.yml');
const cases = join(root, 'deploy/observability/rules.test.yml');

const isDone = (program: string, args: readonly string[], cwd: string): boolean =>
  spawnSync(program, args, { cwd, stdio: 'ignore' }).status === 0;

function findPromtool(dir: string): string | undefined {
  if (isDone('promtool', ['--version'], dir)) return 'promtool';
  if (!isDone('apt-get', ['download', 'prometheus'], dir)) return undefined;
  const file = readdirSync(dir).find((name) => name.endsWith('.deb')) ?? '';
  return isDone('dpkg-deb', ['-x', file, '.'], dir) ? join(dir, 'usr/bin/promtool') : undefined;
}

/** The alarms that no test case triggers, or that the healthy system does not cover. */
function untested(): readonly string[] {
  const tested = readFileSync(cases, 'utf8');
  return [...readFileSync(rules, 'utf8').matchAll(/- alert: (\w+)/g)]
    .map(([, name]) => name ?? '')
    .filter(
      (name) =>
        !tested.includes(`alertname: ${name}, exp_alerts: []`) ||
        !tested.includes(`alertname: ${name}\n        exp_alerts:\n          - exp_labels`),
    );
}

function run(promtool: string): boolean {
  const missing = untested();
  if (missing.length > 0) console.log(`without a case: ${missing.join(', ')}`);
  const steps = [
    ['check', 'rules', rules],
    ['check', 'config', '--syntax-only', join(root, 'deploy/observability/prometheus.yml')],
    ['test', 'rules', cases],
  ].map((args) => spawnSync(promtool, args, { stdio: 'inherit' }).status === 0);
  return missing.length === 0 && steps.every(Boolean);
}

const dir = mkdtempSync(join(tmpdir(), 'alerts-'));
const promtool = findPromtool(dir);
if (promtool === undefined) {
  console.log('test:alerts: 0 run: missing: promtool (Debian: apt install prometheus)');
} else {
  const report = beginRun('test:alerts')('vitest');
  const isRight = run(promtool);
  writeReport(report, 'scripts/test-alerts.ts', [{ title: TITLE, isPassed: isRight }]);
  finish([readCounts(report, isRight)]);
}
rmSync(dir, { recursive: true });
