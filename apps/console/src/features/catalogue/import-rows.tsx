/** The rows of an import: the effect or the errors of each, and the choice to leave it out. */
import { m } from '@athos/messages/messages';
import { Button } from '@athos/ui/primitives/button';
import { Skeleton } from '@athos/ui/primitives/skeleton';
import { useState } from 'react';
import { useAdminAction, useAdminItem, useAdminList } from '../../api/admin.ts';
import { OutcomeNotice } from '../../kit/action-dialog.tsx';
import { Badge } from '../../kit/badge.tsx';
import { DenseSelect } from '../../kit/dense-field.tsx';
import { ObjectLink, Section } from '../../kit/detail.tsx';
import { Difference } from '../../kit/difference.tsx';
import { FailureView } from '../../kit/failure.tsx';
import { LoadMore } from '../../kit/load-more.tsx';
import { paths } from '../../routes/paths.ts';
import { optionsOf, type Choices } from './catalogue-words.ts';
import { changeOf, FINDINGS, SHOWN, type Import, type ImportRow } from './import-words.ts';

export function ImportRows({ found }: { found: Import }) {
  const { item: choices } = useAdminItem('offerChoices', {});
  const [show, setShow] = useState(found.failed > 0 ? 'failed' : '');
  const list = useAdminList('offerImportRows', show === '' ? {} : { show }, { id: found.id });
  const skip = useAdminAction('skipOfferImportRows');
  const [failure, setFailure] = useState<Awaited<ReturnType<typeof skip.run>>>();

  async function handleSkip(row: number, isSkipped: boolean): Promise<void> {
    setFailure(undefined);
    const outcome = await skip.run({ params: { id: found.id }, body: { rows: [row], isSkipped } });
    if (outcome.kind !== 'done') setFailure(outcome);
  }

  const { rows } = list;
  return (
    <Section title={m.imports_rows()}>
      <div className="max-w-48">
        <DenseSelect
          label={m.imports_show()}
          value={show}
          onValueChange={setShow}
          options={[{ value: '', label: m.imports_show_all() }, ...optionsOf(SHOWN)]}
        />
      </div>
      {failure !== undefined && <OutcomeNotice outcome={failure} />}
      {list.failure !== undefined && <FailureView failure={list.failure} onRetry={list.reload} />}
      {rows === undefined && list.failure === undefined && <Skeleton className="h-64 w-full" />}
      {rows?.length === 0 && <p className="text-dense text-ink-quiet">{m.imports_none()}</p>}
      <ul className="divide-line text-dense flex flex-col divide-y">
        {rows?.map((row) => (
          <Row
            key={row.row}
            row={row}
            choices={choices}
            isOpen={found.state === 'checked'}
            isPending={skip.isPending}
            onSkip={(isSkipped) => void handleSkip(row.row, isSkipped)}
          />
        ))}
      </ul>
      <LoadMore list={list} />
    </Section>
  );
}

interface RowProps {
  row: ImportRow;
  choices: Choices | undefined;
  /** Whether rows can still be left out. */
  isOpen: boolean;
  isPending: boolean;
  onSkip: (isSkipped: boolean) => void;
}

function Row({ row, choices, isOpen, isPending, onSkip }: RowProps) {
  const { offerId, title, isSkipped, finding, outcome, failure, faults } = row;
  const shownTitle = title === '' ? m.imports_untitled() : title;
  const canSkip = isOpen && (finding === 'new' || finding === 'change');
  return (
    <li className="flex flex-col gap-2 py-2.5">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <span className="text-ink-quiet tabular">{m.imports_row({ row: row.row })}</span>
        <Badge tone={FINDINGS[finding].tone}>{FINDINGS[finding].title()}</Badge>
        {isSkipped && <Badge>{m.imports_skipped()}</Badge>}
        {outcome === 'failed' && <Badge tone="danger">{m.imports_failed()}</Badge>}
        <span className="min-w-0 font-semibold wrap-anywhere">
          {offerId === null ? (
            shownTitle
          ) : (
            <ObjectLink to={paths.offer(offerId)}>{shownTitle}</ObjectLink>
          )}
        </span>
        {canSkip && (
          <span className="ml-auto">
            <Button
              variant="quiet"
              isDense
              isDisabled={isPending}
              aria-label={
                isSkipped
                  ? m.imports_take_row({ row: row.row })
                  : m.imports_skip_row({ row: row.row })
              }
              onClick={() => onSkip(!isSkipped)}
            >
              {isSkipped ? m.imports_take() : m.imports_skip()}
            </Button>
          </span>
        )}
      </div>
      {failure !== null && <p className="text-danger">{failure}</p>}
      {faults.length > 0 && (
        <ul className="flex flex-col gap-0.5">
          {faults.map(({ column, message }, index) => (
            <li key={index} className="wrap-anywhere">
              <code className="bg-sunken rounded-dense px-1">
                {column === '' ? m.imports_whole_row() : column}
              </code>{' '}
              {message}
            </li>
          ))}
        </ul>
      )}
      {choices !== undefined && <Change row={row} choices={choices} />}
    </li>
  );
}

function Change({ row, choices }: { row: ImportRow; choices: Choices }) {
  if (row.finding !== 'new' && row.finding !== 'change') return null;
  const { labels, before, after } = changeOf(row, choices);
  return (
    <details>
      <summary className="text-ink-quiet min-h-8 cursor-pointer content-center wrap-anywhere">
        {m.imports_changes({ fields: labels.join(', ') })}
      </summary>
      <Difference before={before} after={after} />
    </details>
  );
}
