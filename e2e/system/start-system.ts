/** Starts the whole system as a user does, with its own data and ports. */
import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import {
  chmodSync,
  closeSync,
  cpSync,
  existsSync,
  mkdtempSync,
  openSync,
  readFileSync,
  rmSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';

/** The content that `npm start` writes to `DATA_DIR/addresses.json`. */
export interface Addresses {
  readonly wallet: string;
  readonly scanner: string;
  readonly console: string;
  readonly mailbox: string;
  readonly sandbox: string;
  readonly secretKey: string;
  readonly demoSignIns: readonly { email: string; password: string; role: string }[];
  readonly demoStaff: readonly { email: string; password: string; role: string }[];
  /** Codes of the demo's campaign. Many accounts may use the first. */
  readonly rewardCodes: readonly string[];
}

export interface RunningSystem {
  readonly addresses: Addresses;
  readonly dataDir: string;
  stop(): Promise<void>;
}

type Settings = Readonly<Record<string, string>>;

const ROOT = resolve(import.meta.dirname, '../..');
/** Includes a build of the apps on a busy machine. */
const START_LIMIT_MS = 180_000;
const STOP_LIMIT_MS = 30_000;
const LOOK_EVERY_MS = 100;
const OUTPUT_CHARACTERS_MAX = 4_000;

export const readAddresses = (file: string): Addresses =>
  JSON.parse(readFileSync(file, 'utf8')) as Addresses;

/**
 * Starts on free ports with an empty database and these settings; `stop` removes everything.
 * @throws Error with the last output of a start that fails
 */
export async function startSystem(settings: Settings = {}): Promise<RunningSystem> {
  const dataDir = mkdtempSync(join(tmpdir(), 'athos-e2e-'));
  // PostgreSQL may run as another user, who must be able to enter the folder.
  chmodSync(dataDir, 0o755);
  buildApps();
  for (const [app, folder] of Object.entries(buildsOf(dataDir))) {
    cpSync(join(ROOT, `apps/${app}/dist`), folder, { recursive: true });
  }
  const stop = async (): Promise<void> => {
    await stopSystem(dataDir);
    rmSync(dataDir, { recursive: true, force: true });
  };
  try {
    return { addresses: await launch(dataDir, { PORT: '0', ...settings }), dataDir, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** Stops a system in order and keeps its data. Any process may call it. */
export async function stopSystem(dataDir: string): Promise<void> {
  const pid = readPid(dataDir);
  for (const signal of ['SIGTERM', 'SIGKILL'] as const) {
    if (pid === undefined || !sendSignal(pid, signal)) return;
    const deadline = performance.now() + STOP_LIMIT_MS;
    while (sendSignal(pid, 0) && performance.now() < deadline) await pause(LOOK_EVERY_MS);
  }
}

/**
 * Starts a stopped system again on its data, with the addresses that its clients know.
 * @throws Error with the last output of a start that fails
 */
export async function startAgain(dataDir: string, known: Addresses): Promise<void> {
  await launch(dataDir, {
    PORT: new URL(known.wallet).port,
    MAILBOX_PORT: new URL(known.mailbox).port,
    SANDBOX_PORT: new URL(known.sandbox).port,
  });
}

const addressesFile = (dataDir: string) => join(dataDir, 'addresses.json');
const outputFile = (dataDir: string) => join(dataDir, 'output.log');

/** Copies of the builds are served, because another start of this checkout may replace them while a story runs. */
const buildsOf = (dataDir: string) => ({
  wallet: join(dataDir, 'wallet'),
  scanner: join(dataDir, 'scanner'),
  console: join(dataDir, 'console'),
});

function buildApps(): void {
  const build = [join(ROOT, 'scripts/build.ts')];
  const { status } = spawnSync(process.execPath, build, { cwd: ROOT, stdio: 'inherit' });
  if (status !== 0) throw new Error('The apps do not build');
}

async function launch(dataDir: string, settings: Settings): Promise<Addresses> {
  // The previous start's addresses would end the wait at once.
  rmSync(addressesFile(dataDir), { force: true });
  const output = openSync(outputFile(dataDir), 'a');
  const builds = buildsOf(dataDir);
  // The output goes to a file, because the process that starts the system may end before it.
  const child = spawn(process.execPath, [join(ROOT, 'scripts/start.ts')], {
    cwd: ROOT,
    stdio: ['ignore', output, output],
    // Settings in the caller's environment are not passed on.
    env: {
      PATH: process.env['PATH'],
      HOME: process.env['HOME'],
      // The stories create their own history, which takes a moment; seeding the demo's takes much longer.
      DEMO_HISTORY: 'off',
      DATA_DIR: dataDir,
      STATIC_DIR: builds.wallet,
      SCANNER_STATIC_DIR: builds.scanner,
      CONSOLE_STATIC_DIR: builds.console,
      ...settings,
    },
  });
  closeSync(output);
  return waitForAddresses(child, dataDir);
}

async function waitForAddresses(child: ChildProcess, dataDir: string): Promise<Addresses> {
  const file = addressesFile(dataDir);
  const lastOutput = () => readFileSync(outputFile(dataDir), 'utf8').slice(-OUTPUT_CHARACTERS_MAX);
  for (const deadline = performance.now() + START_LIMIT_MS; performance.now() < deadline;) {
    if (existsSync(file)) return readAddresses(file);
    if (child.exitCode !== null) throw new Error(`The system does not start:\n${lastOutput()}`);
    await pause(LOOK_EVERY_MS);
  }
  throw new Error(`The system is not up after ${START_LIMIT_MS / 1000} s:\n${lastOutput()}`);
}

/** The process that uses the data, by the lock of `npm start`. */
function readPid(dataDir: string): number | undefined {
  const lock = join(dataDir, 'start.pid');
  if (!existsSync(lock)) return undefined;
  const pid = Number(readFileSync(lock, 'utf8').split('\n')[0]);
  return Number.isSafeInteger(pid) && pid > 1 ? pid : undefined;
}

/** False if the process is gone. Signal 0 only checks for its existence. */
function sendSignal(pid: number, signal: NodeJS.Signals | 0): boolean {
  try {
    return process.kill(pid, signal);
  } catch {
    return false;
  }
}
