import { m } from '@athos/messages/messages';
import { Checkbox } from '@athos/ui/fields/checkbox';
import { useState } from 'react';
import { useAdminAction } from '../../api/admin.ts';
import { ActionDialog } from '../../kit/action-dialog.tsx';
import { moneyText } from '../../kit/money.tsx';
import { reversibleItems, type Redemption } from './redemption-detail.tsx';

function sumOf(prices: readonly string[]): string {
  return prices.reduce((sum, price) => sum + BigInt(price), BigInt(0)).toString();
}

/** Chooses the items that become redeemable again. Above the policy's limit, it becomes an approval request. */
export function ReverseDialog(props: { redemption: Redemption; onClose: () => void }) {
  const { redemption, onClose } = props;
  const { run, isPending } = useAdminAction('reverseRedemption');
  const items = reversibleItems(redemption);
  const [leftOut, setLeftOut] = useState<readonly number[]>([]);
  const chosen = items.filter(({ id }) => !leftOut.includes(id));
  const count = chosen.length;
  return (
    <ActionDialog
      title={m.redemptions_reverse_title()}
      effect={
        count === 0
          ? m.redemptions_reverse_effect_none()
          : m.redemptions_reverse_effect({
              count,
              amount: moneyText(sumOf(chosen.map(({ price }) => price)), 'ATH'),
            })
      }
      actLabel={m.redemptions_reverse_act({ count })}
      isDanger
      doneText={m.redemptions_reverse_done()}
      disabledReason={count === 0 ? m.redemptions_reverse_reason_items() : undefined}
      isPending={isPending}
      run={(reason) =>
        run({
          params: { id: redemption.id },
          body: { itemIds: chosen.map(({ id }) => id), reason },
        })
      }
      onClose={onClose}
    >
      <fieldset>
        <legend className="text-caption text-ink-quiet font-semibold">{m.sales_items()}</legend>
        {items.map(({ id, title }) => (
          <Checkbox
            key={id}
            isChecked={!leftOut.includes(id)}
            onCheckedChange={(isOn) =>
              setLeftOut(isOn ? leftOut.filter((other) => other !== id) : [...leftOut, id])
            }
          >
            <span className="text-dense min-w-0 wrap-anywhere">
              {title} <code className="font-code text-caption text-ink-quiet">{id}</code>
            </span>
          </Checkbox>
        ))}
      </fieldset>
    </ActionDialog>
  );
}
