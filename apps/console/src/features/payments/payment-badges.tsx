import { m } from '@athos/messages/messages';
import type { RowOf } from '../../api/admin.ts';
import { Badge } from '../../kit/badge.tsx';
import { PAYMENT_STATE } from './payment-words.ts';

type Payment = Pick<
  RowOf<'consolePayments'>,
  'state' | 'resolution' | 'tokenAmount' | 'returnedTokenAmount'
>;

/** What a credited payment has become, or how a person ended its review. */
function furtherText({
  resolution,
  tokenAmount,
  returnedTokenAmount,
}: Payment): string | undefined {
  if (resolution === 'refunded') return m.payments_refunded();
  if (resolution === 'settled_elsewhere') return m.payments_settled_elsewhere();
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
