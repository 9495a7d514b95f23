import { m } from '@athos/messages/messages';
import { useAdminAction } from '../../api/admin.ts';
import { ActionDialog } from '../../kit/action-dialog.tsx';
import { figures } from '../../kit/figures.ts';
import type { BulkRun } from './bulk-state.tsx';

interface StopDialogProps {
  run: BulkRun;
  onClose: () => void;
}

/** Says that completed rows stay completed. Rows continue until it is confirmed, so the numbers change. */
export function StopDialog({ run, onClose }: StopDialogProps) {
  const { run: stop, isPending } = useAdminAction('stopBulk');
  const { id, rowsDone, rowsFailed, rowsTotal } = run;
  return (
    <ActionDialog
      title={m.customers_bulk_stop_title()}
      effect={m.customers_bulk_stop_effect({
        done: figures(rowsDone + rowsFailed),
        left: figures(rowsTotal - rowsDone - rowsFailed),
      })}
      actLabel={m.customers_bulk_stop()}
      isDanger
      hasReason={false}
      doneText={m.customers_bulk_stop_done()}
      isPending={isPending}
      run={() => stop({ params: { id } })}
      onClose={onClose}
    />
  );
}
