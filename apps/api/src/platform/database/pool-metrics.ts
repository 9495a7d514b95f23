import type pg from 'pg';
import type { Metrics } from '../metrics/metrics.ts';

/** Shows how many connections of a pool are busy and idle, and how many callers wait for one. */
export function watchPool(
  { poolConnections }: Pick<Metrics, 'poolConnections'>,
  name: string,
  pool: pg.Pool,
): void {
  poolConnections.add({ pool: name, state: 'busy' }, () => pool.totalCount - pool.idleCount);
  poolConnections.add({ pool: name, state: 'idle' }, () => pool.idleCount);
  poolConnections.add({ pool: name, state: 'waiting' }, () => pool.waitingCount);
}
