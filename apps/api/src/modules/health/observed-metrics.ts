/** Metrics that are read from the database when Prometheus scrapes. They are absent while the database does not answer. */
import { Gauge } from 'prom-client';
import type { Db } from '../../platform/database/database.ts';
import type { Metrics } from '../../platform/metrics/metrics.ts';
import { selectLastGood } from './watch.sql.ts';

export function watchObserved({ registry }: Pick<Metrics, 'registry'>, db: Db): void {
  const registers = [registry];
  const read = () => selectLastGood(db).catch(() => undefined);
  let reading: ReturnType<typeof read> | undefined;
  /** Prometheus collects all metrics at once, so all are read by one statement. */
  const lastGood = () => (reading ??= read().finally(() => (reading = undefined)));
  const rateAge = new Gauge({
    name: 'athos_rate_age_seconds',
    help: 'How long ago the exchange rate was confirmed last.',
    registers,
    async collect() {
      this.set((await lastGood())?.rateAgeSeconds ?? NaN);
    },
  });
  const verified = new Gauge({
    name: 'athos_verify_success_timestamp_seconds',
    help: 'When the last verification that found no fault ended, in seconds since 1970.',
    labelNames: ['chain'],
    registers,
    async collect() {
      const good = await lastGood();
      this.set({ chain: 'ledger' }, good?.ledgerVerifiedAtSeconds ?? NaN);
      this.set({ chain: 'audit' }, good?.auditVerifiedAtSeconds ?? NaN);
    },
  });
  const walked = new Gauge({
    name: 'athos_verify_whole_timestamp_seconds',
    help: 'When the last walk over the whole ledger that found no fault ended, in seconds since 1970. Before the first walk, when the ledger was first verified.',
    registers,
    async collect() {
      this.set((await lastGood())?.ledgerWalkedAtSeconds ?? NaN);
    },
  });
  rateAge.set(NaN);
  verified.reset();
  walked.set(NaN);
}
