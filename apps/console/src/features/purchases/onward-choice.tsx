import { m } from '@athos/messages/messages';
import { useAdminList, type RowOf } from '../../api/admin.ts';
import { toCardText } from '../../kit/card-words.ts';
import { DenseSelect } from '../../kit/dense-field.tsx';
import { moneyText } from '../../kit/money.tsx';

/** The card payment to which the refund may be passed on. */
export type Onward = Pick<RowOf<'consolePayments'>, 'id' | 'card'>;

interface OnwardChoiceProps {
  customerUuid: string;
  chosen: Onward | undefined;
  onChoose: (payment: Onward | undefined) => void;
}

/**
 * Chooses whether the refund is passed on to a card, and to which payment: one of the customer's newest that is not fully returned. The
 * returnable amount is known only once the tokens are in the balance, so the next dialog reads and shows it.
 */
export function OnwardChoice({ customerUuid, chosen, onChoose }: OnwardChoiceProps) {
  const { rows } = useAdminList('consolePayments', {
    customerUuid,
    state: 'credited',
    sort: 'newest',
  });
  const open = (rows ?? []).filter(
    ({ tokenAmount, returnedTokenAmount }) => BigInt(returnedTokenAmount) < BigInt(tokenAmount),
  );
  if (open.length === 0) return null;
  return (
    <DenseSelect
      label={m.sales_refund_onward()}
      hint={m.sales_refund_onward_hint()}
      value={chosen?.id ?? ''}
      onValueChange={(id) => onChoose(open.find((payment) => payment.id === id))}
      options={[
        { value: '', label: m.sales_refund_onward_none() },
        ...open.map(({ id, card, totalUsdCents }) => ({
          value: id,
          label: m.sales_refund_onward_order({
            amount: moneyText(totalUsdCents, 'USD'),
            card: toCardText(card),
          }),
        })),
      ]}
    />
  );
}
