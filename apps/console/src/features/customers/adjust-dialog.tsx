import { m } from '@athos/messages/messages';
import { useState } from 'react';
import { useAdminAction } from '../../api/admin.ts';
import { ActionDialog } from '../../kit/action-dialog.tsx';
import { DenseField, DenseSelect } from '../../kit/dense-field.tsx';
import { moneyText } from '../../kit/money.tsx';
import { adjustmentOf, type Direction } from './adjustment.ts';
import type { Customer } from './customer-screen.tsx';

const WORDS = {
  credit: {
    title: m.customers_adjust_credit,
    effect: m.customers_adjust_credit_effect,
    act: m.customers_adjust_credit_act,
  },
  debit: {
    title: m.customers_adjust_debit,
    effect: m.customers_adjust_debit_effect,
    act: m.customers_adjust_debit_act,
  },
} as const;
const DIRECTIONS = Object.keys(WORDS) as readonly Direction[];

/** Gives tokens from the goodwill budget, or takes some. Above the policy's limit, it becomes an approval request. */
export function AdjustDialog(props: { customer: Customer; onClose: () => void }) {
  const { uuid, balances } = props.customer;
  const credit = useAdminAction('creditCustomer');
  const debit = useAdminAction('debitCustomer');
  const [direction, setDirection] = useState<Direction>('credit');
  const [typed, setTyped] = useState('');
  const adjustment = adjustmentOf(typed, direction, balances.ATH);
  const words = WORDS[direction];
  const amountText = moneyText(adjustment?.amount ?? '0', 'ATH');
  return (
    <ActionDialog<'creditCustomer' | 'debitCustomer'>
      title={m.customers_adjust()}
      effect={
        adjustment === undefined
          ? m.customers_adjust_effect_none()
          : words.effect({
              amount: amountText,
              after: moneyText(adjustment.balanceAfter, 'ATH'),
            })
      }
      actLabel={adjustment === undefined ? words.title() : words.act({ amount: amountText })}
      isDanger={direction === 'debit'}
      doneText={m.customers_adjust_done()}
      disabledReason={adjustment === undefined ? m.customers_adjust_reason_amount() : undefined}
      isPending={credit.isPending || debit.isPending}
      run={(reason) => {
        const amount = adjustment?.amount ?? '';
        return direction === 'credit'
          ? credit.run({ params: { uuid }, body: { amount, reason } })
          : debit.run({ params: { uuid }, body: { amount, asset: 'ATH', reason } });
      }}
      onClose={props.onClose}
    >
      <DenseSelect
        label={m.customers_adjust_direction()}
        value={direction}
        onValueChange={(next) => setDirection(next === 'debit' ? 'debit' : 'credit')}
        options={DIRECTIONS.map((value) => ({ value, label: WORDS[value].title() }))}
      />
      <DenseField
        label={m.customers_adjust_amount({ symbol: 'ATH' })}
        inputMode="decimal"
        value={typed}
        onValueChange={setTyped}
      />
    </ActionDialog>
  );
}
