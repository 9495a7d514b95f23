/** The files that the signed-in person requested: the progress and the link of each. */
import type { ExportContent, ExportState } from '@athos/contract/console/exports';
import { m } from '@athos/messages/messages';
import { toasts } from '@athos/ui/overlays/toast-store';
import { Button } from '@athos/ui/primitives/button';
import { EmptyState } from '@athos/ui/primitives/empty-state';
import { Skeleton } from '@athos/ui/primitives/skeleton';
import Download from 'lucide-react/icons/download';
import { useEffect, useState } from 'react';
import { useAdminAction, useAdminList, type ActionOutcome, type RowOf } from '../../api/admin.ts';
import { OutcomeNotice } from '../../kit/action-dialog.tsx';
import { Badge, type Tone } from '../../kit/badge.tsx';
import { FailureView } from '../../kit/failure.tsx';
import { figures } from '../../kit/figures.ts';
import { Page } from '../../kit/page.tsx';
import { Time } from '../../kit/time.tsx';
import { LoadMore } from '../../kit/load-more.tsx';

type Export = RowOf<'exports'>;

/** A file takes seconds. */
const LOOK_AGAIN_MS = 2_000;

const CONTENT_TITLES: Readonly<Record<ExportContent, () => string>> = {
  customers: m.exports_content_customers,
  audit: m.exports_content_audit,
  transfers: m.exports_content_transfers,
  approvals: m.exports_content_approvals,
  scans: m.exports_content_scans,
  purchases: m.exports_content_purchases,
  redemptions: m.exports_content_redemptions,
  payments: m.exports_content_payments,
  refunds: m.exports_content_refunds,
  disputes: m.exports_content_disputes,
  offers: m.exports_content_offers,
  categories: m.exports_content_categories,
  person: m.exports_content_person,
};

const STATES: Readonly<Record<ExportState, { title: () => string; tone: Tone }>> = {
  waiting: { title: m.exports_state_waiting, tone: 'info' },
  running: { title: m.exports_state_running, tone: 'info' },
  ready: { title: m.exports_state_ready, tone: 'success' },
  failed: { title: m.exports_state_failed, tone: 'danger' },
  deleted: { title: m.exports_state_deleted, tone: 'neutral' },
};

const isUnfinished = ({ state }: Export): boolean => state === 'waiting' || state === 'running';

export function ExportsScreen() {
  const list = useAdminList('exports', {});
  const { rows, failure, reload } = list;
  const isWaiting = rows?.some(isUnfinished) === true;
  useEffect(() => {
    if (!isWaiting) return undefined;
    const timer = setInterval(reload, LOOK_AGAIN_MS);
    return () => clearInterval(timer);
  });
  return (
    <Page title={m.exports_title()}>
      <p className="text-dense text-ink-quiet max-w-column">{m.exports_lead()}</p>
      {failure !== undefined && <FailureView failure={failure} onRetry={reload} />}
      {rows === undefined && failure === undefined && <Skeleton className="h-40 w-full" />}
      {rows?.length === 0 && <EmptyState title={m.exports_empty()} text={m.exports_empty_text()} />}
      {rows !== undefined && rows.length > 0 && (
        <ul className="divide-line border-line max-w-column divide-y border-y">
          {rows.map((row) => (
            <ExportRow key={row.id} file={row} />
          ))}
        </ul>
      )}
      <LoadMore list={list} />
    </Page>
  );
}

/** `1,200 of about 3,400 rows`; the full number once it is written. */
function progressText({ state, rowsDone, rowsTotal }: Export): string | undefined {
  if (state === 'waiting' || state === 'failed') return undefined;
  if (state === 'running' && rowsTotal !== null) {
    return m.exports_rows_of({ done: figures(rowsDone), total: figures(rowsTotal) });
  }
  return m.exports_rows({ count: rowsDone, rows: figures(rowsDone) });
}

const sizeText = ({ byteCount }: Export): string | undefined =>
  byteCount === null ? undefined : m.exports_size({ size: figures(Math.ceil(byteCount / 1024)) });

function ExportRow({ file }: { file: Export }) {
  const { id, content, state, createdAt, expiresAt } = file;
  const { run, isPending } = useAdminAction('exportLink');
  const [failure, setFailure] = useState<ActionOutcome<'exportLink'>>();

  async function handleDownload(): Promise<void> {
    setFailure(undefined);
    const outcome = await run({ params: { id } });
    if (outcome.kind !== 'done') return setFailure(outcome);
    // The file is an attachment, so the page stays.
    const link = document.createElement('a');
    link.href = outcome.answer.path;
    link.click();
    toasts.show('success', m.exports_download_done(), 4000);
  }

  const said = [progressText(file), state === 'ready' ? sizeText(file) : undefined];
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-2 py-3">
      <div className="flex min-w-0 grow flex-col gap-1">
        <p className="flex flex-wrap items-center gap-2">
          <span className="text-body font-semibold">{CONTENT_TITLES[content]()}</span>
          <Badge tone={STATES[state].tone}>{STATES[state].title()}</Badge>
        </p>
        <p className="text-caption text-ink-quiet tabular">
          {m.exports_asked()} <Time at={createdAt} />
          {said
            .filter((text) => text !== undefined)
            .map((text) => (
              <span key={text}> · {text}</span>
            ))}
          {state === 'ready' && expiresAt !== null && (
            <>
              {' '}
              · {m.exports_until()} <Time at={expiresAt} />
            </>
          )}
        </p>
        {state === 'failed' && <p className="text-dense">{m.exports_failed_text()}</p>}
        {failure !== undefined && <OutcomeNotice outcome={failure} />}
      </div>
      {state === 'ready' && (
        <Button
          variant="quiet"
          isDense
          icon={<Download size={16} aria-hidden />}
          isPending={isPending}
          aria-label={`${m.exports_download()}: ${CONTENT_TITLES[content]()}`}
          onClick={() => void handleDownload()}
        >
          {m.exports_download()}
        </Button>
      )}
    </li>
  );
}
