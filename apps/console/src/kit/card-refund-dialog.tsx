/**
 * Returns money of a payment, to its card or, if the card cannot take it, by bank transfer: how much can be returned and why, and the
 * effect on the customer.
 */
import { exactAthText, parseAth, tokenUnits } from '@athos/domain/money';
import { m } from '@athos/messages/messages';
import { Notice } from '@athos/ui/primitives/notice';
import { Skeleton } from '@athos/ui/primitives/skeleton';
import { useEffect, useState } from 'react';
import { useAdminAction, useAdminItem } from '../api/admin.ts';
import type { AdminAnswer } from '../api/call.ts';
import { ActionDialog } from './action-dialog.tsx';
import { Amounts } from './amounts.tsx';
import { DenseField, DenseSelect } from './dense-field.tsx';
import { FailureView } from './failure.tsx';
import { moneyText } from './money.tsx';
import { shareLines, toCardText, type Card } from './card-words.ts';

type Refundable = AdminAnswer<'refundable'>;
type Part = NonNullable<Refundable['largest']>;
/** The source of the refund: the customer's tokens are taken, for the card or for a bank transfer, or the programme bears the cost. */
type Bearer = 'tokens' | 'programme' | 'bank';

const REFERENCE_LENGTH_MAX = 140;

const BEARERS: readonly Bearer[] = ['tokens', 'bank', 'programme'];
const BEARER_TITLES: Readonly<Record<Bearer, () => string>> = {
  tokens: m.payments_refund_bearer_tokens,
  bank: m.payments_refund_bearer_bank,
  programme: m.payments_refund_bearer_programme,
};

/** The typed amount in units; `undefined` unless it is above zero. */
function unitsOf(typed: string): string | undefined {
  const amount = parseAth(typed);
  return amount === undefined || amount.toString() === '0' ? undefined : amount.toString();
}

const TYPING_PAUSE_MS = 300;

/** Debounces the value, so that not every key press makes a request. */
function useSettled<Value>(value: Value): Value {
  const [settled, setSettled] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), TYPING_PAUSE_MS);
    return () => clearTimeout(timer);
  }, [value]);
  return settled;
}

/** The maximum refund, and the requested part, with the reason why it cannot be sent. */
function useRefund(id: string, bearer: Bearer, typed: string | undefined) {
  const all = useAdminItem('refundable', { params: { id } });
  const facts = all.item;
  const largest = (bearer === 'programme' ? facts?.largestAtCost : facts?.largest) ?? undefined;
  const text = typed ?? (largest === undefined ? '' : plainAmount(largest.tokenAmount));
  const units = unitsOf(text);
  const settled = useSettled(units);
  const isWhole = units !== undefined && units === largest?.tokenAmount;
  const isAsked = !isWhole && settled !== undefined && settled === units;
  const asked = useAdminItem('refundable', {
    params: { id },
    ...(isAsked && { query: { tokenAmount: settled } }),
  });
  const part = isWhole ? largest : isAsked ? (asked.item?.asked ?? undefined) : undefined;
  return { ...all, facts, text, part, fault: faultOf({ largest, units, part }) };
}

/** Without thousands separators, as it is typed. */
const plainAmount = (units: string): string => exactAthText(tokenUnits(BigInt(units)));

function faultOf(given: {
  largest: Part | undefined;
  units: string | undefined;
  part: (Part & { readonly fault?: 'below_minimum' | 'leaves_too_little' | null }) | undefined;
}): string | undefined {
  const { largest, units, part } = given;
  if (largest === undefined) return m.payments_refund_none();
  if (units === undefined) return m.payments_refund_reason_amount();
  if (BigInt(units) > BigInt(largest.tokenAmount)) {
    return m.payments_refund_above({ max: moneyText(largest.tokenAmount, 'ATH') });
  }
  if (part === undefined) return m.payments_refund_working();
  if (part.fault === 'below_minimum') return m.payments_refund_below_minimum();
  if (part.fault === 'leaves_too_little') return m.payments_refund_leaves_too_little();
  return undefined;
}

/** The debit and the payout of the refund, shown before it is confirmed. */
function effectOf(bearer: Bearer, part: Part | undefined, card: Card | null): string {
  const total = moneyText(part?.totalUsdCents ?? '0', 'USD');
  const tokens = moneyText(part?.tokenAmount ?? '0', 'ATH');
  switch (bearer) {
    case 'programme':
      return m.payments_refund_effect_at_cost({ total, card: toCardText(card) });
    case 'bank':
      return m.payments_refund_effect_by_bank({ tokens, total });
    case 'tokens':
      return m.payments_refund_effect({ tokens, total, card: toCardText(card) });
  }
}

interface CardRefundDialogProps {
  payment: { readonly id: string; readonly card: Card | null };
  onClose: () => void;
}

export function CardRefundDialog({ payment, onClose }: CardRefundDialogProps) {
  const params = { id: payment.id };
  const toCard = useAdminAction('refundPayment');
  const byBank = useAdminAction('refundByBank');
  const [bearer, setBearer] = useState<Bearer>('tokens');
  const [typed, setTyped] = useState<string>();
  const [reference, setReference] = useState('');
  const refund = useRefund(payment.id, bearer, typed);
  const { part } = refund;
  const isByBank = bearer === 'bank';
  const fault =
    refund.fault ??
    (isByBank && reference.trim() === '' ? m.payments_refund_reference_missing() : undefined);
  const total = moneyText(part?.totalUsdCents ?? '0', 'USD');
  return (
    <ActionDialog<'refundPayment' | 'refundByBank'>
      title={isByBank ? m.payments_refund_title_by_bank() : m.payments_refund_title()}
      effect={
        refund.fault === undefined
          ? effectOf(bearer, part, payment.card)
          : m.payments_refund_effect_none()
      }
      actLabel={
        refund.fault === undefined ? m.payments_refund_act({ amount: total }) : m.payments_refund()
      }
      isDanger
      doneText={m.payments_refund_done()}
      disabledReason={fault}
      isPending={toCard.isPending || byBank.isPending}
      run={(reason) => {
        const body = { reason, ...(part && { tokenAmount: part.tokenAmount }) };
        return isByBank
          ? byBank.run({ params, body: { ...body, bankReference: reference.trim() } })
          : toCard.run({ params, body: { ...body, isAtCost: bearer === 'programme' } });
      }}
      onClose={onClose}
    >
      <Choices
        refund={refund}
        bearer={bearer}
        onBearer={(next) => {
          setBearer(next);
          setTyped(undefined);
        }}
        onType={setTyped}
      />
      {isByBank && (
        <DenseField
          label={m.payments_refund_reference()}
          hint={m.payments_refund_reference_hint()}
          maxLength={REFERENCE_LENGTH_MAX}
          value={reference}
          onValueChange={setReference}
        />
      )}
    </ActionDialog>
  );
}

/** The customer's view of the refund. */
function customerText(bearer: Bearer, tokens: string): string {
  if (bearer === 'programme') return m.payments_refund_customer_at_cost();
  return bearer === 'bank'
    ? m.payments_refund_customer_by_bank({ tokens })
    : m.payments_refund_customer({ tokens });
}

interface ChoicesProps {
  refund: ReturnType<typeof useRefund>;
  bearer: Bearer;
  onBearer: (bearer: Bearer) => void;
  onType: (typed: string) => void;
}

/** The choice of the source and the amount, with the reason for the maximum, the split, and the customer's view. */
function Choices({ refund, bearer, onBearer, onType }: ChoicesProps) {
  const { facts, failure, part } = refund;
  if (facts === undefined) {
    return failure === undefined ? (
      <Skeleton className="h-40 w-full" />
    ) : (
      <FailureView failure={failure} onRetry={refund.reload} />
    );
  }
  const isAtCost = bearer === 'programme';
  return (
    <>
      <DenseSelect
        label={m.payments_refund_bearer()}
        value={bearer}
        onValueChange={(next) => onBearer(BEARERS.find((known) => known === next) ?? 'tokens')}
        options={BEARERS.filter((one) => one !== 'bank' || facts.hasCardFailed).map((value) => ({
          value,
          label: BEARER_TITLES[value](),
        }))}
      />
      <DenseField
        label={m.payments_refund_amount({ symbol: 'ATH' })}
        hint={<Why facts={facts} isAtCost={isAtCost} />}
        inputMode="decimal"
        value={refund.text}
        onValueChange={onType}
      />
      {part !== undefined && (
        <>
          <Split part={part} bearer={bearer} />
          <Notice kind="info">{customerText(bearer, moneyText(part.tokenAmount, 'ATH'))}</Notice>
        </>
      )}
    </>
  );
}

/** Explains the maximum: the low-water rule with the numbers of this payment. */
function Why({ facts, isAtCost }: { facts: Refundable; isAtCost: boolean }) {
  const left = moneyText(facts.notReturnedTokenAmount, 'ATH');
  if (facts.isDisputed) return m.payments_refund_disputed();
  if (isAtCost) return m.payments_refund_why_at_cost({ left });
  if (facts.lowWaterTokenAmount === null) return m.payments_refund_why_unknown();
  const lowest = moneyText(facts.lowWaterTokenAmount, 'ATH');
  return BigInt(facts.lowWaterTokenAmount) < BigInt(facts.notReturnedTokenAmount)
    ? m.payments_refund_why_spent({ left, lowest })
    : m.payments_refund_why_all({ left });
}

const Split = ({ part, bearer }: { part: Part; bearer: Bearer }) => (
  <Amounts
    lines={[
      ...shareLines(part),
      {
        label: bearer === 'bank' ? m.payments_refund_by_bank() : m.payments_refund_to_card(),
        units: part.totalUsdCents,
        asset: 'USD',
        isSum: true,
      },
    ]}
  />
);
