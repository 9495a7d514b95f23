import { m } from '@athos/messages/messages';
import type { RowOf } from '../../api/admin.ts';
import { Badge } from '../../kit/badge.tsx';

type Customer = Pick<RowOf<'customers'>, 'state' | 'heldKinds' | 'balances'>;

/** Badges for unusual states of a customer. */
export function CustomerBadges({ state, heldKinds, balances }: Customer) {
  const isBelowZero = Object.values(balances).some((units) => units.startsWith('-'));
  return (
    <span className="@max-[34rem]/list:flex-col inline-flex flex-wrap items-start gap-1">
      {state === 'closed' && <Badge>{m.customers_closed()}</Badge>}
      {heldKinds.length > 0 && <Badge tone="info">{m.customers_on_hold()}</Badge>}
      {isBelowZero && <Badge tone="danger">{m.customers_below_zero()}</Badge>}
    </span>
  );
}
