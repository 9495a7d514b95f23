import { m } from '@athos/messages/messages';
import { Checkbox } from '@athos/ui/fields/checkbox';
import { useState } from 'react';
import { useAdminAction } from '../../api/admin.ts';
import { ActionDialog } from '../../kit/action-dialog.tsx';
import { DenseField } from '../../kit/dense-field.tsx';
import { moneyText } from '../../kit/money.tsx';
import { useLack } from '../../kit/permission.ts';
import { OnwardChoice, type Onward } from './onward-choice.tsx';
import type { Goods, Purchase } from './purchase-words.ts';
import { refundChoice, refundLines } from './refund-choice.ts';

const WORDS = {
  unredeemed: {
    title: m.sales_refund_title,
    effect: m.sales_refund_effect,
  },
  redeemed: {
    title: m.sales_refund_redeemed_title,
    effect: m.sales_refund_redeemed_effect,
  },
} as const;

interface RefundDialogProps {
  purchase: Purchase;
  goods: Goods;
  /** With the card payment to go on to, once the tokens are in the balance. */
  onClose: (onward: Onward | undefined) => void;
}

/** How many of each line go back to the balance, and whether they are sold again. Above the policy it becomes a request. */
export function RefundDialog({ purchase, goods, onClose }: RefundDialogProps) {
  const open = useAdminAction('refundPurchase');
  const handedOut = useAdminAction('refundRedeemed');
  const [typed, setTyped] = useState<Readonly<Record<number, string>>>({});
  const [isStockReturned, setIsStockReturned] = useState(goods === 'unredeemed');
  const [onward, setOnward] = useState<Onward>();
  const lack = useLack();
  const mayGoOn = (lack('payments.read') ?? lack('payments.refund')) === undefined;
  const lines = refundLines(purchase, goods);
  const choice = refundChoice(lines, typed);
  const most = refundChoice(lines, {});
  const words = WORDS[goods];
  const total = moneyText(choice?.total ?? '0', 'ATH');
  return (
    <ActionDialog<'refundPurchase' | 'refundRedeemed'>
      title={words.title()}
      effect={
        choice === undefined
          ? m.sales_refund_effect_none()
          : words.effect({ amount: total, count: choice.itemCount })
      }
      actLabel={choice === undefined ? m.sales_refund() : m.sales_refund_act({ amount: total })}
      isDanger
      doneText={m.sales_refund_done()}
      disabledReason={choice === undefined ? m.sales_refund_reason_count() : undefined}
      isPending={open.isPending || handedOut.isPending}
      run={(reason) => {
        const { run } = goods === 'redeemed' ? handedOut : open;
        const body = { lines: [...(choice?.lines ?? [])], isStockReturned, reason };
        return run({ params: { id: purchase.id }, body });
      }}
      onClose={(outcome) => onClose(outcome?.kind === 'done' ? onward : undefined)}
    >
      <fieldset className="flex flex-col gap-3">
        <legend className="text-caption text-ink-quiet pb-2 font-semibold">
          {m.sales_refund_most({
            amount: moneyText(most?.total ?? '0', 'ATH'),
            count: most?.itemCount ?? 0,
          })}
        </legend>
        {lines.map(({ line, title, price, maxCount }) => (
          <DenseField
            key={line}
            label={title}
            hint={m.sales_refund_of({ count: maxCount, price: moneyText(price, 'ATH') })}
            inputMode="numeric"
            value={typed[line] ?? String(maxCount)}
            onValueChange={(text) => setTyped({ ...typed, [line]: text })}
          />
        ))}
      </fieldset>
      <Checkbox isChecked={isStockReturned} onCheckedChange={setIsStockReturned}>
        <span className="text-dense">{m.sales_refund_stock()}</span>
      </Checkbox>
      {mayGoOn && (
        <OnwardChoice customerUuid={purchase.customerUuid} chosen={onward} onChoose={setOnward} />
      )}
    </ActionDialog>
  );
}
