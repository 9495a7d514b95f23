/** What metrics and traces cost the rate of sends, against the same program without them, by turns. */
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { loadUser } from './population.ts';
import { freePort, runLoad, startApi, type RunningApi } from './programs.ts';
import type { MeasuredRatio } from './report.ts';
import { say, shuffled, type Samples } from './samples.ts';
import { CONNECTIONS, type BenchScale } from './scale.ts';
import type { Workbench } from './workbench.ts';

const USERS = 1_000;
/** The rate of one second varies by a tenth, and the goals are 3 %. */
const ROUNDS_FACTOR = 8;
const TURN = { warmUpMs: 300, measureMs: 1_000 };

const JSON_ANSWER = { 'content-type': 'application/json' };

const BUILDS = ['plain', 'metrics', 'traces'] as const;
type Build = (typeof BUILDS)[number];

interface TelemetryBench {
  readonly bench: Workbench;
  readonly samples: Samples;
  readonly scale: BenchScale;
}

export async function measureTelemetry(given: TelemetryBench): Promise<MeasuredRatio[]> {
  const { bench, samples, scale } = given;
  say('sends with metrics and traces');
  const users = await bench.createPopulated('telemetry', { count: USERS, senderCount: USERS });
  const senders = users.map(loadUser);
  const request = {
    kind: 'transfer',
    senders,
    recipientUuids: senders.map(({ uuid }) => uuid),
  } as const;
  const collector = await startCollector();
  const settings: Readonly<Record<Build, Record<string, string>>> = {
    plain: {},
    metrics: { METRICS_PORT: String(await freePort()) },
    traces: { OTEL_EXPORTER_OTLP_ENDPOINT: collector.url, OTEL_TRACES_SAMPLER_ARG: '0.01' },
  };
  const apis = new Map<Build, RunningApi>();
  try {
    for (const build of BUILDS) {
      await bench.copy('telemetry', `telemetry-${build}`);
      const databaseUrl = bench.databaseUrl(`telemetry-${build}`);
      apis.set(build, await startApi('product', databaseUrl, { settings: settings[build] }));
    }
    const turn = (build: Build, plan: typeof TURN) =>
      runLoad({
        url: apis.get(build)?.url ?? '',
        connectionCount: CONNECTIONS,
        request,
        ...plan,
      });
    for (const build of BUILDS) await turn(build, { warmUpMs: 0, measureMs: scale.warmUpMs });
    for (let round = 1; round <= ROUNDS_FACTOR * scale.rounds; round++) {
      for (const build of shuffled(BUILDS)) {
        samples.note(`sends per s, ${build}`, (await turn(build, TURN)).perSecond);
      }
    }
    samples.note('bytes of traces', collector.byteCount());
  } finally {
    await Promise.all([...apis.values()].map((api) => api.stop()));
    collector.close();
  }
  return telemetryRatios(samples);
}

/** Takes traces in this process, which does nothing else meanwhile. */
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
];
