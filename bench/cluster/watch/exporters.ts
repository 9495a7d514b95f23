/** The exporters on each database node that report PostgreSQL and the machine to Prometheus. Patroni exports its own metrics. */
import { SUPERUSER_PASSWORD, type DatabaseNode } from '../database.ts';

const POSTGRES_PORT = 9187;
const NODE_PORT = 9100;

export function startExporters({ machine }: DatabaseNode): void {
  const { address } = machine;
  machine.start({
    name: 'postgres-exporter',
    user: 'nobody',
    command: ['prometheus-postgres-exporter', `--web.listen-address=${address}:${POSTGRES_PORT}`],
    env: {
      // The tables that it counts are those of this database.
      DATA_SOURCE_URI: '127.0.0.1:5432/athos?sslmode=verify-full&sslrootcert=/etc/patroni/ca.pem',
      DATA_SOURCE_USER: 'athos_monitor',
      DATA_SOURCE_PASS: SUPERUSER_PASSWORD,
    },
  });
  machine.start({
    name: 'node-exporter',
    user: 'nobody',
    // The collectors that the rules read. Others need the kernel's /sys, which the test's machines lack.
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
