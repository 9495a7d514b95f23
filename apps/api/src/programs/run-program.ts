/** The life cycle of every program: read the settings, start, report ready, close on a signal, and explain a failed start. */
import { hostname } from 'node:os';
import { setTimeout as pause } from 'node:timers/promises';
import { ConfigError, readConfig, type Config } from '../config/config.ts';
import { buildVersion } from '../release.ts';
import { standardOutput } from '../platform/log/log-output.ts';
import { createLog, type Log } from '../platform/log/log.ts';
import { createMetrics, type Metrics } from '../platform/metrics/metrics.ts';
import { serveMetrics } from '../platform/metrics/metrics-server.ts';
import { startCollecting } from '../platform/traces/collector.ts';

/** How long requests and jobs in progress may take to finish before the shutdown continues without them. */
const FINISH_MS = 8_000;
/** How long calls of the system in progress may take to return. */
const CALLS_RETURN_WITHIN_MS = 500;
const LOOK_EVERY_MS = 10;

interface Running {
  /** Resolves when the program is ready, with the extra fields of its line on standard output. */
  readonly ready: Promise<Readonly<Record<string, string>>>;
  /** A program without a port of its own answers /readyz on the port of the metrics. */
  readonly isAskedOnMetricsPort?: boolean;
  close(): Promise<void>;
}

function describeFault(error: unknown): string {
  if (error instanceof ConfigError) return error.message;
  if (error instanceof Error && 'code' in error && error.code === 'EADDRINUSE') {
    return 'The port of this program (PORT, CONSOLE_PORT, METRICS_PORT) is taken by another one. Choose another port or end that program.';
  }
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}

/** Calls to files and to the resolver of names, which run in threads. */
const areCallsOpen = (): boolean =>
  process.getActiveResourcesInfo().some((name) => /^(FSReq|GetAddrInfo|GetNameInfo)/.test(name));

/**
 * Ends the process. `process.exit` waits for calls in other threads, and one that never returns, such as a read from a lost network share
 * or a resolver that does not answer, would keep the process and its port. Then it is killed.
 */
async function endProcess(code: number): Promise<void> {
  const deadline = performance.now() + CALLS_RETURN_WITHIN_MS;
  while (areCallsOpen() && performance.now() < deadline) await pause(LOOK_EVERY_MS);
  if (areCallsOpen()) process.kill(process.pid, 'SIGKILL');
  process.exit(code);
}

type Start = (config: Config, log: Log, metrics: Metrics) => Promise<Running | undefined>;
/** The name of a program in tools that monitor several programs. */
type Role = 'api' | 'console' | 'worker' | 'migrate' | 'seed';

async function run(role: Role, start: Start) {
  const config = readConfig(process.env);
  const metrics = createMetrics();
  const onAlarm = (alarm: string): void => metrics.alarms.inc({ alarm });
  standardOutput.onDrop = () => onAlarm('log_lines_dropped');
  const ours = { host: hostname(), pid: process.pid, version: buildVersion() };
  const log = createLog(config.logLevel, undefined, onAlarm, ours);
  standardOutput.onRecovery = (droppedCount) =>
    log.error(
      { alarm: 'log_lines_dropped', droppedCount },
      'the output of the log accepted nothing',
    );
  if (config.isRehearsal) log.warn('rehearsal: card payments and mails are not real');
  const collecting = await startCollecting(
    { config, log, metrics },
    {
      'service.name': `athos-${role}`,
      'service.version': ours.version,
      'host.name': ours.host,
      'process.pid': ours.pid,
    },
  );
  const running = await start(config, log, metrics);
  if (running === undefined) return;
  const { metricsHost: host, metricsPort: port } = config;
  let [isReady, isClosing] = [false, false];
  const readyz = running.isAskedOnMetricsPort === true ? () => isReady && !isClosing : undefined;
  // Metrics are served until the process ends, because they matter during draining too.
  if (port !== undefined) await serveMetrics(metrics.registry, { host, port, readyz });
  const close = (): void => {
    if (isClosing) return;
    isClosing = true;
    setTimeout(() => void endProcess(1), config.drainMs + FINISH_MS).unref();
    void running
      .close()
      .then(() => collecting.stop())
      .then(() => endProcess(0));
  };
  process.once('SIGTERM', close);
  process.once('SIGINT', close);
  const facts = await running.ready;
  isReady = true;
  standardOutput.write(`${JSON.stringify({ ready: true, ...facts })}\n`);
}

/** `start` resolves with `undefined` if the program has already finished, and otherwise with a handle to close it. */
export function runProgram(role: Role, start: Start): void {
  run(role, start).catch((error: unknown) => {
    process.stderr.write(`${describeFault(error)}\n`);
    process.exit(1);
  });
}
