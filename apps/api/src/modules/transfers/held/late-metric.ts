import { Gauge } from 'prom-client';
import type { Clock } from '../../../platform/clock.ts';
import type { Db } from '../../../platform/database/database.ts';
import type { Metrics } from '../../../platform/metrics/metrics.ts';
import { latenessOf } from './post-due.ts';

/** Reports how late the oldest due send is. Reports nothing while the database does not answer. */
export function watchHolds(
  { registry }: Pick<Metrics, 'registry'>,
  deps: { readonly db: Db; readonly clock: Clock },
): void {
  const late = new Gauge({
    name: 'athos_send_late_seconds',
    help: 'How long the oldest due send has waited for its arrival.',
    registers: [registry],
    async collect() {
      this.set(await latenessOf(deps).catch(() => NaN));
    },
  });
  late.set(NaN);
}
