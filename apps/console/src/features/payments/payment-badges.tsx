import { m } from '@athos/messages/messages';
import type { RowOf } from '../../api/admin.ts';
import { Badge } from '../../kit/badge.tsx';
import type { RefundState } from '@athos/contract/console/payments';
import { PAYMENT_STATE } from './payment-words.ts';

type Payment = Pick<
  RowOf<'consolePayments'>,
  'state' | 'resolution' | 'tokenAmount' | 'returnedTokenAmount'
> & { readonly refunds?: readonly { readonly state: RefundState }[] };

/** Nothing has left the programme yet: the request may be rejected, and the provider may refuse. */
const UNDER_WAY: ReadonlySet<RefundState> = new Set(['requested', 'approved', 'sending']);

/** What a credited payment has become, or how a person ended its review. */
function furtherText({
  resolution,
  tokenAmount,
  returnedTokenAmount,
  refunds = [],
}: Payment): string | undefined {
  if (resolution === 'refunded') return m.payments_refunded();
  if (resolution === 'settled_elsewhere') return m.payments_settled_elsewhere();
  if (refunds.some(({ state }) => UNDER_WAY.has(state))) return m.payments_refund_under_way();
  if (returnedTokenAmount === '0') return undefined;
  return returnedTokenAmount === tokenAmount ? m.payments_refunded() : m.payments_refunded_partly();
}

export function PaymentBadges({ payment }: { payment: Payment }) {
  const { title, tone } = PAYMENT_STATE[payment.state];
  const further = furtherText(payment);
  return (
    <span className="inline-flex flex-wrap gap-1">
      <Badge tone={tone}>{title()}</Badge>
      {further !== undefined && <Badge>{further}</Badge>}
    </span>
  );
}
