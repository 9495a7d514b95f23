import type { Metrics } from '../metrics/metrics.ts';
import type { FollowingPool } from './pool.ts';

/** Shows how many connections of a pool are busy and idle, how many callers wait for one, and how long. */
export function watchPool(
  { poolConnections, poolWaitSeconds }: Pick<Metrics, 'poolConnections' | 'poolWaitSeconds'>,
  name: string,
  pool: FollowingPool,
): void {
  poolConnections.add({ pool: name, state: 'busy' }, () => pool.totalCount - pool.idleCount);
  poolConnections.add({ pool: name, state: 'idle' }, () => pool.idleCount);
  poolConnections.add({ pool: name, state: 'waiting' }, () => pool.requestCount);
  pool.onWaited = (seconds) => poolWaitSeconds.observe({ pool: name }, seconds);
}
