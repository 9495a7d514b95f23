import { m } from '@athos/messages/messages';
import { Amounts, type AmountLine } from '../../kit/amounts.tsx';
import { cardText, shareLines } from '../../kit/card-words.ts';
import { CopyId } from '../../kit/copy-id.tsx';
import { Facts, Section } from '../../kit/detail.tsx';
import { SubjectLink } from '../../kit/subject-link.tsx';
import { Time } from '../../kit/time.tsx';
import type { Payment } from './payment-screen.tsx';
import { refundedTokens } from './payment-words.ts';

/** `0.16830000` as `0.1683`. */
const plainRate = (text: string): string => text.replace(/\.?0+$/, '');

/** The amount paid, its purpose, the provider's fee, and the returned money. */
export function PaymentAmounts({ payment }: { payment: Payment }) {
  const { totalUsdCents, receivedUsdCents, providerFeeUsdCents } = payment;
  const lines: AmountLine[] = [
    { label: m.payments_tokens(), units: payment.tokenAmount, asset: 'ATH' },
    ...shareLines(payment),
    { label: m.payments_total(), units: totalUsdCents, asset: 'USD', isSum: true },
  ];
  if (receivedUsdCents !== null && receivedUsdCents !== totalUsdCents) {
    lines.push({ label: m.payments_received(), units: receivedUsdCents, asset: 'USD' });
  }
  if (providerFeeUsdCents !== null) {
    lines.push({
      label: m.payments_provider_fee(),
      units: negative(providerFeeUsdCents),
      asset: 'USD',
    });
  }
  const tokens = [
    [m.payments_returned(), refundedTokens(payment)],
    [m.payments_refund_under_way(), payment.refundingTokenAmount],
    [m.payments_charged_back(), payment.chargedBackTokenAmount],
  ] as const;
  for (const [label, units] of tokens) {
    if (units !== '0') lines.push({ label, units: negative(units), asset: 'ATH' });
  }
  return (
    <Section title={m.payments_amounts()}>
      <Amounts lines={lines} />
      <p className="text-caption text-ink-quiet">
        {m.payments_rate({ rate: plainRate(payment.usdPerAth) })}
      </p>
    </Section>
  );
}

const negative = (units: string): string => (units === '0' ? units : `-${units}`);

export function PaymentFacts({ payment }: { payment: Payment }) {
  const { card, intentId, chargeId, providerStatus, createdAt, expiresAt, closedAt } = payment;
  const isOpen = payment.state === 'creating' || payment.state === 'open';
  return (
    <Section title={m.payments_facts()}>
      <Facts
        facts={[
          {
            label: m.payments_customer(),
            value: <SubjectLink type="customer" id={payment.customerUuid} />,
          },
          {
            label: m.payments_card(),
            value: card !== null && cardText(card),
            isHidden: card === null,
          },
          { label: m.payments_created(), value: <Time at={createdAt} precision="second" /> },
          { label: m.payments_expires(), value: <Time at={expiresAt} />, isHidden: !isOpen },
          {
            label: m.payments_closed(),
            value: closedAt !== null && <Time at={closedAt} precision="second" />,
            isHidden: closedAt === null,
          },
          {
            label: m.payments_provider_status(),
            value: <code className="font-code text-caption">{providerStatus}</code>,
            isHidden: providerStatus === null,
          },
          { label: m.payments_order(), value: <CopyId id={payment.id} /> },
          {
            label: m.payments_intent(),
            value: <CopyId id={intentId ?? ''} />,
            isHidden: intentId === null,
          },
          {
            label: m.payments_charge(),
            value: <CopyId id={chargeId ?? ''} />,
            isHidden: chargeId === null,
          },
        ]}
      />
    </Section>
  );
}
