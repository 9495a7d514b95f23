/** A machine with an API process, a worker, and the HAProxy through which both reach the primary. */
import { join } from 'node:path';
import { apiEnvironment } from '../programs.ts';
import { ANCHOR_SETTINGS, PICTURE_SETTINGS } from './bucket.ts';
import { DATABASE_SERVER_NAME } from './certificates.ts';
import { Machine, type World } from './machine.ts';
import { addressOf } from './network.ts';
import { OUTSIDE_ADDRESS } from './outside.ts';
import { SENDS_PER_SECOND } from './send-limit.ts';

const FIRST_HOST = 31;
const PORT = 8080;
/** The ports of deploy/systemd. */
const METRICS_PORTS = { api: '18080', worker: '19091' };
const ASK_LIMIT_MS = 2_000;
const DATABASE_CHECK_CA = '/etc/haproxy/database-ca.pem';
const PROGRAMS = join(import.meta.dirname, '../../apps/api/src/programs');

/** The ports of the machine's own HAProxy, which leads one to the primary, the other to the standbys (deploy/haproxy/database.cfg). */
const DATABASE_PORT = 5432;
const REPLICA_PORT = 5433;

/** Connects through the machine's own HAProxy. */
const databaseUrl = (
  role: 'athos_api' | 'athos_worker',
  password: string,
  port = DATABASE_PORT,
): string => `postgres://${role}:${password}@127.0.0.1:${port}/athos`;

interface Place {
  readonly edgeUrl: string;
  readonly folder: string;
  /** The certificate of the authority that vouches for the databases. */
  readonly authorityFile: string;
}

/** Settings of the programs that are the same on both machines. */
export function settings({ edgeUrl, folder, authorityFile }: Place) {
  const edgeHost = new URL(edgeUrl).hostname;
  return {
    ...apiEnvironment('', PORT),
    PUBLIC_URL: edgeUrl,
    DATABASE_CA_FILE: authorityFile,
    DATABASE_SERVER_NAME,
    TRUSTED_PROXIES: edgeHost,
    APP_ORIGINS: 'capacitor://localhost,https://localhost',
    SMTP_URL: 'smtp://127.0.0.1:8025',
    STRIPE_API_URL: 'http://127.0.0.1:8090',
    STRIPE_SCRIPT_URL: 'http://127.0.0.1:8090/stripe.js',
    ...PICTURE_SETTINGS,
    EXPORT_DIR: join(folder, 'exports'),
    LOG_LEVEL: 'info',
    // As in production, which drains by itself.
    DRAIN_SECONDS: '3',
    // All processes share two cores, so few connections each serve best.
    DATABASE_POOL_SIZE: '5',
    DATABASE_HISTORY_POOL_SIZE: '2',
    // A few users make the whole load.
    SENDS_PER_SECOND: String(SENDS_PER_SECOND),
    PAYMENTS_PER_MINUTE: '10000',
    PAYMENTS_PER_HOUR: '100000',
    MAIL_REQUESTS_PER_ADDRESS_AND_HOUR: '1000000',
  };
}

interface Connected {
  readonly databaseAddresses: readonly string[];
  readonly settings: Readonly<Record<string, string>>;
  /** The password of both programs' database roles. */
  readonly databasePassword: string;
}

export class ApplicationMachine {
  readonly machine: Machine;

  constructor(machine: Machine) {
    this.machine = machine;
  }

  /** Host and port of the API. */
  get api(): string {
    return `${this.machine.address}:${PORT}`;
  }

  async build(authorityFile: string): Promise<void> {
    const { machine } = this;
    await machine.build();
    machine.install(
      join(import.meta.dirname, '../../deploy/haproxy/database.cfg'),
      '/etc/haproxy/database.cfg',
    );
    machine.install(authorityFile, DATABASE_CHECK_CA);
    machine.install(join(import.meta.dirname, 'forwards.cfg'), '/etc/haproxy/forwards.cfg');
  }

  startProxies({
    databaseAddresses: [DATABASE_1 = '', DATABASE_2 = '', DATABASE_3 = ''],
  }: Connected): void {
    this.machine.start({
      name: 'haproxy-database',
      user: 'nobody',
      command: ['haproxy', '-db', '-f', '/etc/haproxy/database.cfg'],
      env: {
        DATABASE_1,
        DATABASE_2,
        DATABASE_3,
        DATABASE_CHECK_CA,
        METRICS_ADDRESS: this.machine.address,
      },
    });
    this.machine.start({
      name: 'haproxy-forwards',
      user: 'nobody',
      command: ['haproxy', '-db', '-f', '/etc/haproxy/forwards.cfg'],
      env: { HERE: '127.0.0.1', THERE: OUTSIDE_ADDRESS },
    });
  }

  startApi({ settings: env, databasePassword }: Connected, nodeOptions: string): void {
    const own = {
      DATABASE_URL: databaseUrl('athos_api', databasePassword),
      DATABASE_REPLICA_URL: databaseUrl('athos_api', databasePassword, REPLICA_PORT),
      HOST: this.machine.address,
      METRICS_PORT: METRICS_PORTS.api,
      NODE_OPTIONS: nodeOptions,
    };
    this.#start('api', 'wallet-api.ts', { ...env, ...own });
  }

  startWorker({ settings: env, databasePassword }: Connected): void {
    const own = {
      ...ANCHOR_SETTINGS,
      DATABASE_URL: databaseUrl('athos_worker', databasePassword),
      METRICS_PORT: METRICS_PORTS.worker,
    };
    this.#start('worker', 'worker.ts', { ...env, ...own });
  }

  /** The metrics addresses of API and worker. */
  get metrics(): readonly string[] {
    return Object.values(METRICS_PORTS).map((port) => `${this.machine.address}:${port}`);
  }

  /** How many pages of history the API process has read from a standby since its start. */
  async countStandbyReads(): Promise<number> {
    const url = `http://${this.machine.address}:${METRICS_PORTS.api}/metrics`;
    const text = await (await fetch(url, { signal: AbortSignal.timeout(ASK_LIMIT_MS) })).text();
    return Number(
      /^athos_ledger_replica_reads_total\{outcome="read"\} (\d+)$/m.exec(text)?.[1] ?? 0,
    );
  }

  /** Whether the API is ready, and the worker and the HAProxy of the database run. */
  async isReady(): Promise<boolean> {
    const urls = [
      `http://${this.api}/readyz`,
      `http://${this.machine.address}:${METRICS_PORTS.worker}/metrics`,
      `http://${this.machine.address}:8404/metrics`,
    ];
    const signal = AbortSignal.timeout(ASK_LIMIT_MS);
    const answers = await Promise.allSettled(urls.map((url) => fetch(url, { signal })));
    return answers.every((answer) => answer.status === 'fulfilled' && answer.value.ok);
  }

  #start(name: string, file: string, env: Readonly<Record<string, string>>): void {
    const command = [process.execPath, join(PROGRAMS, file)];
    this.machine.startOwn({ name, command, env: { ...env, METRICS_HOST: this.machine.address } });
  }
}

export const applicationMachines = (world: World): ApplicationMachine[] =>
  [0, 1].map(
    (index) =>
      new ApplicationMachine(new Machine(world, `app${index + 1}`, addressOf(FIRST_HOST + index))),
  );
