import { isFrozen } from '@athos/app-core/intents/intent';
import { formatAthExact, formatAthRoundedUp, NO_UNITS, TOKEN_ASSETS } from '@athos/domain/money';
import { m } from '@athos/messages/messages';
import { AmountInput } from '@athos/ui/money/amount-input';
import { UsdApprox } from '@athos/ui/money/balance';
import { Button } from '@athos/ui/primitives/button';
import { Screen } from '@athos/ui/layout/screen';
import { tokenBrand } from '@athos/ui/money/token-icon';
import { TokenSelect } from '@athos/ui/money/token-select';
import { useId } from 'react';
import type { FormEvent } from 'react';
import { useNavigate } from 'react-router';
import { paths } from '../../routes/paths.ts';
import { useSendDraft } from '../../state/send-draft.ts';
import { OpenSending } from './open-sending.tsx';
import { useIsOver } from './finished-steps.ts';
import { useAmountStep, type AmountStep } from './use-amount-step.ts';
import { useOfflineReason } from '../../state/offline-reason.ts';

/** Spec 2 `/app/send`: the token and the amount. */
export function SendAmountScreen() {
  const { draft, intent } = useSendDraft();
  if (useIsOver()) return null;
  if (!isFrozen(intent)) return <AmountStepScreen />;
  return <OpenSending draft={draft} title={m.send_title()} backTo={paths.home} />;
}

function AmountStepScreen() {
  const step = useAmountStep();
  const navigate = useNavigate();
  const formId = useId();
  const offlineReason = useOfflineReason();
  const fault = reasonText(step);
  const reason = offlineReason ?? fault;
  // Beside the button, a phone's keyboard would cover it.
  const error = step.fault === 'above_balance' ? fault : undefined;

  const handleSubmit = (event: FormEvent): void => {
    event.preventDefault();
    if (reason === undefined) void navigate(paths.sendRecipient);
  };

  return (
    <Screen
      title={m.send_title()}
      backTo={paths.home}
      width="form"
      action={
        <Button
          type="submit"
          form={formId}
          isWide
          disabledReason={reason}
          isReasonAtField={reason !== undefined && reason === error}
        >
          {m.send_next()}
        </Button>
      }
    >
      <form id={formId} onSubmit={handleSubmit} className="flex flex-col gap-5" noValidate>
        <TokenSelect
          options={TOKEN_ASSETS.map((code) => ({ code, balance: step.balances?.[code] }))}
          value={step.asset}
          onValueChange={step.chooseToken}
        />
        <div className="flex flex-col gap-2">
          <AmountInput
            label={m.send_amount_label()}
            value={step.text}
            onValueChange={step.type}
            unit={tokenBrand(step.asset).symbol}
            isFocusedAtFirst
            error={error}
            equivalent={step.asset === 'ATH' && <UsdApprox amount={step.usd} />}
            action={step.balance !== undefined && <AllButton step={step} />}
          />
          <BalanceLine step={step} />
        </div>
      </form>
    </Screen>
  );
}

/** Hidden until the balance is known. */
function AllButton({ step }: { step: AmountStep }) {
  return (
    <Button variant="quiet" isCompact aria-pressed={step.isAll} onClick={step.takeAll}>
      {m.send_all()}
    </Button>
  );
}

function BalanceLine({ step: { asset, balance } }: { step: AmountStep }) {
  if (balance === undefined) return null;
  const { symbol } = tokenBrand(asset);
  return (
    <p className="text-caption text-ink-quiet tabular">
      {m.common_balance_of({ amount: formatAthRoundedUp(balance), symbol })}
    </p>
  );
}

/** The reason shown beside the disabled 'Next'. */
function reasonText({ asset, balance = NO_UNITS, fault }: AmountStep): string | undefined {
  switch (fault) {
    case 'empty':
      return m.send_reason_empty();
    case 'balance_unknown':
      return m.send_reason_balance_loading();
    case 'above_balance':
      // The exact balance, because the rounded one may equal the amount that was refused.
      return m.send_reason_above_balance({
        amount: formatAthExact(balance),
        symbol: tokenBrand(asset).symbol,
      });
    case undefined:
      return undefined;
  }
}
