/** What every program does: read the settings, start, say that it is ready, close on a signal, and explain why it cannot run. */
import { ConfigError, readConfig, type Config } from '../config/config.ts';
import { createLog, type Log } from '../platform/log/log.ts';

/** Requests and jobs may take this long to end. What does not end must not hold up the shutdown. */
const DRAIN_MS = 8_000;

interface Running {
  /** Resolves when the program serves, with what its line on standard output says besides. */
  readonly ready: Promise<Readonly<Record<string, string>>>;
  close(): Promise<void>;
}

function describeFault(error: unknown): string {
  if (error instanceof ConfigError) return error.message;
  if (error instanceof Error && 'code' in error && error.code === 'EADDRINUSE') {
    return 'The port of the API (PORT) is taken by another program. Choose another one or end that program.';
  }
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}

async function run(start: (config: Config, log: Log) => Promise<Running | undefined>) {
  const config = readConfig(process.env);
  const running = await start(config, createLog(config.logLevel));
  if (running === undefined) return;
  let isClosing = false;
  const close = (): void => {
    if (isClosing) return;
    isClosing = true;
    setTimeout(() => process.exit(1), DRAIN_MS).unref();
    void running.close().then(() => process.exit(0));
  };
  process.once('SIGTERM', close);
  process.once('SIGINT', close);
  const facts = await running.ready;
  process.stdout.write(`${JSON.stringify({ ready: true, ...facts })}\n`);
}

/** `start` resolves with `undefined` if the program has done its work, and with how to close it if it goes on. */
export function runProgram(
  start: (config: Config, log: Log) => Promise<Running | undefined>,
): void {
  run(start).catch((error: unknown) => {
    process.stderr.write(`${describeFault(error)}\n`);
    process.exit(1);
  });
}
