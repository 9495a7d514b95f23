/**
 * `npm run test:alerts`: each alarm of deploy/observability/rules.yml fires on its own series, and none fires on those of a healthy system;
 * Alertmanager, with the shipped file, sends a page to the webhook of pages and everything else to that of tickets. It runs as root on
 * Debian, with the programs of Debian testing; elsewhere it reports what is missing, and passes.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { DebianSystem } from '../bench/cluster/root-file-system.ts';
import { deliveryFaults } from './alerts/delivery.ts';
import { finishProofs } from './deploy/finish-proofs.ts';
import { openTools, whatIsMissing, type Tools } from './deploy/tools.ts';
import { beginRun } from './spec/runs.ts';
import { root } from './start/paths.ts';

const SYSTEM: DebianSystem = {
  name: 'athos-alerts',
  // In the stable release, Alertmanager reads no address of a webhook from a file.
  suite: 'testing',
  packages: ['prometheus', 'prometheus-alertmanager', 'prometheus-blackbox-exporter'],
};
const FILES = join(root, 'deploy/observability');

/** The alarms that no test case triggers, or that the healthy system does not cover. */
function untested(): readonly string[] {
  const tested = readFileSync(join(FILES, 'rules.test.yml'), 'utf8');
  return [...readFileSync(join(FILES, 'rules.yml'), 'utf8').matchAll(/- alert: (\w+)/g)]
    .map(([, name]) => name ?? '')
    .filter(
      (name) =>
        !tested.includes(`alertname: ${name}, exp_alerts: []`) ||
        !tested.includes(`alertname: ${name}\n        exp_alerts:\n          - exp_labels`),
    )
    .map((name) => `without a case: ${name}`);
}

/** What the program says if it refuses. */
function refusals(tools: Tools, ...command: readonly string[]): readonly string[] {
  const { isDone, output, complaints } = tools.run(command);
  return isDone ? [] : [`${command.join(' ')}\n${output}${complaints}`];
}

const PROBER = ['prometheus-blackbox-exporter', '--config.check', '--config.file=blackbox.yml'];

const missing = whatIsMissing();
if (missing === undefined) {
  const report = beginRun('test:alerts')('vitest');
  const tools = openTools(SYSTEM, FILES);
  try {
    const refused = refusals(tools, 'amtool', 'check-config', 'alertmanager.yml');
    const results = [
      { title: 'the prober takes its modules', faults: refusals(tools, ...PROBER) },
      {
        title: '[P-065] each alarm fires on its series and on no healthy one',
        faults: [
          ...untested(),
          ...refusals(tools, 'promtool', 'check', 'rules', 'rules.yml'),
          ...refusals(tools, 'promtool', 'check', 'config', '--syntax-only', 'prometheus.yml'),
          ...refusals(tools, 'promtool', 'test', 'rules', 'rules.test.yml'),
        ],
      },
      {
        title: 'a page reaches the webhook of pages, and everything else that of tickets',
        faults: refused.length > 0 ? refused : await deliveryFaults(tools),
      },
    ];
    for (const fault of results.flatMap(({ faults }) => faults)) console.log(fault);
    const proofs = results.map(({ title, faults }) => ({ title, isPassed: faults.length === 0 }));
    finishProofs(report, 'scripts/test-alerts.ts', proofs);
  } finally {
    tools.remove();
  }
} else {
  console.log(`test:alerts: 0 run: ${missing}`);
}
