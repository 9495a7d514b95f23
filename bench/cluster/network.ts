/** The network of the cluster: a bridge, and a network namespace for each machine, all inside the test's own namespace. */
import { execFile } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { promisify } from 'node:util';

const BRIDGE = 'switch';
const PREFIX = '10.77.0.';
const OWN_ADDRESS = `${PREFIX}1/24`;
/** A MAC address that no machine has. */
const NOWHERE = '02:00:00:00:00:ff';

const execute = promisify(execFile);
export const run = async (program: string, ...words: string[]): Promise<string> =>
  (await execute(program, words)).stdout;

export const addressOf = (host: number): string => `${PREFIX}${host}`;

export async function makeNetwork(): Promise<void> {
  // Names of namespaces are files in this folder, which would otherwise remain on the host.
  mkdirSync('/run/netns', { recursive: true });
  await run('mount', '-t', 'tmpfs', 'tmpfs', '/run/netns');
  await run('ip', 'link', 'set', 'lo', 'up');
  await run('ip', 'link', 'add', BRIDGE, 'type', 'bridge');
  await run('ip', 'addr', 'add', OWN_ADDRESS, 'dev', BRIDGE);
  await run('ip', 'link', 'set', BRIDGE, 'up');
}

/** One machine's connection to the network. */
export class Port {
  readonly machine: string;
  readonly address: string;

  constructor(machine: string, address: string) {
    this.machine = machine;
    this.address = address;
  }

  async plugIn(): Promise<void> {
    const { machine, address } = this;
    await run('ip', 'netns', 'add', machine);
    await run(
      'ip',
      'link',
      'add',
      machine,
      'type',
      'veth',
      'peer',
      'name',
      'eth0',
      'netns',
      machine,
    );
    await run('ip', 'link', 'set', machine, 'master', BRIDGE, 'up');
    await this.#inside('ip', 'link', 'set', 'lo', 'up');
    await this.#inside('ip', 'addr', 'add', `${address}/24`, 'dev', 'eth0');
    await this.#inside('ip', 'link', 'set', 'eth0', 'up');
  }

  /** Silently drops every packet to and from the machine, like a broken switch. */
  async cutOff(): Promise<void> {
    await run('ip', 'link', 'set', this.machine, 'nomaster');
  }

  async heal(): Promise<void> {
    await run('ip', 'link', 'set', this.machine, 'master', BRIDGE);
  }

  /** Makes this machine's packets to the given ones go nowhere. */
  async cutFrom(others: readonly Port[]): Promise<void> {
    for (const { address } of others) {
      const entry = [address, 'lladdr', NOWHERE, 'nud', 'permanent', 'dev', 'eth0'];
      await this.#inside('ip', 'neigh', 'replace', ...entry);
    }
  }

  async healTo(others: readonly Port[]): Promise<void> {
    for (const { address } of others) {
      await this.#inside('ip', 'neigh', 'del', address, 'dev', 'eth0');
    }
  }

  /** Every process in the machine's namespace. */
  async pids(): Promise<number[]> {
    const text = await run('ip', 'netns', 'pids', this.machine);
    return text
      .split('\n')
      .filter(Boolean)
      .map((line) => parseInt(line, 10));
  }

  #inside(...words: string[]): Promise<string> {
    return run('ip', 'netns', 'exec', this.machine, ...words);
  }
}
