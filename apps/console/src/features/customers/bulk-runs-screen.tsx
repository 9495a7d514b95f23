/** The bulk actions that the signed-in person has started, newest first, each with its progress. */
import { m } from '@athos/messages/messages';
import { EmptyState } from '@athos/ui/primitives/empty-state';
import { Skeleton } from '@athos/ui/primitives/skeleton';
import { useAdminList } from '../../api/admin.ts';
import { ObjectLink } from '../../kit/detail.tsx';
import { FailureView } from '../../kit/failure.tsx';
import { figures } from '../../kit/figures.ts';
import { LoadMore } from '../../kit/load-more.tsx';
import { Page } from '../../kit/page.tsx';
import { Time } from '../../kit/time.tsx';
import { paths } from '../../routes/paths.ts';
import { BulkBadge, reachedText, type BulkRun } from './bulk-state.tsx';
import { bulkTitle } from './bulk-words.ts';

/** Live events report progress at once. */
const POLL_MS = 30_000;

export function BulkRunsScreen() {
  const list = useAdminList('bulkRuns', {}, {}, { pollMs: POLL_MS });
  const { rows, failure, reload } = list;
  return (
    <Page title={m.customers_bulk_runs()}>
      <p className="text-dense text-ink-quiet max-w-column">{m.customers_bulk_runs_lead()}</p>
      {failure !== undefined && <FailureView failure={failure} onRetry={reload} />}
      {rows === undefined && failure === undefined && <Skeleton className="h-40 w-full" />}
      {rows?.length === 0 && (
        <EmptyState title={m.customers_bulk_runs_none()} text={m.customers_bulk_runs_none_text()} />
      )}
      {rows !== undefined && rows.length > 0 && (
        <ul className="divide-line border-line max-w-column divide-y border-y">
          {rows.map((run) => (
            <RunRow key={run.id} run={run} />
          ))}
        </ul>
      )}
      <LoadMore list={list} />
    </Page>
  );
}

function RunRow({ run }: { run: BulkRun }) {
  const { id, act, createdAt, reason, rowsFailed } = run;
  return (
    <li className="flex min-w-0 flex-col gap-1 py-3">
      <p className="flex flex-wrap items-center gap-2">
        <ObjectLink to={paths.bulkRun(id)}>{bulkTitle(act)}</ObjectLink>
        <BulkBadge run={run} />
      </p>
      <p className="text-caption text-ink-quiet tabular">
        <Time at={createdAt} /> · {reachedText(run)}
        {rowsFailed > 0 && <> · {m.customers_bulk_runs_failed({ count: figures(rowsFailed) })}</>}
      </p>
      <p className="text-caption text-ink-quiet wrap-anywhere">{reason}</p>
    </li>
  );
}
