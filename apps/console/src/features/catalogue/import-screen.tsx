/** Imports offers from a CSV file: choose it, see each row's effect, leave rows out, apply the rest, and see the result. */
import { newIdempotencyKey } from '@athos/client/idempotency-key';
import { m } from '@athos/messages/messages';
import { Button, ButtonLink } from '@athos/ui/primitives/button';
import { Notice } from '@athos/ui/primitives/notice';
import FileUp from 'lucide-react/icons/file-up';
import { useRef, useState } from 'react';
import { useNavigate, useParams } from 'react-router';
import { useAdminAction, useAdminItem } from '../../api/admin.ts';
import { upload } from '../../api/upload.ts';
import { ActionDialog } from '../../kit/action-dialog.tsx';
import { Badge } from '../../kit/badge.tsx';
import { Detail, DetailOf, Facts } from '../../kit/detail.tsx';
import { figures } from '../../kit/figures.ts';
import { Page } from '../../kit/page.tsx';
import { Progress, ProgressBar } from '../../kit/progress.tsx';
import { Time } from '../../kit/time.tsx';
import { paths } from '../../routes/paths.ts';
import { ImportRows } from './import-rows.tsx';
import { FINDINGS, isUnderWay, type Import } from './import-words.ts';

const POLL_MS = 1_500;

export function ImportScreen() {
  const { id } = useParams();
  return id === undefined ? <ChooseFile /> : <ImportPage key={id} id={id} />;
}

interface Sent {
  readonly file: File;
  /** Kept for the same file, so that it is checked only once. */
  readonly key: string;
}

/** On some systems a spreadsheet's CSV has another type, on others none. */
const asCsv = (file: File): File => new File([file], file.name, { type: 'text/csv' });

function ChooseFile() {
  const navigate = useNavigate();
  const input = useRef<HTMLInputElement>(null);
  const [sent, setSent] = useState<Sent>();
  const [share, setShare] = useState<number>();
  const [failure, setFailure] = useState<string>();

  async function handleSend(next: Sent): Promise<void> {
    setSent(next);
    setFailure(undefined);
    setShare(0);
    const options = { key: next.key, onProgress: setShare };
    const outcome = await upload('uploadOfferImport', next.file, options);
    setShare(undefined);
    if (outcome.kind === 'done') return void navigate(paths.offerImport(outcome.answer.id));
    setFailure(outcome.kind === 'refused' ? outcome.text : m.imports_unknown());
    if (outcome.kind === 'refused') setSent(undefined);
  }

  const isSending = share !== undefined;
  return (
    <Page title={m.imports_title()}>
      <div className="max-w-column flex flex-col gap-4">
        <p className="text-dense">{m.imports_lead()}</p>
        <p className="text-dense text-ink-quiet">{m.imports_lead_drafts()}</p>
        {failure !== undefined && <Notice kind="danger">{failure}</Notice>}
        {isSending && (
          <ProgressBar label={m.imports_checking({ name: sent?.file.name ?? '' })} done={share} />
        )}
        <div className="flex flex-wrap gap-2">
          <Button
            isDense
            icon={<FileUp size={16} aria-hidden />}
            isPending={isSending}
            onClick={() => input.current?.click()}
          >
            {m.imports_choose()}
          </Button>
          {failure !== undefined && sent !== undefined && (
            <Button variant="quiet" isDense onClick={() => void handleSend(sent)}>
              {m.common_try_again()}
            </Button>
          )}
          <input
            ref={input}
            type="file"
            hidden
            aria-label={m.imports_choose()}
            accept=".csv,text/csv"
            onChange={({ target }) => {
              const [file] = target.files ?? [];
              if (file !== undefined) {
                void handleSend({ file: asCsv(file), key: newIdempotencyKey() });
              }
              // Allows choosing the same file again after it was corrected.
              target.value = '';
            }}
          />
        </div>
      </div>
    </Page>
  );
}

function ImportPage({ id }: { id: string }) {
  const read = useAdminItem(
    'offerImport',
    { params: { id } },
    { pollMs: (found) => isUnderWay(found) && POLL_MS },
  );
  const [isApplying, setIsApplying] = useState(false);
  return (
    <DetailOf read={read} kind={m.imports_title()} backTo={paths.offers}>
      {(found) => (
        <Detail
          kind={m.imports_title()}
          title={m.imports_file()}
          plainTitle={m.imports_file()}
          state={<StateBadge found={found} />}
          actions={<Actions found={found} onApply={() => setIsApplying(true)} />}
          backTo={paths.offers}
        >
          {isUnderWay(found) && (
            <Progress
              label={m.imports_state_running()}
              done={found.applied + found.failed}
              total={found.toApply}
              text={m.imports_progress({
                done: figures(found.applied + found.failed),
                total: figures(found.toApply),
              })}
            />
          )}
          <ImportFacts found={found} />
          <ImportRows key={found.state} found={found} />
          {isApplying && <ApplyDialog found={found} onClose={() => setIsApplying(false)} />}
        </Detail>
      )}
    </DetailOf>
  );
}

function StateBadge({ found }: { found: Import }) {
  if (found.state === 'checked') return <Badge>{m.imports_state_checked()}</Badge>;
  if (isUnderWay(found)) return <Badge tone="info">{m.imports_state_running()}</Badge>;
  return found.failed > 0 ? (
    <Badge tone="danger">{m.imports_state_failed()}</Badge>
  ) : (
    <Badge tone="success">{m.imports_state_done()}</Badge>
  );
}

function Actions({ found, onApply }: { found: Import; onApply: () => void }) {
  const { state, toApply } = found;
  return (
    <>
      <ButtonLink variant="quiet" isDense to={paths.importOffers}>
        {m.imports_another()}
      </ButtonLink>
      {state === 'checked' && (
        <Button
          isDense
          disabledReason={toApply === 0 ? m.imports_reason_nothing() : undefined}
          onClick={onApply}
        >
          {m.imports_apply({ count: toApply, rows: figures(toApply) })}
        </Button>
      )}
    </>
  );
}

function ImportFacts({ found }: { found: Import }) {
  const { rowsTotal, skipped, applied, failed, createdAt, state } = found;
  const isApplied = state !== 'checked';
  return (
    <Facts
      isWide
      facts={[
        { label: m.imports_rows(), value: figures(rowsTotal) },
        ...(['new', 'change', 'same', 'fault'] as const).map((finding) => ({
          label: FINDINGS[finding].title(),
          value: figures(found.found[finding]),
        })),
        { label: m.imports_skipped(), value: figures(skipped) },
        { label: m.imports_applied(), value: figures(applied), isHidden: !isApplied },
        { label: m.imports_failed(), value: figures(failed), isHidden: !isApplied },
        { label: m.imports_at(), value: <Time at={createdAt} /> },
      ]}
    />
  );
}

function ApplyDialog({ found, onClose }: { found: Import; onClose: () => void }) {
  const { run, isPending } = useAdminAction('applyOfferImport');
  const { id, toApply } = found;
  const words = { count: toApply, rows: figures(toApply) };
  return (
    <ActionDialog
      title={m.imports_title()}
      effect={m.imports_apply_effect(words)}
      actLabel={m.imports_apply(words)}
      doneText={m.imports_apply_done()}
      hasReason={false}
      isPending={isPending}
      run={() => run({ params: { id }, body: { toApply } })}
      onClose={onClose}
    />
  );
}
