import type { Asset } from '@athos/domain/money';
import type { RowOf } from '../../api/admin.ts';
import { Money } from '../../kit/money.tsx';

/** The amount of a request, which is in an asset of the ledger. */
export const Worth = ({ amount }: { amount: NonNullable<RowOf<'approvals'>['amount']> }) => (
  <Money units={amount.units} asset={amount.asset as Asset} />
);
