/** Starts the whole system as a user does, with its own data and ports. */
import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, cpSync, existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';

/** What `npm start` writes to `DATA_DIR/addresses.json`. */
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
export async function startSystem(
  settings: Readonly<Record<string, string>> = {},
): Promise<RunningSystem> {
  const dataDir = mkdtempSync(join(tmpdir(), 'athos-e2e-'));
  // PostgreSQL may run as another user, who must be able to enter the folder.
  chmodSync(dataDir, 0o755);
  const staticDir = join(dataDir, 'wallet');
  const scannerStaticDir = join(dataDir, 'scanner');
  const consoleStaticDir = join(dataDir, 'console');
  copyBuilds({ wallet: staticDir, scanner: scannerStaticDir, console: consoleStaticDir });
  const child = spawn(process.execPath, [join(ROOT, 'scripts/start.ts')], {
    cwd: ROOT,
    stdio: ['ignore', 'pipe', 'pipe'],
    // Settings in the caller's environment are not passed on.
    env: {
      PATH: process.env['PATH'],
      HOME: process.env['HOME'],
      PORT: '0',
      // The stories make their own past, which takes a moment; the demo's takes much longer.
      DEMO_HISTORY: 'off',
      DATA_DIR: dataDir,
      STATIC_DIR: staticDir,
      SCANNER_STATIC_DIR: scannerStaticDir,
      CONSOLE_STATIC_DIR: consoleStaticDir,
      ...settings,
    },
  });
  const stop = async (): Promise<void> => {
    await stopChild(child);
    rmSync(dataDir, { recursive: true, force: true });
  };
  try {
    const found = await waitForAddresses(child, join(dataDir, 'addresses.json'));
    return { addresses: found, dataDir, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** Serves copies of the builds, because another start of this checkout may replace them while a story runs. */
function copyBuilds(folders: Readonly<Record<string, string>>): void {
  const build = [join(ROOT, 'scripts/build.ts')];
  const { status } = spawnSync(process.execPath, build, { cwd: ROOT, stdio: 'inherit' });
  if (status !== 0) throw new Error('The apps do not build');
  for (const [app, folder] of Object.entries(folders)) {
    cpSync(join(ROOT, `apps/${app}/dist`), folder, { recursive: true });
  }
}

async function waitForAddresses(child: ChildProcess, file: string): Promise<Addresses> {
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream?.on('data', (chunk: Buffer) => {
      output = (output + chunk.toString()).slice(-OUTPUT_CHARACTERS_MAX);
    });
  }
  for (const deadline = performance.now() + START_LIMIT_MS; performance.now() < deadline;) {
    if (existsSync(file)) return readAddresses(file);
    if (child.exitCode !== null) throw new Error(`The system does not start:\n${output}`);
    await pause(LOOK_EVERY_MS);
  }
  throw new Error(`The system is not up after ${START_LIMIT_MS / 1000} s:\n${output}`);
}

async function stopChild(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exited = once(child, 'exit');
  child.kill('SIGTERM');
  const killer = setTimeout(() => child.kill('SIGKILL'), STOP_LIMIT_MS);
  await exited;
  clearTimeout(killer);
}
