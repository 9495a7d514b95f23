import { useValue } from '@athos/app-core/value';
import { BATCH_CODES_MAX } from '@athos/contract/console/console-call';
import { parseUnits } from '@athos/domain/money';
import { m } from '@athos/messages/messages';
import { useState } from 'react';
import { useAdminAction } from '../../api/admin.ts';
import { ActionDialog } from '../../kit/action-dialog.tsx';
import { momentOf } from '../../kit/days.ts';
import { DenseField } from '../../kit/dense-field.tsx';
import { figures } from '../../kit/figures.ts';
import { moneyText } from '../../kit/money.tsx';
import { timeZone } from '../../state/time-zone.ts';
import type { Batch } from './batches.tsx';
import { countOf } from './campaign-draft.ts';
import { type Campaign } from './campaign-words.ts';

interface Typed {
  readonly label: string;
  readonly count: string;
  readonly uses: string;
  readonly expires: string;
}

/** The body of the call; `undefined` while a field is missing or not a number. */
function orderOf({ label, count, uses, expires }: Typed, zone: string) {
  const [codeCount, usesPerCode] = [countOf(count), countOf(uses)];
  const expiresAt = expires === '' ? null : momentOf(expires, zone);
  if (label.trim() === '' || codeCount === undefined || usesPerCode === undefined) return undefined;
  if (expiresAt === undefined) return undefined;
  return { label: label.trim(), codeCount, usesPerCode, expiresAt };
}

function worthOf(order: NonNullable<ReturnType<typeof orderOf>>, amount: string): string {
  const claims = BigInt(order.codeCount) * BigInt(order.usesPerCode);
  return moneyText((claims * parseUnits(amount)).toString(), 'ATH');
}

function missingIn(order: ReturnType<typeof orderOf>): string | undefined {
  if (order === undefined) return m.batches_reason_form();
  if (order.codeCount <= BATCH_CODES_MAX) return undefined;
  return m.batches_reason_count({ max: figures(BATCH_CODES_MAX) });
}

export function MakeBatchDialog(props: { campaign: Campaign; onClose: () => void }) {
  const { campaign, onClose } = props;
  const zone = useValue(timeZone);
  const { run, isPending } = useAdminAction('makeBatch');
  const [typed, setTyped] = useState<Typed>({ label: '', count: '', uses: '1', expires: '' });
  const order = orderOf(typed, zone);
  const count = order?.codeCount ?? 0;
  const codes = figures(count);
  return (
    <ActionDialog
      title={m.batches_make_title()}
      effect={
        order === undefined
          ? m.batches_effect_none()
          : `${m.batches_effect({ count, codes, amount: worthOf(order, campaign.amount) })} ${m.batches_effect_vote()}`
      }
      actLabel={order === undefined ? m.batches_make() : m.batches_act({ count, codes })}
      doneText={m.batches_done()}
      disabledReason={missingIn(order)}
      isPending={isPending}
      run={(reason) =>
        run({
          params: { id: campaign.id },
          body: { ...(order ?? { label: '', codeCount: 0 }), reason },
        })
      }
      onClose={onClose}
    >
      <DenseField
        label={m.batches_label()}
        hint={m.batches_label_hint()}
        value={typed.label}
        onValueChange={(label) => setTyped({ ...typed, label })}
        maxLength={60}
      />
      <DenseField
        label={m.batches_count({ max: figures(BATCH_CODES_MAX) })}
        inputMode="numeric"
        value={typed.count}
        onValueChange={(next) => setTyped({ ...typed, count: next })}
      />
      <DenseField
        label={m.batches_uses()}
        inputMode="numeric"
        value={typed.uses}
        onValueChange={(uses) => setTyped({ ...typed, uses })}
      />
      <DenseField
        label={m.batches_expires()}
        hint={m.batches_expires_hint()}
        type="datetime-local"
        value={typed.expires}
        onValueChange={(expires) => setTyped({ ...typed, expires })}
      />
    </ActionDialog>
  );
}

export function VoidDialog({ batch, onClose }: { batch: Batch; onClose: () => void }) {
  const { run, isPending } = useAdminAction('voidBatch');
  const count = figures(batch.codeCount);
  return (
    <ActionDialog
      title={m.batches_void_title()}
      effect={m.batches_void_effect({ count, label: batch.label })}
      actLabel={m.batches_void_act({ count })}
      isDanger
      doneText={m.batches_void_done()}
      isPending={isPending}
      run={(reason) => run({ params: { id: batch.id }, body: { reason } })}
      onClose={onClose}
    />
  );
}
