/**
 * The cost of metrics and traces for the rate of sends, against the same program without them, and the total cost of everything needed for
 * running on several machines. The variants alternate, and each round has new processes, because one may be some percent faster than another
 * of the same build for as long as it lives.
 */
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import type { LoadRequest } from './load-plan.ts';
import { fillPieces } from './measure-pieces.ts';
import { loadUser } from './population.ts';
import { freePort, runLoad, startApi, type RunningApi } from './programs.ts';
import type { MeasuredRatio } from './report.ts';
import { say, shuffled, type Samples } from './samples.ts';
import { CONNECTIONS, type BenchScale } from './scale.ts';
import type { Workbench } from './workbench.ts';

const USERS = 1_000;
/** The rate varies by a tenth from one second to the next, and the goals are 3 %. */
const TURNS_PER_PROCESS = 8;
const TURN = { warmUpMs: 300, measureMs: 1_000 };

const JSON_ANSWER = { 'content-type': 'application/json' };

const WAITING_COMMITS = join(import.meta.dirname, 'latency/waiting-commits.ts');
const WITHOUT_METRICS = join(import.meta.dirname, 'telemetry/without-metrics.ts');
/** Prometheus asks each 15 s. */
const SCRAPE_EVERY_MS = 5_000;

interface TelemetryBench {
  readonly bench: Workbench;
  readonly samples: Samples;
  readonly scale: BenchScale;
}

interface Build {
  readonly name: string;
  readonly settings?: Readonly<Record<string, string>>;
  /** The form of a filled journal: partitions, or the same number of rows in one table. If absent, the journal is empty. */
  readonly journal?: 'pieces' | 'one table';
  /** Modules that are loaded before the program. */
  readonly preloads?: readonly string[];
}

export async function measureTelemetry(given: TelemetryBench): Promise<MeasuredRatio[]> {
  const { bench, samples } = given;
  const users = await bench.createPopulated('telemetry', { count: USERS, senderCount: USERS });
  const senders = users.map(loadUser);
  const recipientUuids = senders.map(({ uuid }) => uuid);
  const request: LoadRequest = { kind: 'transfer', senders, recipientUuids };
  const collector = await startCollector();
  const metrics = { METRICS_PORT: String(await freePort()) };
  const traces = {
    OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
    OTEL_TRACES_SAMPLER_ARG: '0.01',
  };
  try {
    await takeTurns(given, request, [
      { name: 'plain', preloads: [WITHOUT_METRICS] },
      { name: 'metrics', settings: metrics },
      { name: 'traces', preloads: [WITHOUT_METRICS], settings: traces },
    ]);
    await takeTurns(given, request, [
      { name: 'bare', journal: 'one table', preloads: [WAITING_COMMITS, WITHOUT_METRICS] },
      { name: 'all', journal: 'pieces', settings: { ...metrics, ...traces } },
    ]);
    samples.note('bytes of traces', collector.byteCount());
  } finally {
    collector.close();
  }
  return telemetryRatios(samples);
}

/** The send rate of each build, on its own database. */
async function takeTurns(
  given: TelemetryBench,
  request: LoadRequest,
  builds: readonly Build[],
): Promise<void> {
  const { bench, scale } = given;
  say(`sends of ${builds.map(({ name }) => name).join(', ')}`);
  for (const { name, journal } of builds) {
    await bench.copy('telemetry', databaseOf(name));
    if (journal !== undefined)
      await fillPieces(bench.databaseUrl(databaseOf(name)), journal, USERS);
  }
  for (let round = 1; round <= scale.rounds; round++) {
    say(`round ${round} of ${scale.rounds}, with new processes`);
    await takeTurnsOnce(given, request, builds);
  }
}

const databaseOf = (name: string): string => `telemetry-${name}`;

/** Starts a process of each build and lets them take turns. */
async function takeTurnsOnce(
  { bench, samples, scale }: TelemetryBench,
  request: LoadRequest,
  builds: readonly Build[],
): Promise<void> {
  const apis = new Map<Build, RunningApi>();
  const scraping = setInterval(() => void scrape(builds), SCRAPE_EVERY_MS);
  const turn = (build: Build, plan: typeof TURN) =>
    runLoad({ url: apis.get(build)?.url ?? '', connectionCount: CONNECTIONS, request, ...plan });
  try {
    for (const build of shuffled(builds)) {
      const { name, settings = {}, preloads = [] } = build;
      const databaseUrl = bench.databaseUrl(databaseOf(name));
      apis.set(build, await startApi('product', databaseUrl, { settings, preloads }));
    }
    for (const build of shuffled(builds)) {
      await turn(build, { warmUpMs: 0, measureMs: scale.warmUpMs });
    }
    for (let count = 1; count <= TURNS_PER_PROCESS; count++) {
      for (const build of shuffled(builds)) {
        samples.note(`sends per s, ${build.name}`, (await turn(build, TURN)).perSecond);
      }
    }
  } finally {
    clearInterval(scraping);
    await Promise.all([...apis.values()].map((api) => api.stop()));
  }
}

/** Reads the metrics of the programs that are up. */
async function scrape(builds: readonly Build[]): Promise<void> {
  const ports = builds.flatMap(({ settings }) => settings?.['METRICS_PORT'] ?? []);
  const signal = AbortSignal.timeout(SCRAPE_EVERY_MS);
  const answers = ports.map(async (port) =>
    (await fetch(`http://127.0.0.1:${port}/metrics`, { signal })).text(),
  );
  await Promise.allSettled(answers);
}

/** Receives traces in this process, which does nothing else meanwhile. */
async function startCollector() {
  let byteCount = 0;
  const server = createServer((request, response) => {
    request.on('data', (bytes: Buffer) => (byteCount += bytes.length));
    request.on('end', () => response.writeHead(200, JSON_ANSWER).end('{}'));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    byteCount: () => byteCount,
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}

const telemetryRatios = (samples: Samples): MeasuredRatio[] => [
  {
    name: '[P-062] sends /s with metrics ÷ without',
    must: 0.97,
    aim: 0.99,
    sense: 'atLeast',
    rounds: samples.ratios('sends per s, metrics', 'sends per s, plain'),
  },
  {
    name: '[P-062] sends /s with traces of 1 % ÷ without',
    must: 0.97,
    aim: 0.99,
    sense: 'atLeast',
    rounds: samples.ratios('sends per s, traces', 'sends per s, plain'),
  },
  {
    name: 'sends /s with barriers, 24 pieces, metrics and traces ÷ without all of them',
    must: 0.9,
    aim: 0.95,
    sense: 'atLeast',
    rounds: samples.ratios('sends per s, all', 'sends per s, bare'),
  },
];
