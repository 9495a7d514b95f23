import { m } from '@athos/messages/messages';
import { useState } from 'react';
import { useAdminAction } from '../../api/admin.ts';
import { ActionDialog } from '../../kit/action-dialog.tsx';
import { DenseSelect } from '../../kit/dense-field.tsx';
import { moneyText } from '../../kit/money.tsx';
import type { Conflict } from './conflict-state.tsx';

type As = Exclude<Conflict['state'], 'open'>;

/** Decides how the second handover is accounted for, with a written reason. */
export function ResolveDialog({ conflict, onClose }: { conflict: Conflict; onClose: () => void }) {
  const { run, isPending } = useAdminAction('resolveConflict');
  const [as, setAs] = useState<As>('written_off');
  const isRefunded = conflict.refundedAt !== null;
  const amount = moneyText(conflict.value, 'ATH');
  return (
    <ActionDialog
      title={m.conflicts_resolve_title({ title: conflict.item.title })}
      effect={
        isRefunded
          ? m.conflicts_resolve_refunded_effect({ amount })
          : m.conflicts_resolve_effect({ amount })
      }
      actLabel={m.conflicts_resolve()}
      doneText={m.conflicts_resolve_done()}
      isPending={isPending}
      run={(reason) => run({ params: { id: conflict.id }, body: { as, reason } })}
      onClose={onClose}
    >
      <DenseSelect
        label={m.conflicts_as()}
        value={as}
        options={[
          { value: 'written_off', label: m.conflicts_as_written_off() },
          {
            value: 'explained',
            label: isRefunded ? m.conflicts_as_explained_refunded() : m.conflicts_as_explained(),
          },
        ]}
        onValueChange={(value) => setAs(value === 'explained' ? 'explained' : 'written_off')}
      />
    </ActionDialog>
  );
}
