/** The progress of a bulk action, in its list and on its page. */
import { m } from '@athos/messages/messages';
import type { RowOf } from '../../api/admin.ts';
import { Badge } from '../../kit/badge.tsx';
import { figures } from '../../kit/figures.ts';

export type BulkRun = RowOf<'bulkRuns'>;

export const isUnderWay = (run: BulkRun | undefined): boolean =>
  run?.state === 'waiting' || run?.state === 'running';

/** `417 of 1,284 customers`. */
export const reachedText = ({ rowsDone, rowsFailed, rowsTotal }: BulkRun): string =>
  m.customers_bulk_progress({ done: figures(rowsDone + rowsFailed), total: figures(rowsTotal) });

export function BulkBadge({ run }: { run: BulkRun }) {
  switch (run.state) {
    case 'previewed':
      return <Badge>{m.customers_bulk_previewed()}</Badge>;
    case 'waiting':
      return <Badge tone="info">{m.customers_bulk_waiting()}</Badge>;
    case 'running':
      return <Badge tone="info">{m.customers_bulk_running()}</Badge>;
    case 'stopped':
      return <Badge>{m.customers_bulk_stopped()}</Badge>;
    case 'done':
      return run.rowsFailed > 0 ? (
        <Badge tone="danger">{m.customers_bulk_some_failed()}</Badge>
      ) : (
        <Badge tone="success">{m.customers_bulk_done()}</Badge>
      );
  }
}
