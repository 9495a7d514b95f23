/** The dialogs to count, correct and free the stock, and to set its alert. */
import { m } from '@athos/messages/messages';
import { useState } from 'react';
import { useAdminAction } from '../../api/admin.ts';
import { ActionDialog } from '../../kit/action-dialog.tsx';
import { DenseField } from '../../kit/dense-field.tsx';
import type { ConsoleOffer } from './catalogue-words.ts';

export type StockAct = 'count' | 'correction' | 'unlimited' | 'alert';

interface DialogProps {
  offer: ConsoleOffer;
  onClose: () => void;
}

export function StockDialog({ act, ...props }: DialogProps & { act: StockAct }) {
  switch (act) {
    case 'count':
      return <CountDialog {...props} />;
    case 'correction':
      return <CorrectDialog {...props} />;
    case 'unlimited':
      return <FreeDialog {...props} />;
    case 'alert':
      return <AlertDialog {...props} />;
  }
}

const wholeNumber = (text: string): number | undefined =>
  /^[+-]?\d{1,7}$/.test(text.trim()) ? Number.parseInt(text, 10) : undefined;

function CountDialog({ offer, onClose }: DialogProps) {
  const { run, isPending } = useAdminAction('changeStock');
  // The stock shown when the count began. Sales made meanwhile are subtracted.
  const [seen] = useState(offer.stock.left);
  const [text, setText] = useState('');
  const left = wholeNumber(text);
  const isCount = left !== undefined && left >= 0;
  return (
    <ActionDialog<'changeStock'>
      title={m.catalogue_stock_count()}
      effect={m.catalogue_stock_count_effect()}
      actLabel={m.catalogue_stock_count()}
      disabledReason={isCount ? undefined : m.catalogue_stock_number()}
      isPending={isPending}
      run={(reason) =>
        run({ params: { id: offer.id }, body: { kind: 'count', left: left ?? 0, seen, reason } })
      }
      doneText={m.catalogue_stock_saved()}
      onClose={onClose}
    >
      <DenseField
        label={m.catalogue_stock_count_label()}
        inputMode="numeric"
        value={text}
        onValueChange={setText}
      />
    </ActionDialog>
  );
}

function CorrectDialog({ offer, onClose }: DialogProps) {
  const { run, isPending } = useAdminAction('changeStock');
  const [text, setText] = useState('');
  const change = wholeNumber(text);
  const left = (offer.stock.left ?? 0) + (change ?? 0);
  const fault = change === undefined || change === 0 ? m.catalogue_stock_number() : undefined;
  return (
    <ActionDialog<'changeStock'>
      title={m.catalogue_stock_correct()}
      effect={
        fault === undefined && left >= 0
          ? m.catalogue_stock_correct_sum({ left })
          : m.catalogue_stock_correct_effect()
      }
      actLabel={m.catalogue_stock_correct()}
      disabledReason={fault ?? (left < 0 ? m.catalogue_stock_below() : undefined)}
      isPending={isPending}
      run={(reason) =>
        run({ params: { id: offer.id }, body: { kind: 'correction', change: change ?? 0, reason } })
      }
      doneText={m.catalogue_stock_saved()}
      onClose={onClose}
    >
      <DenseField
        label={m.catalogue_stock_correct_label()}
        hint={m.catalogue_stock_correct_hint()}
        value={text}
        onValueChange={setText}
      />
    </ActionDialog>
  );
}

function FreeDialog({ offer, onClose }: DialogProps) {
  const { run, isPending } = useAdminAction('changeStock');
  return (
    <ActionDialog<'changeStock'>
      title={m.catalogue_stock_free()}
      effect={m.catalogue_stock_free_effect()}
      actLabel={m.catalogue_stock_free()}
      isPending={isPending}
      run={(reason) => run({ params: { id: offer.id }, body: { kind: 'unlimited', reason } })}
      doneText={m.catalogue_stock_saved()}
      onClose={onClose}
    />
  );
}

function AlertDialog({ offer, onClose }: DialogProps) {
  const { run, isPending } = useAdminAction('setStockAlert');
  const { alertMax } = offer.stock;
  const [text, setText] = useState(alertMax === null ? '' : String(alertMax));
  const max = text.trim() === '' ? null : wholeNumber(text);
  const isValid = max === null || (max !== undefined && max >= 0);
  return (
    <ActionDialog<'setStockAlert'>
      title={m.catalogue_stock_alert_set()}
      effect={m.catalogue_stock_alert_hint()}
      actLabel={m.catalogue_stock_alert_set()}
      hasReason={false}
      disabledReason={isValid ? undefined : m.catalogue_stock_number()}
      isPending={isPending}
      run={() => run({ params: { id: offer.id }, body: { alertMax: max ?? null } })}
      doneText={m.catalogue_stock_saved()}
      onClose={onClose}
    >
      <DenseField
        label={m.catalogue_stock_alert()}
        inputMode="numeric"
        value={text}
        onValueChange={setText}
      />
    </ActionDialog>
  );
}
