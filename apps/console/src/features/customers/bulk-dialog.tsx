/** One action for many customers. The first step shows the exact number of customers (O-053); nothing happens before the second. */
import type { BulkAct } from '@athos/contract/console/bulk';
import type { CustomerState } from '@athos/contract/console/customers';
import type { HoldKind } from '@athos/contract/console/holds';
import { m } from '@athos/messages/messages';
import { Button } from '@athos/ui/primitives/button';
import { useState } from 'react';
import { useNavigate } from 'react-router';
import { useAdminAction, type ActionOutcome } from '../../api/admin.ts';
import type { AdminAnswer } from '../../api/call.ts';
import { OutcomeNotice, REASON_LENGTH_MIN } from '../../kit/action-dialog.tsx';
import { DenseText } from '../../kit/dense-field.tsx';
import { Dialog } from '../../kit/dialog.tsx';
import { paths } from '../../routes/paths.ts';
import { BULK_ACTS, type BulkActName } from './bulk-words.ts';
import { HoldKindChoice } from './hold-dialogs.tsx';

type Run = AdminAnswer<'previewBulk'>;

/** The customers: the selected ones, or all that match the filters. */
export type BulkRows =
  | { readonly ids: readonly string[] }
  | { readonly filters: { readonly state?: CustomerState; from?: string; to?: string } };

interface BulkDialogProps {
  name: BulkActName;
  rows: BulkRows;
  onClose: () => void;
}

const NOTE_LENGTH_MAX = 2_000;

interface Typed {
  readonly kinds: readonly HoldKind[];
  readonly note: string;
}

function actOf(name: BulkActName, { kinds, note }: Typed): BulkAct {
  switch (name) {
    case 'customer.end_sessions':
      return { name };
    case 'hold.place':
      return { name, kinds: [...kinds] };
    case 'customer.note':
      return { name, text: note.trim() };
  }
}

/** The input that is missing before the rows can be counted. */
function lackOf(
  name: BulkActName,
  { kinds, note, reason }: Typed & { readonly reason: string },
): string | undefined {
  if (name === 'hold.place' && kinds.length === 0) return m.customers_hold_reason_kinds();
  if (name === 'customer.note' && note.trim() === '') return m.customers_bulk_note_empty();
  return reason.trim().length < REASON_LENGTH_MIN
    ? m.console_reason_too_short({ count: REASON_LENGTH_MIN })
    : undefined;
}

export function BulkDialog({ name, rows, onClose }: BulkDialogProps) {
  const words = BULK_ACTS[name];
  const preview = useAdminAction('previewBulk');
  const [kinds, setKinds] = useState<readonly HoldKind[]>([]);
  const [note, setNote] = useState('');
  const [reason, setReason] = useState('');
  const [run, setRun] = useState<Run>();
  const [failure, setFailure] = useState<ActionOutcome<'previewBulk'>>();

  if (run !== undefined) return <StartDialog name={name} run={run} onClose={onClose} />;

  const lack = lackOf(name, { kinds, note, reason });

  async function handlePreview(): Promise<void> {
    const chosen = 'ids' in rows ? { ids: [...rows.ids] } : rows;
    const outcome = await preview.run({
      body: { act: actOf(name, { kinds, note }), rows: chosen, reason },
    });
    if (outcome.kind === 'done') setRun(outcome.answer);
    else setFailure(outcome);
  }
  return (
    <Dialog
      {...(!preview.isPending && { onClose })}
      hasCloseButton={false}
      title={words.title()}
      description={
        'ids' in rows
          ? m.customers_bulk_selected({ count: rows.ids.length })
          : m.customers_bulk_filtered()
      }
      actions={
        <>
          <Button variant="quiet" isWide isDisabled={preview.isPending} onClick={onClose}>
            {m.common_cancel()}
          </Button>
          <Button
            isWide
            isPending={preview.isPending}
            disabledReason={lack}
            onClick={() => void handlePreview()}
          >
            {m.customers_bulk_preview()}
          </Button>
        </>
      }
    >
      {failure !== undefined && <OutcomeNotice outcome={failure} />}
      {name === 'hold.place' && <HoldKindChoice kinds={kinds} onChange={setKinds} />}
      {name === 'customer.note' && (
        <DenseText
          label={m.customers_note()}
          value={note}
          onValueChange={setNote}
          maxLength={NOTE_LENGTH_MAX}
        />
      )}
      <DenseText
        label={m.console_reason()}
        hint={m.console_reason_hint()}
        value={reason}
        onValueChange={setReason}
        maxLength={500}
      />
    </Dialog>
  );
}

/** The second step: the number is exact, since the server has fixed these rows. */
function StartDialog(props: { name: BulkActName; run: Run; onClose: () => void }) {
  const { name, run, onClose } = props;
  const { id, rowsTotal } = run;
  const navigate = useNavigate();
  const start = useAdminAction('startBulk');
  const [failure, setFailure] = useState<ActionOutcome<'startBulk'>>();
  const count = rowsTotal;
  async function handleStart(): Promise<void> {
    const outcome = await start.run({ params: { id }, body: { rowsTotal } });
    if (outcome.kind === 'cancelled') return;
    if (outcome.kind !== 'done') return setFailure(outcome);
    onClose();
    void navigate(paths.bulkRun(id));
  }
  return (
    <Dialog
      {...(!start.isPending && { onClose })}
      hasCloseButton={false}
      title={BULK_ACTS[name].title()}
      description={BULK_ACTS[name].effect({ count })}
      actions={
        <>
          <Button variant="quiet" isWide isDisabled={start.isPending} onClick={onClose}>
            {m.common_cancel()}
          </Button>
          <Button
            variant={name === 'customer.note' ? 'primary' : 'danger'}
            isWide
            isPending={start.isPending}
            onClick={() => void handleStart()}
          >
            {BULK_ACTS[name].start({ count })}
          </Button>
        </>
      }
    >
      {failure !== undefined && <OutcomeNotice outcome={failure} />}
    </Dialog>
  );
}
