import { m } from '@athos/messages/messages';
import { Checkbox } from '@athos/ui/fields/checkbox';
import { useState } from 'react';
import { useAdminAction } from '../../api/admin.ts';
import { ActionDialog } from '../../kit/action-dialog.tsx';
import { ItemCounts, itemChoice, type TypedCounts } from '../../kit/item-choice.tsx';
import { moneyText } from '../../kit/money.tsx';
import { useLack } from '../../kit/permission.ts';
import { OnwardChoice, type Onward } from './onward-choice.tsx';
import { refundLines, type Goods, type Purchase } from './purchase-words.ts';

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
  /** Called with the card payment to pass the refund on to, once the tokens are in the balance. */
  onClose: (onward: Onward | undefined) => void;
}

/**
 * Chooses how many items of each line are refunded to the balance, and whether they go back on sale. Above the policy's limit, it becomes
 * an approval request.
 */
export function RefundDialog({ purchase, goods, onClose }: RefundDialogProps) {
  const open = useAdminAction('refundPurchase');
  const handedOut = useAdminAction('refundRedeemed');
  const [typed, setTyped] = useState<TypedCounts>({});
  const [isStockReturned, setIsStockReturned] = useState(goods === 'unredeemed');
  const [onward, setOnward] = useState<Onward>();
  const lack = useLack();
  const mayGoOn = (lack('payments.read') ?? lack('payments.refund')) === undefined;
  const lines = refundLines(purchase, goods);
  const choice = itemChoice(lines, typed);
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
      <ItemCounts lines={lines} typed={typed} onType={setTyped} />
      <Checkbox isChecked={isStockReturned} onCheckedChange={setIsStockReturned}>
        <span className="text-dense">{m.sales_refund_stock()}</span>
      </Checkbox>
      {mayGoOn && (
        <OnwardChoice customerUuid={purchase.customerUuid} chosen={onward} onChoose={setOnward} />
      )}
    </ActionDialog>
  );
}
