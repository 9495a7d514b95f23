/** A machine of the cluster: a network namespace, its own file system, and processes. */
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import {
  appendFileSync,
  chmodSync,
  chownSync,
  closeSync,
  cpSync,
  existsSync,
  mkdirSync,
  openSync,
  readFileSync,
  rmSync,
  writeSync,
} from 'node:fs';
import { open, type FileHandle } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { Port, run } from './network.ts';
import { createGroup, inGroup } from './processor-share.ts';

export interface World {
  /** Holds everything that the run writes. */
  readonly folder: string;
  /** The file system shared by all machines, which is never changed. */
  readonly baseRoot: string;
}

interface Program {
  /** The name of its log. Only one program of a name runs at a time. */
  readonly name: string;
  readonly command: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
}

const STOP_LOOK_EVERY_MS = 20;
/** Written into the logs of a machine when its disk is filled. */
const FILLED = 'from here on, the test leaves no room on the disk';

export class Machine {
  readonly port: Port;
  readonly root: string;
  readonly #world: World;
  readonly #running = new Map<string, ChildProcess>();
  /** The file by which processes join the machine's group. */
  #groupFile: string | undefined;
  /** The folder at which the data disk is mounted. */
  #disk: string | undefined;
  #endFilling: (() => Promise<void>) | undefined;

  constructor(world: World, name: string, address: string) {
    this.#world = world;
    this.port = new Port(name, address);
    this.root = join(world.folder, name, 'root');
  }

  get name(): string {
    return this.port.machine;
  }

  get address(): string {
    return this.port.address;
  }

  /** Mounts the file system and connects the machine. `data` adds a separate disk of this size at `folder`. */
  async build(data?: { readonly folder: string; readonly size: string }): Promise<void> {
    const { root } = this;
    this.#groupFile = createGroup(basename(this.#world.folder), this.name);
    const [upper, work] = ['upper', 'work'].map((part) => join(dirname(root), part));
    for (const folder of [root, upper, work]) mkdirSync(folder ?? '', { recursive: true });
    const layers = `lowerdir=${this.#world.baseRoot},upperdir=${upper},workdir=${work}`;
    await run('mount', '-t', 'overlay', 'overlay', '-o', layers, root);
    await run('mount', '-t', 'proc', 'proc', join(root, 'proc'));
    await run('mount', '--rbind', '/dev', join(root, 'dev'));
    await run('mount', '-t', 'tmpfs', 'tmpfs', join(root, 'run'));
    await run('mount', '-t', 'tmpfs', 'tmpfs', join(root, 'dev/shm'));
    if (data !== undefined) {
      this.#disk = join(root, data.folder);
      mkdirSync(this.#disk, { recursive: true });
      await run('mount', '-t', 'tmpfs', '-o', `size=${data.size}`, 'tmpfs', this.#disk);
    }
    await this.port.plugIn();
  }

  /** Copies a file into the machine's file system. If it has an owner, a system user, nobody else can read it. */
  install(from: string, to: string, owner?: string): void {
    const file = join(this.root, to);
    mkdirSync(dirname(file), { recursive: true });
    cpSync(from, file);
    if (owner === undefined) return;
    const { uid, gid } = this.#accountOf(owner);
    chownSync(file, uid, gid);
    chmodSync(file, 0o600);
  }

  /** Creates a folder owned by a system user. */
  makeFolder(path: string, user: string): void {
    const folder = join(this.root, path);
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    const { uid, gid } = this.#accountOf(user);
    chownSync(folder, uid, gid);
  }

  #accountOf(user: string): { readonly uid: number; readonly gid: number } {
    const lines = readFileSync(join(this.root, 'etc/passwd'), 'utf8').split('\n');
    const [, , uid, gid] =
      lines.map((line) => line.split(':')).find(([name]) => name === user) ?? [];
    return { uid: Number(uid), gid: Number(gid) };
  }

  /** Starts a program from the machine's own file system, as one of its users. */
  start(program: Program & { readonly user: string }): void {
    const { user, command, env } = program;
    const { uid, gid } = this.#accountOf(user);
    const path = '/usr/sbin:/usr/bin:/sbin:/bin:/usr/lib/postgresql/18/bin';
    this.#spawn({
      ...program,
      command: [
        'chroot',
        this.root,
        'setpriv',
        `--reuid=${uid}`,
        `--regid=${gid}`,
        '--clear-groups',
        ...command,
      ],
      env: { PATH: path, LC_ALL: 'C.UTF-8', ...env },
    });
  }

  /** Starts one of our own programs from the host's file system, without waiting until it is ready. */
  startOwn(program: Program): void {
    this.#spawn({ ...program, env: { PATH: process.env['PATH'] ?? '', ...program.env } });
  }

  /** What programs of this name have written so far. */
  readLog(name: string): string {
    return readFileSync(this.#logFile(name), 'utf8');
  }

  #logFile(name: string): string {
    return join(this.#world.folder, `${this.name}-${name}.log`);
  }

  #spawn({ name, command, env }: Program): void {
    const log = openSync(this.#logFile(name), 'a');
    // It also moves the position to the end: HAProxy takes O_APPEND from the file that it logs to, and would write over earlier lines.
    writeSync(log, `${command.join(' ')}\n`);
    const entered = ['nsenter', `--net=/run/netns/${this.name}`, '--', ...command];
    const [first = '', ...rest] = inGroup(this.#groupFile, entered);
    const child = spawn(first, rest, { env: { ...env }, stdio: ['ignore', log, log] });
    closeSync(log);
    this.#running.set(name, child);
  }

  /** The process that was started under this name. The wrapper programs have replaced themselves by it. */
  pidOf(name: string): number {
    const pid = this.#running.get(name)?.pid;
    if (pid === undefined) throw new Error(`${this.name}: ${name} does not run`);
    return pid;
  }

  async kill(name: string, signal: NodeJS.Signals = 'SIGKILL'): Promise<void> {
    const child = this.#running.get(name);
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
    const exited = once(child, 'exit');
    child.kill(signal);
    await exited;
    this.#running.delete(name);
  }

  /** Kills every process of the machine, including those that appear meanwhile. */
  async killAll(): Promise<void> {
    for (let pids = await this.port.pids(); pids.length > 0; pids = await this.port.pids()) {
      for (const pid of pids) signal(pid, 'SIGKILL');
      await pause(STOP_LOOK_EVERY_MS);
    }
    this.#running.clear();
  }

  /** Stops every process of the machine, including those that appear meanwhile. Nothing on it runs until `thaw`. */
  async freeze(): Promise<void> {
    const frozen = new Set<number>();
    for (;;) {
      const fresh = (await this.port.pids()).filter((pid) => !frozen.has(pid));
      if (fresh.length === 0) return;
      for (const pid of fresh) {
        signal(pid, 'SIGSTOP');
        frozen.add(pid);
      }
    }
  }

  /**
   * Fills the data disk completely, and until `freeDisk` again whenever a program gives room back, as PostgreSQL does with WAL after a
   * checkpoint.
   */
  async fillDisk(): Promise<void> {
    for (const name of this.#running.keys()) appendFileSync(this.#logFile(name), `${FILLED}\n`);
    const filler = await open(this.#fillerFile(), 'w');
    await fill(filler);
    const ending = new AbortController();
    const kept = keepFull(filler, ending.signal);
    this.#endFilling = async () => {
      ending.abort();
      await kept;
    };
  }

  /** Whether the disk is filled and the program has logged that it found no room. It may run for long without a need of any. */
  hasFoundNoRoom(name: string): boolean {
    if (!existsSync(this.#fillerFile())) return false;
    const log = this.readLog(name);
    return /no space left on device/i.test(log.slice(log.lastIndexOf(FILLED)));
  }

  async freeDisk(): Promise<void> {
    await this.#endFilling?.();
    rmSync(this.#fillerFile(), { force: true });
  }

  #fillerFile(): string {
    if (this.#disk === undefined) throw new Error(`${this.name} has no data disk`);
    return join(this.#disk, 'filler');
  }

  async thaw(): Promise<void> {
    for (const pid of await this.port.pids()) signal(pid, 'SIGCONT');
  }
}

const FILL = Buffer.alloc(1 << 20);
const FILL_EVERY_MS = 200;

async function keepFull(filler: FileHandle, ending: AbortSignal): Promise<void> {
  while (!ending.aborted) {
    await pause(FILL_EVERY_MS);
    await fill(filler);
  }
  await filler.close();
}

/** Writes until there is no room. The load, which is in this process, goes on meanwhile. */
async function fill(filler: FileHandle): Promise<void> {
  try {
    while ((await filler.write(FILL)).bytesWritten === FILL.byteLength);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error;
  }
}

export function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch (error) {
    // The process has already ended.
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}
