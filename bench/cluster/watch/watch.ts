/**
 * The alarms that the people on call would get: Prometheus watches the cluster under load, the primary's node is killed for some minutes,
 * and comes back. Rules and their times are those of deploy/observability, unchanged.
 */
import { setTimeout as pause } from 'node:timers/promises';
import { readConfig } from '../../../apps/api/src/config/config.ts';
import { createDeps } from '../../../apps/api/src/deps.ts';
import { enqueueJob } from '../../../apps/api/src/platform/jobs/enqueue.ts';
import { createLog } from '../../../apps/api/src/platform/log/log.ts';
import { until, type Cluster } from '../cluster.ts';
import { FAULTS } from '../faults.ts';
import type { World } from '../machine.ts';
import type { Proof } from '../../vitest-report.ts';
import type { Stand } from '../trial.ts';
import { askQueries } from './dashboards.ts';
import { nodeTarget, postgresTarget, startExporters } from './exporters.ts';
import { healthyPast } from './past.ts';
import { askSeries } from './series.ts';
import { Watcher } from './watcher.ts';

/** The certificates inside the system are asked for every two minutes. */
const ANSWERS_LIMIT_MS = 150_000;
/** Longer than the `for` of most rules. */
const CALM_MS = 3 * 60_000;
const KILLED_MS = 3 * 60_000;
const QUIET_LIMIT_MS = 3 * 60_000;
const AFTERWARDS_MS = 3 * 60_000;
const LOOK_EVERY_MS = 5_000;
const RUN_S = 3600;
/** The composition of the load's 40 intents a second (load.ts). */
const PAST_CALLS = [
  { slo: 'money', limit: '0.3', perSecond: 35 },
  { slo: 'redemption', limit: '0.5', perSecond: 4 },
];
const PAGE_OF_A_KILLED_PRIMARY = 'DatabaseNodeAway';

const PAGES = 'ALERTS{alertstate="firing",severity="page"}';
/**
 * Leaves out the pages of the goals. They report how much users noticed, whatever the cause: whether an outage of 20 s spends enough
 * depends on how often users repeat requests. They end when their short window, of 5 or 30 minutes, is over.
 */
const ofNoGoal = (names: readonly string[]): string[] =>
  names.filter((name) => !/^(?:Money|Redemption)/.test(name));
const TICKETS = 'ALERTS{alertstate="firing",severity="ticket"}';

export async function watch(
  { cluster, load }: Stand,
  world: World,
  say: (text: string) => void,
): Promise<Proof[]> {
  await verifyBooks(cluster);
  const watcher = await startWatcher(cluster, world);
  load.start();
  await pause(CALM_MS);
  const calmPages = await namesOf(watcher, everSeen(PAGES, CALM_MS / 1_000));
  say(`calm: ${describe(calmPages)}`);

  const killed = await cluster.primary();
  const undo = await killNode(cluster);
  await pause(KILLED_MS);
  const pages = await namesOf(watcher, everSeen(PAGES, KILLED_MS / 1_000));
  say(`${killed.name} killed for ${KILLED_MS / 60_000} minutes: ${describe(pages)}`);
  await undo();
  startExporters(killed);
  await cluster.untilWhole();

  const healedMs = performance.now();
  const isQuiet = await untilQuiet(watcher);
  const quietS = Math.round((performance.now() - healedMs) / 1_000);
  await pause(AFTERWARDS_MS);
  const left = await namesOf(watcher, PAGES);
  const allPages = await namesOf(watcher, everSeen(PAGES, RUN_S));
  const tickets = await namesOf(watcher, everSeen(TICKETS, RUN_S));
  say(
    `healed: quiet after ${quietS} s; pages left ${AFTERWARDS_MS / 60_000} minutes later: ${describe(left)}`,
  );
  say(`of the whole run: pages ${describe(allPages)}; tickets ${describe(tickets)}`);
  const answers = await askQueries(watcher);
  const series = await askSeries(watcher, RUN_S);
  const certificateCount = await countCertificates(watcher);
  await load.stop();
  for (const words of [...answers.emptyByReason, ...answers.faults]) say(words);
  if (series.absent.length > 0) say(`of no exporter: ${series.absent.join(', ')}`);

  const isOnlyPage = (names: readonly string[]): boolean =>
    String(ofNoGoal(names)) === PAGE_OF_A_KILLED_PRIMARY;
  return [
    {
      title: 'Prometheus pages for nothing while the cluster is well',
      isProven: calmPages.length === 0,
    },
    {
      title: `a killed primary raises ${PAGE_OF_A_KILLED_PRIMARY}, and of the others only pages of the goals`,
      isProven: isOnlyPage(pages) && isOnlyPage(allPages),
    },
    {
      title: 'no page but those of the goals is left when its node is back',
      isProven: isQuiet && ofNoGoal(left).length === 0,
    },
    {
      title: `each query of the dashboards has an answer (${answers.answeredCount} have)`,
      isProven: answers.faults.length === 0,
    },
    {
      title:
        'the certificates of the edge, of each database node and of each member of etcd are read',
      isProven: certificateCount === 1 + cluster.databases.length + cluster.etcd.length,
    },
    {
      title: `an exporter shows each series that an alarm names (${series.foundCount} are found)`,
      isProven: series.foundCount > 0 && series.absent.length === 0,
    },
  ];
}

async function startWatcher(cluster: Cluster, world: World): Promise<Watcher> {
  const { databases, etcd, applications, edge, authorityFile } = cluster;
  const targets = {
    athos: applications.flatMap(({ metrics }) => metrics),
    patroni: databases.map(({ machine }) => `${machine.address}:8008`),
    postgres: databases.map(postgresTarget),
    node: databases.map(nodeTarget),
    etcd: etcd.map(({ metrics }) => metrics),
    haproxy: [edge, ...applications].map(({ machine }) => `${machine.address}:8404`),
    certificates: [`${edge.url}/healthz`],
    certificates_inside: [
      ...databases.map(({ machine }) => `${machine.address}:8008`),
      ...etcd.map(({ machine }) => `${machine.address}:2379`),
    ],
    pgbackrest: [],
    alertmanager: [],
  };
  const watcher = new Watcher(world);
  await watcher.build(targets, ['patroni']);
  databases.forEach(startExporters);
  await watcher.remember(healthyPast(PAST_CALLS, Date.now()));
  watcher.start(edge.certificate, authorityFile);
  await until('Prometheus', () => watcher.isReady());
  const count = Object.values(targets).flat().length;
  const isComplete = async (): Promise<boolean> => {
    const up = await watcher.ask('sum(up)');
    return up[0]?.value === count;
  };
  await until('an answer of each target', isComplete, ANSWERS_LIMIT_MS).catch(
    async (error: unknown) => {
      const asked = await watcher.ask('up');
      const words = asked.map(({ metric, value }) => `${JSON.stringify(metric)} ${value}`);
      throw new Error(`of ${count} targets, these were asked:\n${words.join('\n')}`, {
        cause: error,
      });
    },
  );
  return watcher;
}

/** The verification that a system runs nightly and hourly, and a new one has not run yet. */
async function verifyBooks({ settingsOf, databaseUrl, applications }: Cluster): Promise<void> {
  const deps = createDeps(readConfig(settingsOf(await databaseUrl())), createLog('warn'));
  try {
    for (const task of ['bookkeeping_balance', 'bookkeeping_verify_nightly']) {
      await enqueueJob(deps.db, task, {});
    }
  } finally {
    await deps.close();
  }
  await until('books that were verified', async () => {
    const texts = await Promise.all(
      applications
        .flatMap(({ metrics }) => metrics)
        .map(async (target) => (await fetch(`http://${target}/metrics`)).text()),
    );
    return (
      texts.some((text) => /^athos_verify_success_timestamp_seconds\S+ [1-9]/m.test(text)) &&
      texts.some((text) => text.includes('athos_asset_sum{'))
    );
  });
}

async function killNode(cluster: Cluster): Promise<() => Promise<void>> {
  const fault = FAULTS.find(({ name }) => name === 'kill-node');
  if (fault === undefined) throw new Error('no fault kill-node');
  return fault.make(cluster);
}

async function untilQuiet(watcher: Watcher): Promise<boolean> {
  for (const deadline = performance.now() + QUIET_LIMIT_MS; performance.now() < deadline;) {
    if (ofNoGoal(await namesOf(watcher, PAGES)).length === 0) return true;
    await pause(LOOK_EVERY_MS);
  }
  return false;
}

async function countCertificates(watcher: Watcher): Promise<number> {
  const verified = await watcher.ask(`max_over_time(probe_success[${RUN_S}s]) == 1`);
  const ends = await watcher.ask(`last_over_time(probe_ssl_earliest_cert_expiry[${RUN_S}s])`);
  return Math.min(verified.length, ends.length);
}

const everSeen = (series: string, seconds: number): string =>
  `last_over_time(${series}[${seconds}s])`;

async function namesOf(watcher: Watcher, query: string): Promise<string[]> {
  const samples = await watcher.ask(query);
  return [...new Set(samples.map(({ metric }) => metric['alertname'] ?? ''))].toSorted();
}

const describe = (names: readonly string[]): string => names.join(', ') || 'nothing';
