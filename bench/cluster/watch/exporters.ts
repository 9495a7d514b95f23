/** The programs on each database node that tell Prometheus of PostgreSQL and of the machine. Patroni tells of itself. */
import { SUPERUSER_PASSWORD, type DatabaseNode } from '../database.ts';

const POSTGRES_PORT = 9187;
const NODE_PORT = 9100;

export function startExporters({ machine }: DatabaseNode): void {
  const { address } = machine;
  machine.start({
    name: 'postgres-exporter',
    user: 'postgres',
    command: ['prometheus-postgres-exporter', `--web.listen-address=${address}:${POSTGRES_PORT}`],
    env: {
      DATA_SOURCE_URI: '127.0.0.1:5432/postgres?sslmode=disable',
      DATA_SOURCE_USER: 'postgres',
      DATA_SOURCE_PASS: SUPERUSER_PASSWORD,
    },
  });
  machine.start({
    name: 'node-exporter',
    user: 'nobody',
    // What the rules read. Others need the kernel's /sys, which the machines of this test do not have.
    command: [
      'prometheus-node-exporter',
      '--collector.disable-defaults',
      '--collector.filesystem',
      '--collector.time',
      `--web.listen-address=${address}:${NODE_PORT}`,
    ],
  });
}

export const postgresTarget = ({ machine }: DatabaseNode): string =>
  `${machine.address}:${POSTGRES_PORT}`;
export const nodeTarget = ({ machine }: DatabaseNode): string => `${machine.address}:${NODE_PORT}`;
