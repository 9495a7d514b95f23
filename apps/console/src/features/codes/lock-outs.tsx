import { m } from '@athos/messages/messages';
import { Button } from '@athos/ui/primitives/button';
import { Skeleton } from '@athos/ui/primitives/skeleton';
import { useState } from 'react';
import { useAdminAction, useAdminList, type RowOf } from '../../api/admin.ts';
import { ActionDialog } from '../../kit/action-dialog.tsx';
import { Section } from '../../kit/detail.tsx';
import { FailureView } from '../../kit/failure.tsx';
import { LoadMore } from '../../kit/load-more.tsx';
import { SubjectLink } from '../../kit/subject-link.tsx';
import { Time } from '../../kit/time.tsx';

type LockOut = RowOf<'lockOuts'>;

export function LockOuts() {
  const list = useAdminList('lockOuts', {});
  const { rows, failure, reload } = list;
  const [chosen, setChosen] = useState<LockOut>();
  return (
    <Section title={m.codes_lock_outs()}>
      <p className="text-dense text-ink-quiet">{m.codes_lock_outs_lead()}</p>
      {failure !== undefined && <FailureView failure={failure} onRetry={reload} />}
      {rows === undefined && failure === undefined && <Skeleton className="h-20 w-full" />}
      {rows?.length === 0 && <p className="text-dense">{m.codes_lock_outs_empty()}</p>}
      {rows !== undefined && rows.length > 0 && (
        <ul className="divide-line divide-y">
          {rows.map((lockOut) => (
            <li
              key={lockOut.id}
              className="text-dense flex flex-wrap items-center gap-x-4 gap-y-1 py-2"
            >
              <span className="flex min-w-0 grow flex-col">
                {lockOut.customerUuid === null ? (
                  <span>
                    {m.codes_lock_out_place()} <code className="font-code">{lockOut.place}</code>
                  </span>
                ) : (
                  <SubjectLink type="customer" id={lockOut.customerUuid} />
                )}
                <span className="text-caption text-ink-quiet tabular">
                  {m.codes_lock_out_since()} <Time at={lockOut.lockedAt} />,{' '}
                  {m.codes_lock_out_until()} <Time at={lockOut.endsAt} />
                </span>
              </span>
              <Button variant="quiet" isDense onClick={() => setChosen(lockOut)}>
                {m.codes_release()}
              </Button>
            </li>
          ))}
        </ul>
      )}
      <LoadMore list={list} />
      {chosen !== undefined && (
        <ReleaseDialog lockOut={chosen} onClose={() => setChosen(undefined)} />
      )}
    </Section>
  );
}

function ReleaseDialog({ lockOut, onClose }: { lockOut: LockOut; onClose: () => void }) {
  const { run, isPending } = useAdminAction('releaseLockOut');
  const { id, customerUuid, place } = lockOut;
  return (
    <ActionDialog
      title={m.codes_release_title()}
      effect={m.codes_release_effect({ who: customerUuid ?? place ?? '' })}
      actLabel={m.codes_release_act()}
      doneText={m.codes_release_done()}
      isPending={isPending}
      run={(reason) => run({ params: { id }, body: { reason } })}
      onClose={onClose}
    />
  );
}
