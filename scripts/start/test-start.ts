import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './paths.ts';

const POLL_MS = 50;
/** A busy machine takes half as long. Below the limit of a test, so that the error says what was waited for. */
const UP_LIMIT_MS = 120_000;

interface StartOptions {
  readonly dataDir: string;
  readonly env?: NodeJS.ProcessEnv;
  readonly words?: readonly string[];
  readonly uid?: number;
}

/** The contents of `addresses.json`, as promised to tools. */
export interface WrittenAddresses {
  readonly wallet: string;
  readonly scanner: string;
  readonly console: string;
  readonly mailbox: string;
  readonly sandbox: string;
  readonly publishableKey: string;
  readonly secretKey: string;
  readonly demoStaff: readonly { email: string; password: string; role: string }[];
  readonly demoSignIns: readonly { email: string; password: string; role: string }[];
  readonly rewardCodes: readonly string[];
}

export interface StartedSystem {
  readonly child: ChildProcess;
  readonly addresses: WrittenAddresses;
  /** Sends the signal of Ctrl-C; resolves with the exit code. */
  stop(): Promise<number | null>;
}

/** `npm start` without npm, on free ports and without the test run's environment. */
function spawnStart(options: StartOptions): ChildProcess {
  const words = [join(root, 'scripts/bootstrap.mjs'), 'scripts/start.ts', ...(options.words ?? [])];
  return spawn(process.execPath, words, {
    cwd: root,
    stdio: ['ignore', 'pipe', 'pipe'],
    ...(options.uid !== undefined && { uid: options.uid, gid: options.uid }),
    env: {
      PATH: process.env['PATH'],
      PORT: '0',
      MAILBOX_PORT: '0',
      SANDBOX_PORT: '0',
      // Seeding its history takes longer than everything else.
      DEMO_HISTORY: 'off',
      DATA_DIR: options.dataDir,
      ...options.env,
    },
  });
}

/** Resolves when the whole system is up; rejects with its output if it ends before. */
export async function startSystem(options: StartOptions): Promise<StartedSystem> {
  const child = spawnStart(options);
  const output = collect(child);
  const file = join(options.dataDir, 'addresses.json');
  const exited = once(child, 'close') as Promise<[number | null]>;
  // A start removes the previous start's file, so these addresses are its own.
  const isUp = () => output().includes('Ctrl-C stops everything') && existsSync(file);
  await waitFor(() => {
    if (child.exitCode !== null) throw new Error(`It ended: ${output()}`);
    return isUp();
  });
  return {
    child,
    addresses: JSON.parse(readFileSync(file, 'utf8')) as WrittenAddresses,
    async stop() {
      child.kill('SIGINT');
      const [code] = await exited;
      return code;
    },
  };
}

/** Runs a start that is expected to fail; resolves with its exit code and output. */
export async function runRefusedStart(options: StartOptions) {
  const child = spawnStart(options);
  const output = collect(child);
  const [code] = (await once(child, 'close')) as [number | null];
  return { code, output: output().trim() };
}

/** Polls until `isDone` is true; rejects after a limit far above what it takes. */
export async function waitFor(isDone: () => boolean | Promise<boolean>): Promise<void> {
  const deadline = performance.now() + UP_LIMIT_MS;
  while (!(await isDone())) {
    if (performance.now() > deadline) throw new Error('It takes too long.');
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
}

function collect(child: ChildProcess): () => string {
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream?.on('data', (chunk: Buffer) => (output += chunk.toString()));
  }
  return () => output;
}
