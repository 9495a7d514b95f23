/**
 * The cost of metrics and traces for the rate of sends, and the total cost of everything needed for running on several machines. Each is
 * switched on and off by turns within one process.
 */
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { LoadRequest } from './load-plan.ts';
import { fillPieces } from './measure-pieces.ts';
import { loadUser } from './population.ts';
import { freePort } from './programs.ts';
import type { MeasuredRatio } from './report.ts';
import { say, type Samples } from './samples.ts';
import type { BenchScale } from './scale.ts';
import { measureTurns, turnRatios } from './turns/measure-turns.ts';
import type { Workbench } from './workbench.ts';

const USERS = 1_000;
const JSON_ANSWER = { 'content-type': 'application/json' };

interface TelemetryBench {
  readonly bench: Workbench;
  readonly samples: Samples;
  readonly scale: BenchScale;
}

const EVERYTHING = 'barriers, 24 pieces, metrics and traces';

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
    say('journals in 24 pieces and in one table');
    for (const form of ['pieces', 'one table'] as const) {
      await bench.copy('telemetry', form);
      await fillPieces(bench.databaseUrl(form), form, USERS);
    }
    const databaseUrl = bench.databaseUrl('telemetry');
    await measureTurns(given, {
      name: 'metrics',
      toggles: ['metrics'],
      settings: metrics,
      databaseUrl,
      request,
    });
    await measureTurns(given, {
      name: 'traces',
      toggles: ['traces'],
      settings: traces,
      databaseUrl,
      request,
    });
    await measureTurns(given, {
      name: EVERYTHING,
      toggles: ['barriers', 'metrics', 'traces', 'pieces'],
      settings: {
        ...metrics,
        ...traces,
        BENCH_OTHER_DATABASE_URL: bench.databaseUrl('one table'),
      },
      databaseUrl: bench.databaseUrl('pieces'),
      request,
    });
    samples.note('bytes of traces', collector.byteCount());
  } finally {
    collector.close();
  }
  return telemetryRatios(samples);
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
    rounds: turnRatios(samples, 'metrics'),
  },
  {
    name: '[P-062] sends /s with traces of 1 % ÷ without',
    must: 0.97,
    aim: 0.99,
    sense: 'atLeast',
    rounds: turnRatios(samples, 'traces'),
  },
  {
    name: 'sends /s with barriers, 24 pieces, metrics and traces ÷ without all of them',
    must: 0.9,
    aim: 0.95,
    sense: 'atLeast',
    rounds: turnRatios(samples, EVERYTHING),
  },
];
