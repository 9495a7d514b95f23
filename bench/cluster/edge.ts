/** The edge: HAProxy with the settings of deploy/haproxy/edge.cfg and its own certificate. */
import { join } from 'node:path';
import { Machine, type World } from './machine.ts';
import { addressOf, run } from './network.ts';

const EDGE_ADDRESS = addressOf(40);
const PROGRAM = 'haproxy';

export class Edge {
  readonly machine: Machine;
  readonly url = `https://${EDGE_ADDRESS}`;

  constructor(world: World) {
    this.machine = new Machine(world, 'edge', EDGE_ADDRESS);
  }

  /** The edge's certificate, which is self-signed. */
  get certificate(): string {
    return join(this.machine.root, 'etc/haproxy/wallet.pem');
  }

  async build(): Promise<void> {
    const { machine } = this;
    await machine.build();
    machine.install(
      join(import.meta.dirname, '../../deploy/haproxy/edge.cfg'),
      '/etc/haproxy/edge.cfg',
    );
    const pem = this.certificate;
    const key = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes'];
    const subject = [
      '-subj',
      '/CN=edge',
      '-addext',
      `subjectAltName=IP:${EDGE_ADDRESS}`,
      '-days',
      // Days of validity, longer than the remaining time for which Prometheus opens a ticket.
      '90',
    ];
    await run('openssl', 'req', '-x509', ...key, ...subject, '-keyout', `${pem}.key`, '-out', pem);
  }

  /** How many API processes the edge finds ready. */
  async readyCount(): Promise<number> {
    const metrics = await (await fetch(`http://${EDGE_ADDRESS}:8404/metrics`)).text();
    return Number(/^haproxy_backend_active_servers\{proxy="api"\} (\d+)$/m.exec(metrics)?.[1]);
  }

  /** What it has logged so far. */
  get log(): string {
    return this.machine.readLog(PROGRAM);
  }

  async stop(): Promise<void> {
    await this.machine.kill(PROGRAM);
  }

  start(apis: readonly string[]): void {
    this.machine.start({
      name: PROGRAM,
      // Required, because its port is below 1024.
      user: 'root',
      command: ['haproxy', '-db', '-f', '/etc/haproxy/edge.cfg'],
      env: {
        EDGE_CONNECTIONS_MAX: '4000',
        METRICS_ADDRESS: EDGE_ADDRESS,
        API_1: apis[0] ?? '',
        API_2: apis[1] ?? '',
      },
    });
  }
}
