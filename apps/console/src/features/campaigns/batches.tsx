/** The batches of a campaign: the progress of each, its files while they exist, and the action that voids it. */
import type { SheetForm } from '@athos/contract/console/batches';
import { m } from '@athos/messages/messages';
import { toasts } from '@athos/ui/overlays/toast-store';
import { Button } from '@athos/ui/primitives/button';
import { Skeleton } from '@athos/ui/primitives/skeleton';
import { lazy, Suspense, useState } from 'react';
import { useAdminAction, useAdminList, type ActionOutcome, type RowOf } from '../../api/admin.ts';
import { OutcomeNotice } from '../../kit/action-dialog.tsx';
import { ActionMenu } from '../../kit/action-menu.tsx';
import { Badge } from '../../kit/badge.tsx';
import { Section } from '../../kit/detail.tsx';
import { FailureView } from '../../kit/failure.tsx';
import { figures } from '../../kit/figures.ts';
import { LoadMore } from '../../kit/load-more.tsx';
import { useLack } from '../../kit/permission.ts';
import { Progress } from '../../kit/progress.tsx';
import { Time } from '../../kit/time.tsx';
import { BATCH_STATES, SHEET_FORMS, SHEET_TITLES, type Campaign } from './campaign-words.ts';

const MakeBatchDialog = lazy(async () => ({
  default: (await import('./batch-dialogs.tsx')).MakeBatchDialog,
}));
const VoidDialog = lazy(async () => ({
  default: (await import('./batch-dialogs.tsx')).VoidDialog,
}));

export type Batch = RowOf<'batches'>;

/** A batch takes seconds, and somebody else may order one. */
const LOOK_AGAIN_MS = 2_000;

export function Batches({ campaign }: { campaign: Campaign }) {
  const list = useAdminList('batches', {}, { id: String(campaign.id) }, { pollMs: LOOK_AGAIN_MS });
  const { rows, failure, reload } = list;
  const lack = useLack();
  const [isMaking, setIsMaking] = useState(false);
  return (
    <Section
      title={m.batches_title()}
      actions={
        <Button
          variant="quiet"
          isDense
          disabledReason={lack('campaigns.codes') ?? obstacleOf(campaign)}
          onClick={() => setIsMaking(true)}
        >
          {m.batches_make()}
        </Button>
      }
    >
      {failure !== undefined && <FailureView failure={failure} onRetry={reload} />}
      {rows === undefined && failure === undefined && <Skeleton className="h-24 w-full" />}
      {rows?.length === 0 && <p className="text-dense text-ink-quiet">{m.batches_empty()}</p>}
      {rows !== undefined && rows.length > 0 && (
        <ul className="divide-line flex flex-col divide-y">
          {rows.map((batch) => (
            <BatchLine key={batch.id} batch={batch} />
          ))}
        </ul>
      )}
      <LoadMore list={list} />
      {isMaking && (
        <Suspense fallback={null}>
          <MakeBatchDialog campaign={campaign} onClose={() => setIsMaking(false)} />
        </Suspense>
      )}
    </Section>
  );
}

function obstacleOf({ state }: Campaign): string | undefined {
  if (state === 'draft') return m.campaigns_no_budget();
  if (state === 'ended') return m.campaigns_is_over();
  return state === 'settled' ? m.campaigns_is_settled() : undefined;
}

function BatchLine({ batch }: { batch: Batch }) {
  const { label, state, codeCount, codesDone, claimCount, usesPerCode, createdAt } = batch;
  const { title, tone } = BATCH_STATES[state];
  const count = figures(codeCount);
  return (
    <li className="text-dense flex flex-col gap-2 py-3 first:pt-0">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <span className="min-w-0 font-semibold wrap-anywhere">{label}</span>
        <Badge tone={tone}>{title()}</Badge>
        <span className="text-ink-quiet tabular ml-auto">
          <Time at={createdAt} />
        </span>
      </div>
      <p className="text-ink-quiet tabular">
        {m.batches_codes({ count: codeCount, codes: count })},{' '}
        {m.batches_claims({ count: claimCount, claims: figures(claimCount) })}
        {usesPerCode > 1 && <> · {m.batches_uses_each({ uses: figures(usesPerCode) })}</>}
        {batch.expiresAt !== null && (
          <>
            {' '}
            · {m.batches_expire_at()} <Time at={batch.expiresAt} />
          </>
        )}
      </p>
      {(state === 'waiting' || state === 'making') && (
        <Progress
          label={label}
          text={m.batches_progress({ done: figures(codesDone), count })}
          done={codesDone}
          total={codeCount}
        />
      )}
      {state === 'failed' && <p>{m.batches_failed_text()}</p>}
      {state === 'ready' && <BatchFiles batch={batch} />}
    </li>
  );
}

type FileForm = 'csv' | SheetForm;

const formTitle = (form: FileForm): string =>
  form === 'csv' ? m.batches_csv() : SHEET_TITLES[form]();

function BatchFiles({ batch }: { batch: Batch }) {
  const { id, fileExpiresAt, downloadsLeft, sheets } = batch;
  const lack = useLack()('campaigns.codes');
  const link = useAdminAction('batchLink');
  const sheet = useAdminAction('makeSheet');
  const [failure, setFailure] = useState<ActionOutcome<'batchLink' | 'makeSheet'>>();
  const [isVoiding, setIsVoiding] = useState(false);
  const ready = sheets.filter(({ state }) => state === 'ready').map(({ form }) => form);

  async function handleDownload(form: FileForm): Promise<void> {
    setFailure(undefined);
    const outcome = await link.run({ params: { id }, body: { form } });
    if (outcome.kind !== 'done') return setFailure(outcome);
    // The file is an attachment, so the page stays.
    const anchor = document.createElement('a');
    anchor.href = outcome.answer.path;
    anchor.click();
    toasts.show('success', m.batches_downloading(), 4000);
  }

  async function handleSheet(form: SheetForm): Promise<void> {
    setFailure(undefined);
    const outcome = await sheet.run({ params: { id }, body: { form } });
    if (outcome.kind !== 'done') return setFailure(outcome);
    toasts.show('success', m.batches_sheet_asked(), 4000);
  }

  const downloads = (['csv', ...ready] as const).map((form) => ({
    label: m.batches_download({ form: formTitle(form) }),
    disabledReason: lack,
    onPress: () => void handleDownload(form),
  }));
  const drawings = SHEET_FORMS.filter((form) => !sheets.some((drawn) => isDrawn(drawn, form))).map(
    (form) => ({
      label: `${m.batches_sheet()}: ${formTitle(form)}`,
      disabledReason: lack,
      onPress: () => void handleSheet(form),
    }),
  );
  const voiding = {
    label: m.batches_void(),
    isDanger: true,
    disabledReason: lack,
    onPress: () => setIsVoiding(true),
  };
  const files = fileExpiresAt === null ? [] : [...downloads, ...drawings];
  return (
    <div className="flex flex-col gap-2">
      <Sheets batch={batch} />
      <div className="flex flex-wrap items-center gap-x-3 gap-y-2">
        {fileExpiresAt === null ? (
          <span className="text-ink-quiet max-w-column">{m.batches_file_gone()}</span>
        ) : (
          <span className="text-ink-quiet tabular">
            {m.batches_file_until()} <Time at={fileExpiresAt} /> ·{' '}
            {m.batches_downloads_left({ count: downloadsLeft })}
          </span>
        )}
        <span className="ml-auto">
          <ActionMenu actions={[...files, voiding]} />
        </span>
      </div>
      {failure !== undefined && <OutcomeNotice outcome={failure} />}
      {isVoiding && (
        <Suspense fallback={null}>
          <VoidDialog batch={batch} onClose={() => setIsVoiding(false)} />
        </Suspense>
      )}
    </div>
  );
}

/** Whether a sheet exists or is being drawn. A failed one can be requested again. */
const isDrawn = (drawn: Batch['sheets'][number], form: string): boolean =>
  drawn.form === form && drawn.state !== 'failed';

/** The sheets that do not exist yet. */
function Sheets({ batch }: { batch: Batch }) {
  return batch.sheets.map(({ form, state, pagesDone, pageCount }) => {
    const title = formTitle(form);
    if (state === 'ready') return null;
    if (state === 'failed') return <p key={form}>{m.batches_sheet_failed({ form: title })}</p>;
    const text = m.batches_sheet_progress({
      form: title,
      done: figures(pagesDone),
      count: figures(pageCount),
    });
    return <Progress key={form} label={title} text={text} done={pagesDone} total={pageCount} />;
  });
}
