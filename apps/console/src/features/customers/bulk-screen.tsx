/** The progress of a bulk action, and its failed rows, each with the reason (O-054). */
import { m } from '@athos/messages/messages';
import { Button } from '@athos/ui/primitives/button';
import { Notice } from '@athos/ui/primitives/notice';
import { lazy, Suspense, useState } from 'react';
import { useParams } from 'react-router';
import { useAdminItem, useAdminList } from '../../api/admin.ts';
import { shortId } from '../../kit/copy-id.tsx';
import { Detail, DetailOf, Facts, ObjectLink, Section } from '../../kit/detail.tsx';
import { FailureView } from '../../kit/failure.tsx';
import { figures } from '../../kit/figures.ts';
import { useLack } from '../../kit/permission.ts';
import { Progress } from '../../kit/progress.tsx';
import { Time } from '../../kit/time.tsx';
import { LoadMore } from '../../kit/load-more.tsx';
import { paths } from '../../routes/paths.ts';
import { BulkBadge, isUnderWay, reachedText, type BulkRun } from './bulk-state.tsx';
import { bulkPermission, bulkTitle } from './bulk-words.ts';

const POLL_MS = 1500;

const StopDialog = lazy(async () => ({
  default: (await import('./stop-dialog.tsx')).StopDialog,
}));

export function BulkScreen() {
  const { id = '' } = useParams();
  const read = useAdminItem(
    'bulkRun',
    { params: { id } },
    { pollMs: (run) => isUnderWay(run) && POLL_MS },
  );
  const [isStopping, setIsStopping] = useState(false);
  return (
    <DetailOf read={read} kind={m.customers_bulk()} backTo={paths.bulkRuns}>
      {(run) => (
        <Detail
          kind={m.customers_bulk()}
          title={bulkTitle(run.act)}
          plainTitle={bulkTitle(run.act)}
          state={<BulkBadge run={run} />}
          actions={isUnderWay(run) && <StopButton run={run} onPress={() => setIsStopping(true)} />}
          backTo={paths.bulkRuns}
        >
          {isUnderWay(run) && (
            <Progress
              label={m.customers_bulk()}
              done={run.rowsDone + run.rowsFailed}
              total={run.rowsTotal}
              text={reachedText(run)}
            />
          )}
          <Facts
            facts={[
              { label: m.customers_bulk_rows(), value: figures(run.rowsTotal) },
              { label: m.customers_bulk_done(), value: figures(run.rowsDone) },
              { label: m.customers_bulk_failed(), value: figures(run.rowsFailed) },
              {
                label: m.customers_bulk_unreached(),
                value: figures(run.rowsTotal - run.rowsDone - run.rowsFailed),
                isHidden: run.state !== 'stopped',
              },
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
          {isStopping && (
            <Suspense fallback={null}>
              <StopDialog run={run} onClose={() => setIsStopping(false)} />
            </Suspense>
          )}
        </Detail>
      )}
    </DetailOf>
  );
}

interface StopButtonProps {
  run: BulkRun;
  onPress: () => void;
}

/** A person who may no longer perform the action cannot stop it or see its rows either. */
function StopButton({ run, onPress }: StopButtonProps) {
  const lack = useLack();
  const permission = bulkPermission(run.act);
  return (
    <Button
      variant="quiet"
      isDense
      disabledReason={permission && lack(permission)}
      onClick={onPress}
    >
      {m.customers_bulk_stop()}
    </Button>
  );
}

function Failures({ run }: { run: BulkRun }) {
  const list = useAdminList('bulkFailures', {}, { id: run.id });
  const { rows, failure, reload } = list;
  return (
    <Section title={m.customers_bulk_failures({ count: run.rowsFailed })}>
      <Notice kind="info" title={m.customers_bulk_failures_title()}>
        {run.state === 'done'
          ? m.customers_bulk_failures_text()
          : m.customers_bulk_failures_so_far()}
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
