/** One of three database nodes: PostgreSQL under Patroni, with the settings of deploy/database/patroni.yml and patroni.env. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseEnv } from 'node:util';
import type { Certificates } from './certificates.ts';
import { ETCD_HOSTS } from './etcd.ts';
import { Machine, signal, type World } from './machine.ts';
import { addressOf } from './network.ts';

const FIRST_HOST = 11;
const HOME = '/var/lib/postgresql';
const DATA_DIR = `${HOME}/data`;
/**
 * Of memory, of which filling it needs as much. Each failover begins a segment of WAL, and a node that is rewound gets those of its source
 * besides its own: a standby filled 768 MB in the 24th of a run.
 */
const DISK_SIZE = '1536m';
const ASK_LIMIT_MS = 2_000;
const ACT_LIMIT_MS = 25_000;
const CLOCK = '/run/postgresql/clock';
export const SUPERUSER_PASSWORD = 'only-in-the-cluster-test';
const DEPLOY = join(import.meta.dirname, '../../deploy/database');
const SETTINGS: Readonly<Record<string, string>> = {
  ...(parseEnv(readFileSync(join(DEPLOY, 'patroni.env'), 'utf8')) as Record<string, string>),
  PATRONI_RESTAPI_PASSWORD: SUPERUSER_PASSWORD,
};
/** User and password for Patroni's API, which asks for them before it changes anything. */
const CREDENTIALS = Buffer.from(
  `${SETTINGS['PATRONI_RESTAPI_USERNAME']}:${SUPERUSER_PASSWORD}`,
).toString('base64');

interface Member {
  readonly name: string;
  readonly role: string;
  readonly state: string;
  readonly lag?: number | 'unknown';
}

export class DatabaseNode {
  readonly machine: Machine;

  constructor(machine: Machine) {
    this.machine = machine;
  }

  get name(): string {
    return this.machine.name;
  }

  urlOf(database: string): string {
    return `postgres://postgres:${SUPERUSER_PASSWORD}@${this.machine.address}:5432/${database}?sslmode=verify-full`;
  }

  async build(certificates: Certificates): Promise<void> {
    const { machine } = this;
    await machine.build({ folder: HOME, size: DISK_SIZE });
    machine.makeFolder('/run/postgresql', 'postgres');
    // Patroni reads the files of a folder in order; the later one takes precedence.
    machine.install(join(DEPLOY, 'patroni.yml'), '/etc/patroni/1.yml');
    machine.install(join(import.meta.dirname, 'patroni-of-test.yml'), '/etc/patroni/2.yml');
    certificates.install(machine, '/etc/patroni', 'postgres');
    const postgres = '/usr/local/bin/postgres-with-clock';
    machine.install(join(import.meta.dirname, 'postgres-with-clock.sh'), postgres);
  }

  start(): void {
    const { name, address } = this.machine;
    this.machine.start({
      name: 'patroni',
      user: 'postgres',
      command: ['patroni', '/etc/patroni'],
      env: {
        ...SETTINGS,
        HOME,
        PATRONI_NAME: name,
        PATRONI_ETCD3_HOSTS: ETCD_HOSTS.map((host) => `'${host}'`).join(),
        PATRONI_RESTAPI_LISTEN: `${address}:8008`,
        PATRONI_RESTAPI_CONNECT_ADDRESS: `${address}:8008`,
        PATRONI_POSTGRESQL_LISTEN: `${address},127.0.0.1:5432`,
        PATRONI_POSTGRESQL_CONNECT_ADDRESS: `${address}:5432`,
        PATRONI_POSTGRESQL_DATA_DIR: DATA_DIR,
        PATRONI_POSTGRESQL_PGPASS: '/run/postgresql/pgpass',
        PATRONI_SUPERUSER_USERNAME: 'postgres',
        PATRONI_SUPERUSER_PASSWORD: SUPERUSER_PASSWORD,
        PATRONI_REPLICATION_USERNAME: 'replicator',
        PATRONI_REPLICATION_PASSWORD: SUPERUSER_PASSWORD,
      },
    });
  }

  /** This node's view of all Patroni members; `undefined` if Patroni does not respond. */
  async readMembers(): Promise<readonly Member[] | undefined> {
    try {
      const answer = await this.ask('/cluster');
      return ((await answer.json()) as { members?: readonly Member[] }).members;
    } catch {
      return undefined;
    }
  }

  async isPrimary(): Promise<boolean> {
    return this.ask('/primary').then(
      ({ status }) => status === 200,
      () => false,
    );
  }

  ask(path: string, init: RequestInit = {}): Promise<Response> {
    return fetch(`https://${this.machine.address}:8008${path}`, {
      signal: AbortSignal.timeout(ASK_LIMIT_MS),
      headers: { authorization: `Basic ${CREDENTIALS}` },
      ...init,
    });
  }

  /** PostgreSQL's first process, read from its pid file. */
  postmasterPid(): number {
    const [line = ''] = readFileSync(
      join(this.machine.root, DATA_DIR, 'postmaster.pid'),
      'utf8',
    ).split('\n');
    return parseInt(line, 10);
  }

  /** The processes of PostgreSQL, without Patroni. */
  async postgresPids(): Promise<number[]> {
    const pids = await this.machine.port.pids();
    return pids.filter((pid) => {
      try {
        return readFileSync(`/proc/${pid}/comm`, 'utf8').trim() === 'postgres';
      } catch {
        return false;
      }
    });
  }

  async signalPostgres(name: NodeJS.Signals): Promise<void> {
    for (const pid of await this.postgresPids()) signal(pid, name);
  }

  /** Moves PostgreSQL's clock, and not Patroni's. It takes effect once PostgreSQL has been started after the first call. */
  moveClock(bySeconds: number): void {
    writeFileSync(join(this.machine.root, CLOCK), `+${bySeconds}s\n`);
  }

  /** Restarts PostgreSQL. Resolves when Patroni reports completion. */
  async restart(): Promise<void> {
    const signal = AbortSignal.timeout(ACT_LIMIT_MS);
    const answer = await this.ask('/restart', { method: 'POST', body: '{}', signal });
    if (answer.status !== 200) throw new Error(`restart: ${await answer.text()}`);
  }

  /**
   * Hands over the role of the primary, to the healthiest standby if none is named. Resolves when Patroni reports completion. With a name
   * it takes 2 s longer: the other standbys wait before they follow (Patroni 4.1.5, `process_unhealthy_cluster`).
   */
  async handOver(to?: DatabaseNode): Promise<void> {
    const body = JSON.stringify({ leader: this.name, candidate: to?.name });
    const signal = AbortSignal.timeout(ACT_LIMIT_MS);
    const answer = await this.ask('/switchover', { method: 'POST', body, signal });
    if (answer.status !== 200) throw new Error(`switchover: ${await answer.text()}`);
  }

  /** Changes the cluster's configuration in etcd. */
  async configure(change: object): Promise<void> {
    const answer = await this.ask('/config', { method: 'PATCH', body: JSON.stringify(change) });
    if (answer.status !== 200) throw new Error(`config: ${await answer.text()}`);
  }
}

export const databaseNodes = (world: World): DatabaseNode[] =>
  [0, 1, 2].map(
    (index) =>
      new DatabaseNode(new Machine(world, `db${index + 1}`, addressOf(FIRST_HOST + index))),
  );
