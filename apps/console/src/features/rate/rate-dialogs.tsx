import { useValue } from '@athos/app-core/value';
import { parseRate } from '@athos/domain/money';
import { m } from '@athos/messages/messages';
import { useState } from 'react';
import { useAdminAction } from '../../api/admin.ts';
import { ActionDialog } from '../../kit/action-dialog.tsx';
import { localMoment, momentOf } from '../../kit/days.ts';
import { DenseField } from '../../kit/dense-field.tsx';
import { timeZone } from '../../state/time-zone.ts';
import type { RateNow } from './rate-screen.tsx';

/** The default distance into the future, which leaves enough time for a vote. */
const AHEAD_MS = 10 * 60_000;

/** `+1.5%`, to a hundredth of a per cent. */
function changeText(rate: string, current: string): string {
  const change = (Number(rate) / Number(current) - 1) * 100;
  return `${change < 0 ? '−' : '+'}${Math.abs(change).toFixed(2)}%`;
}

function missingOf(isRate: boolean, inForceFrom: string | undefined): string | undefined {
  if (!isRate) return m.rate_schedule_no_rate();
  return inForceFrom === undefined ? m.rate_schedule_no_time() : undefined;
}

/** Publishes a rate at a later time. A change of more than 2% an hour becomes an approval request. */
export function ScheduleRateDialog({ rate, onClose }: { rate: RateNow; onClose: () => void }) {
  const { run, isPending } = useAdminAction('scheduleRate');
  const zone = useValue(timeZone);
  const [typed, setTyped] = useState('');
  const [at, setAt] = useState(() => localMoment(Date.now() + AHEAD_MS, zone));
  const isRate = parseRate(typed.trim()) !== undefined;
  const inForceFrom = momentOf(at, zone);
  const current = rate.current?.usdPerAth;
  return (
    <ActionDialog
      title={m.rate_schedule()}
      effect={
        isRate
          ? m.rate_schedule_effect({
              rate: typed.trim(),
              change: current === undefined ? m.rate_first() : changeText(typed.trim(), current),
            })
          : m.rate_schedule_effect_none()
      }
      actLabel={isRate ? m.rate_schedule_act({ rate: typed.trim() }) : m.rate_schedule()}
      doneText={m.rate_schedule_done()}
      disabledReason={missingOf(isRate, inForceFrom)}
      isPending={isPending}
      run={(reason) =>
        run({
          body: { usdPerAth: typed.trim(), inForceFrom: inForceFrom ?? '', reason },
        })
      }
      onClose={onClose}
    >
      <DenseField
        label={m.rate_field()}
        inputMode="decimal"
        value={typed}
        onValueChange={setTyped}
        hint={current === undefined ? undefined : m.rate_field_hint({ rate: current })}
      />
      <DenseField
        label={m.rate_field_time()}
        type="datetime-local"
        value={at}
        onValueChange={setAt}
        hint={m.rate_field_time_hint({ zone })}
      />
    </ActionDialog>
  );
}

export function CancelRateDialog(props: {
  scheduled: RateNow['schedule'][number];
  onClose: () => void;
}) {
  const { run, isPending } = useAdminAction('cancelRate');
  const { id, usdPerAth } = props.scheduled;
  return (
    <ActionDialog
      title={m.rate_cancel()}
      effect={m.rate_cancel_effect({ rate: usdPerAth })}
      actLabel={m.rate_cancel_act({ rate: usdPerAth })}
      isDanger
      doneText={m.rate_cancel_done()}
      isPending={isPending}
      run={(reason) => run({ params: { id }, body: { reason } })}
      onClose={props.onClose}
    />
  );
}
