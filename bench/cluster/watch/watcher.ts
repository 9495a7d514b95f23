/** The machine with Prometheus, running with the files of deploy/observability, and with the prober of certificates. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Machine, type World } from '../machine.ts';
import { addressOf, run } from '../network.ts';

const ADDRESS = addressOf(60);
const FILES = join(import.meta.dirname, '../../../deploy/observability');
const DATA_DIR = '/var/lib/watcher';
const USER = 'nobody';
/** As `update-ca-certificates` makes one file of all authorities. */
const AUTHORITIES = '/etc/prometheus/authorities.pem';
const URL_START = `http://${ADDRESS}:9090/api/v1`;

/** One series of a query's result, with its newest value. */
export interface Sample {
  readonly metric: Readonly<Record<string, string>>;
  readonly value: number;
}

export class Watcher {
  readonly machine: Machine;

  constructor(world: World) {
    this.machine = new Machine(world, 'watcher', ADDRESS);
  }

  /** `targets` holds addresses by the name of their target file; those of `overTls` are asked over TLS. */
  async build(
    targets: Readonly<Record<string, readonly string[]>>,
    overTls: readonly string[],
  ): Promise<void> {
    const { machine } = this;
    await machine.build();
    machine.makeFolder(DATA_DIR, USER);
    for (const name of ['prometheus.yml', 'rules.yml', 'blackbox.yml']) {
      machine.install(join(FILES, name), `/etc/prometheus/${name}`);
    }
    const folder = join(machine.root, 'etc/prometheus/targets');
    mkdirSync(folder, { recursive: true });
    for (const [name, addresses] of Object.entries(targets)) {
      const labels = overTls.includes(name) ? { __scheme__: 'https' } : {};
      const groups = [{ targets: addresses, labels }];
      writeFileSync(join(folder, `${name}.yml`), JSON.stringify(groups));
    }
  }

  /** Gives Prometheus a past, in OpenMetrics text format. Called before its start. */
  async remember(past: string): Promise<void> {
    const { root } = this.machine;
    writeFileSync(join(root, DATA_DIR, 'past.txt'), past);
    const [from, to] = [`${DATA_DIR}/past.txt`, `${DATA_DIR}/data`];
    await run('chroot', root, 'promtool', 'tsdb', 'create-blocks-from', 'openmetrics', from, to);
    await run('chroot', root, 'chown', '-R', USER, to);
  }

  /** The files hold certificates of the authorities that vouch for the edge, and for the databases. */
  start(edgeAuthority: string, databaseAuthority: string): void {
    const { machine } = this;
    const authorities = [edgeAuthority, databaseAuthority].map((file) =>
      readFileSync(file, 'utf8'),
    );
    writeFileSync(join(machine.root, AUTHORITIES), authorities.join('\n'));
    machine.start({
      name: 'blackbox-exporter',
      user: USER,
      command: [
        'prometheus-blackbox-exporter',
        '--config.file=/etc/prometheus/blackbox.yml',
        '--web.listen-address=127.0.0.1:9115',
      ],
      env: { SSL_CERT_FILE: AUTHORITIES },
    });
    machine.start({
      name: 'prometheus',
      user: USER,
      command: [
        'prometheus',
        '--config.file=/etc/prometheus/prometheus.yml',
        `--storage.tsdb.path=${DATA_DIR}/data`,
        `--web.listen-address=${ADDRESS}:9090`,
      ],
      env: { SSL_CERT_FILE: AUTHORITIES },
    });
  }

  isReady(): Promise<boolean> {
    return this.ask('vector(1)').then(
      () => true,
      () => false,
    );
  }

  /** @throws Error with Prometheus's message if it refuses the query */
  async ask(query: string): Promise<readonly Sample[]> {
    const body = new URLSearchParams({ query });
    const answer = await fetch(`${URL_START}/query`, { method: 'POST', body });
    const { data, error } = (await answer.json()) as {
      data?: { result: readonly { metric: Record<string, string>; value: [number, string] }[] };
      error?: string;
    };
    if (data === undefined) throw new Error(`${query}: ${error}`);
    return data.result.map(({ metric, value }) => ({ metric, value: parseFloat(value[1]) }));
  }
}
