/** The dialogs to refuse the removal of a lost second step, and to request it sooner. */
import { m } from '@athos/messages/messages';
import { useState } from 'react';
import { useAdminAction } from '../../api/admin.ts';
import { ActionDialog } from '../../kit/action-dialog.tsx';
import { DenseSelect } from '../../kit/dense-field.tsx';
import type { Recovery } from './recovery.tsx';

interface DialogProps {
  uuid: string;
  recovery: Recovery;
  onClose: () => void;
}

export function RecoveryDialog({ act, ...props }: DialogProps & { act: 'refuse' | 'shorten' }) {
  return act === 'refuse' ? <RefuseDialog {...props} /> : <ShortenDialog {...props} />;
}

function RefuseDialog({ uuid, onClose }: DialogProps) {
  const { run, isPending } = useAdminAction('refuseRecovery');
  return (
    <ActionDialog
      title={m.customers_recovery_refuse_title()}
      effect={m.customers_recovery_refuse_effect()}
      actLabel={m.customers_recovery_refuse()}
      isDanger
      doneText={m.customers_recovery_refuse_done()}
      isPending={isPending}
      run={(reason) => run({ params: { uuid }, body: { reason } })}
      onClose={onClose}
    />
  );
}

const HOUR_MS = 3_600_000;
const HOURS = [24, 6, 1] as const;

/** Offers only times that shorten the wait. The server checks again at the vote. */
function ShortenDialog({ uuid, recovery, onClose }: DialogProps) {
  const { run, isPending } = useAdminAction('shortenRecovery');
  const [openedAtMs] = useState(() => Date.now());
  const leftMs = Date.parse(recovery.endsAt) - openedAtMs;
  const offered = HOURS.filter((hours) => hours * HOUR_MS < leftMs);
  const [chosen, setChosen] = useState(offered[0]);
  return (
    <ActionDialog
      title={m.customers_recovery_shorten_title()}
      effect={m.customers_recovery_shorten_effect()}
      actLabel={m.customers_recovery_shorten_act()}
      isDanger
      doneText={m.customers_recovery_shorten_done()}
      disabledReason={chosen === undefined ? m.customers_recovery_soon() : undefined}
      isPending={isPending}
      run={(reason) => run({ params: { uuid }, body: { hours: chosen ?? HOURS[2], reason } })}
      onClose={onClose}
    >
      {chosen !== undefined && (
        <DenseSelect
          label={m.customers_recovery_hours()}
          value={String(chosen)}
          onValueChange={(next) => setChosen(offered.find((hours) => String(hours) === next))}
          options={offered.map((hours) => ({
            value: String(hours),
            label: m.customers_recovery_hours_option({ count: hours }),
          }))}
        />
      )}
    </ActionDialog>
  );
}
