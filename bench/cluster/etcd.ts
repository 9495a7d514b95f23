/** One of three members of etcd, with the settings of deploy/database/etcd.env and etcd-tls.env. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseEnv } from 'node:util';
import type { Certificates } from './certificates.ts';
import { Machine, type World } from './machine.ts';
import { addressOf } from './network.ts';

const FIRST_HOST = 21;
const USER = 'nobody';
const DATA_DIR = '/var/lib/etcd';
/** Two segments of the log, 64 MB each, and little else. */
const DISK_SIZE = '160m';
const SETTINGS = parseEnv(
  ['etcd.env', 'etcd-tls.env']
    .map((name) => readFileSync(join(import.meta.dirname, '../../deploy/database', name), 'utf8'))
    .join('\n'),
) as Record<string, string>;
/** For metrics, which need no certificate. */
const METRICS_PORT = 2381;
const ASK_LIMIT_MS = 2_000;

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
