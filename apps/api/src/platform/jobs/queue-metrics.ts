import { Gauge } from 'prom-client';
import type { Db } from '../database/database.ts';
import type { Metrics } from '../metrics/metrics.ts';
import { selectDueJobs } from './queue.sql.ts';

/** Reports how many jobs are due and since when. Reports nothing while the database does not answer. */
export function watchQueue({ registry }: Pick<Metrics, 'registry'>, db: Db): void {
  const registers = [registry];
  const read = () => selectDueJobs(db).catch(() => ({ count: NaN, oldestAgeSeconds: NaN }));
  let reading: ReturnType<typeof read> | undefined;
  /** Prometheus collects all metrics at once, so both are read by one statement. */
  const due = () => (reading ??= read().finally(() => (reading = undefined)));
  const oldest = new Gauge({
    name: 'athos_jobs_oldest_age_seconds',
    help: 'How long the oldest due job has waited.',
    registers,
    async collect() {
      this.set((await due()).oldestAgeSeconds);
    },
  });
  const ready = new Gauge({
    name: 'athos_jobs_ready',
    help: 'Jobs that are due and not running.',
    registers,
    async collect() {
      this.set((await due()).count);
    },
  });
  oldest.set(NaN);
  ready.set(NaN);
}
