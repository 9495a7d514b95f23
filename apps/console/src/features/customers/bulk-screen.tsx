/** How far a bulk act is, and the rows that failed, each with its reason (O-054). */
import { m } from '@athos/messages/messages';
import { Notice } from '@athos/ui/primitives/notice';
import { useParams } from 'react-router';
import { useAdminItem, useAdminList } from '../../api/admin.ts';
import type { AdminAnswer } from '../../api/call.ts';
import { Badge } from '../../kit/badge.tsx';
import { shortId } from '../../kit/copy-id.tsx';
import { Detail, DetailOf, Facts, ObjectLink, Section } from '../../kit/detail.tsx';
import { FailureView } from '../../kit/failure.tsx';
import { figures } from '../../kit/figures.ts';
import { Progress } from '../../kit/progress.tsx';
import { Time } from '../../kit/time.tsx';
import { LoadMore } from '../../kit/load-more.tsx';
import { paths } from '../../routes/paths.ts';
import { bulkTitle } from './bulk-words.ts';

type Run = AdminAnswer<'bulkRun'>;

const POLL_MS = 1500;

const isUnderWay = (run: Run | undefined): boolean =>
  run?.state === 'waiting' || run?.state === 'running';

export function BulkScreen() {
  const { id = '' } = useParams();
  const read = useAdminItem(
    'bulkRun',
    { params: { id } },
    { pollMs: (run) => isUnderWay(run) && POLL_MS },
  );
  return (
    <DetailOf read={read} kind={m.customers_bulk()} backTo={paths.customers}>
      {(run) => (
        <Detail
          kind={m.customers_bulk()}
          title={bulkTitle(run.act)}
          plainTitle={bulkTitle(run.act)}
          state={<RunBadge run={run} />}
          backTo={paths.customers}
        >
          {isUnderWay(run) && (
            <Progress
              label={m.customers_bulk()}
              done={run.rowsDone + run.rowsFailed}
              total={run.rowsTotal}
              text={m.customers_bulk_progress({
                done: figures(run.rowsDone + run.rowsFailed),
                total: figures(run.rowsTotal),
              })}
            />
          )}
          <Facts
            facts={[
              { label: m.customers_bulk_rows(), value: figures(run.rowsTotal) },
              { label: m.customers_bulk_done(), value: figures(run.rowsDone) },
              { label: m.customers_bulk_failed(), value: figures(run.rowsFailed) },
              { label: m.console_reason(), value: run.reason },
              { label: m.console_time(), value: <Time at={run.createdAt} precision="second" /> },
              {
                label: m.customers_bulk_finished(),
                value: run.finishedAt !== null && <Time at={run.finishedAt} precision="second" />,
                isHidden: run.finishedAt === null,
              },
            ]}
          />
          {run.rowsFailed > 0 && <Failures key={run.rowsFailed} run={run} />}
        </Detail>
      )}
    </DetailOf>
  );
}

function RunBadge({ run }: { run: Run }) {
  if (run.state === 'previewed') return <Badge>{m.customers_bulk_previewed()}</Badge>;
  if (isUnderWay(run)) return <Badge tone="info">{m.customers_bulk_running()}</Badge>;
  return run.rowsFailed > 0 ? (
    <Badge tone="danger">{m.customers_bulk_some_failed()}</Badge>
  ) : (
    <Badge tone="success">{m.customers_bulk_done()}</Badge>
  );
}

function Failures({ run }: { run: Run }) {
  const list = useAdminList('bulkFailures', {}, { id: run.id });
  const { rows, failure, reload } = list;
  return (
    <Section title={m.customers_bulk_failures({ count: run.rowsFailed })}>
      <Notice kind="info" title={m.customers_bulk_failures_title()}>
        {m.customers_bulk_failures_text()}
      </Notice>
      {failure !== undefined && <FailureView failure={failure} onRetry={reload} />}
      <ul className="divide-line text-dense flex flex-col divide-y">
        {rows?.map(({ line, customerUuid, reason }) => (
          <li key={line} className="flex min-h-10 flex-wrap items-center gap-x-4 gap-y-1 py-1">
            <ObjectLink to={paths.customer(customerUuid)}>{shortId(customerUuid)}</ObjectLink>
            <span className="min-w-0 wrap-anywhere">{reason}</span>
          </li>
        ))}
      </ul>
      <LoadMore list={list} />
    </Section>
  );
}
