import { spawn, type ChildProcess } from 'node:child_process';
import { rmSync } from 'node:fs';
import { basename, join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { pathToFileURL } from 'node:url';
import { writeLockNote } from '@athos/postgres/process-lock';
import { ProgramLog } from './log-file.ts';
import { root } from './paths.ts';
import { StartError } from './start-error.ts';
import type { Running } from './supervise.ts';

const READY_LIMIT_MS = 60_000;
// The API drains for at most 8 s.
const STOP_LIMIT_MS = 12_000;
const ERROR_LINES_MAX = 20;

const followParent = pathToFileURL(join(import.meta.dirname, 'follow-parent.ts')).href;

export interface ProgramOptions {
  readonly name: string;
  /** Node's arguments: flags and the script. */
  readonly words: readonly string[];
  readonly env: NodeJS.ProcessEnv;
  readonly logsDir: string;
  readonly runDir: string;
  /** Copies the program's output to ours, because in production the host collects the log. */
  readonly isLogShown: boolean;
}

/**
 * Starts a program and resolves when it prints its line `{"ready":true,…}`.
 * @throws StartError with the end of the program's stderr
 */
export async function launchProgram(
  options: ProgramOptions,
  signal: AbortSignal,
): Promise<Running> {
  const child = spawn(process.execPath, ['--import', followParent, ...options.words], {
    cwd: root,
    env: options.env,
    // In its own process group: Ctrl-C reaches only the supervisor, which stops the parts in order.
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  });
  const note = join(options.runDir, `${options.name}.pid`);
  if (child.pid !== undefined) writeLockNote(note, child.pid);
  const { isReady, errorLines, closed } = follow(child, options);
  const exited = closed.then((reason) => {
    rmSync(note, { force: true });
    return reason;
  });
  const running: Running = { exited, stop: () => stopChild(child, exited) };
  const abort = () => void child.kill('SIGTERM');
  signal.addEventListener('abort', abort);
  const timer = setTimeout(() => child.kill('SIGKILL'), READY_LIMIT_MS);
  try {
    const outcome = await Promise.race([isReady, exited]);
    if (outcome === 'ready') return running;
    throw new StartError(errorLines.join('\n') || `${basename(options.name)} ${outcome}.`);
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', abort);
  }
}

function follow(child: ChildProcess, options: ProgramOptions) {
  const log = new ProgramLog(options.logsDir, options.name);
  const errorLines: string[] = [];
  const isReady = new Promise<'ready'>((resolve) => {
    readLines(child.stdout, (line) => {
      log.write(line);
      if (options.isLogShown) process.stdout.write(`${line}\n`);
      if (line.startsWith('{"ready":true')) resolve('ready');
    });
  });
  readLines(child.stderr, (line) => {
    log.write(line);
    if (options.isLogShown) process.stderr.write(`${line}\n`);
    errorLines.push(line);
    if (errorLines.length > ERROR_LINES_MAX) errorLines.shift();
  });
  const closed = new Promise<string>((resolve) => {
    child.once('error', (error) => resolve(`could not be started: ${error.message}`));
    // Use `close`, because output may still arrive after `exit`.
    child.once('close', (code, signal) => {
      log.close();
      resolve(`ended ${signal === null ? `with code ${code}` : `by ${signal}`}`);
    });
  });
  return { isReady, errorLines, closed };
}

async function stopChild(child: ChildProcess, exited: Promise<string>): Promise<void> {
  child.kill('SIGTERM');
  const timer = setTimeout(() => child.kill('SIGKILL'), STOP_LIMIT_MS);
  await exited;
  clearTimeout(timer);
}

function readLines(stream: Readable | null, onLine: (line: string) => void): void {
  if (stream !== null) createInterface({ input: stream }).on('line', onLine);
}
