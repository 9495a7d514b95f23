/** One of three members of etcd, with the settings of deploy/database/etcd.env and etcd-tls.env. */
import { readFileSync } from 'node:fs';
import { request } from 'node:https';
import { join } from 'node:path';
import { parseEnv } from 'node:util';
import type { Certificates } from './certificates.ts';
import { Machine, type World } from './machine.ts';
import { addressOf } from './network.ts';

const FIRST_HOST = 21;
const USER = 'nobody';
const DATA_DIR = '/var/lib/etcd';
/** Segments of the log, 64 MB each, of which one is ready before it is used, and what the fault with a full disk writes in its runs. */
const DISK_SIZE = '512m';
const SETTINGS = parseEnv(
  ['etcd.env', 'etcd-tls.env']
    .map((name) => readFileSync(join(import.meta.dirname, '../../deploy/database', name), 'utf8'))
    .join('\n'),
) as Record<string, string>;
/** For metrics, which need no certificate. */
const METRICS_PORT = 2381;
const ASK_LIMIT_MS = 2_000;
/** Less than etcd's limit of 1.5 MB for a request. */
const MUCH_BYTES = 1_000_000;
const base64 = (text: string): string => Buffer.from(text).toString('base64');

const names = ['etcd1', 'etcd2', 'etcd3'];
const addresses = names.map((_, index) => addressOf(FIRST_HOST + index));
export const ETCD_HOSTS = addresses.map((address) => `${address}:2379`);
const INITIAL_CLUSTER = names
  .map((name, index) => `${name}=https://${addresses[index]}:2380`)
  .join();

export class EtcdMember {
  readonly machine: Machine;

  constructor(machine: Machine) {
    this.machine = machine;
  }

  /** Where Prometheus asks. */
  get metrics(): string {
    return `${this.machine.address}:${METRICS_PORT}`;
  }

  async build(certificates: Certificates): Promise<void> {
    await this.machine.build({ folder: DATA_DIR, size: DISK_SIZE });
    this.machine.makeFolder(DATA_DIR, USER);
    certificates.install(this.machine, '/etc/etcd', USER);
  }

  /**
   * Writes 1 MB under a key of the test. Of what Patroni writes, the log takes 64 MB before it needs room, and the database up to 16 MB.
   * Resolves when it was answered, or will not be.
   */
  async writeMuch(): Promise<void> {
    const { root, address } = this.machine;
    const [ca, cert, key] = ['ca.pem', 'node.pem', 'node.key'].map((name) =>
      readFileSync(join(root, 'etc/etcd', name)),
    );
    const path = '/v3/kv/put';
    const options = { method: 'POST', ca, cert, key, signal: AbortSignal.timeout(ASK_LIMIT_MS) };
    await new Promise<void>((resolve) => {
      const asked = request(`https://${address}:2379${path}`, options, (answer) => {
        answer.resume();
        answer.on('close', resolve);
      });
      // A member that finds no room ends.
      asked.on('error', () => resolve());
      asked.end(
        JSON.stringify({ key: base64('athos-test'), value: base64('x'.repeat(MUCH_BYTES)) }),
      );
    });
  }

  /** False too if it does not answer. */
  async isLeader(): Promise<boolean> {
    const signal = AbortSignal.timeout(ASK_LIMIT_MS);
    const metrics = await fetch(`http://${this.metrics}/metrics`, { signal })
      .then((answer) => answer.text())
      .catch(() => '');
    return /^etcd_server_is_leader 1$/m.test(metrics);
  }

  /** Starts etcd if it has ended, as systemd would. */
  async startAgain(): Promise<void> {
    if ((await this.machine.port.pids()).length === 0) this.start();
  }

  start(): void {
    const { name, address } = this.machine;
    this.machine.start({
      name: 'etcd',
      user: USER,
      command: ['etcd'],
      env: {
        ...SETTINGS,
        ETCD_NAME: name,
        ETCD_LISTEN_CLIENT_URLS: `https://${address}:2379,https://127.0.0.1:2379`,
        ETCD_ADVERTISE_CLIENT_URLS: `https://${address}:2379`,
        ETCD_LISTEN_PEER_URLS: `https://${address}:2380`,
        ETCD_INITIAL_ADVERTISE_PEER_URLS: `https://${address}:2380`,
        ETCD_LISTEN_METRICS_URLS: `http://${this.metrics}`,
        ETCD_INITIAL_CLUSTER: INITIAL_CLUSTER,
      },
    });
  }
}

/** @throws Error if there is none at the moment */
export async function leaderOf(members: readonly EtcdMember[]): Promise<EtcdMember> {
  for (const member of members) if (await member.isLeader()) return member;
  throw new Error('etcd has no leader');
}

export const etcdMembers = (world: World): EtcdMember[] =>
  names.map((name, index) => new EtcdMember(new Machine(world, name, addresses[index] ?? '')));
