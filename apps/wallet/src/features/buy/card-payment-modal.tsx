import { mainToken } from '@athos/brand/brand';
import { formatAthRoundedUp, formatUsd } from '@athos/domain/money';
import { m } from '@athos/messages/messages';
import { Button } from '@athos/ui/primitives/button';
import { Countdown } from '@athos/ui/primitives/countdown';
import { DetailList } from '@athos/ui/primitives/card';
import { Dialog } from '@athos/ui/overlays/dialog';
import { Notice } from '@athos/ui/primitives/notice';
import { Skeleton } from '@athos/ui/primitives/skeleton';
import { SuccessMoment } from '@athos/ui/overlays/success-moment';
import { useValue } from '@athos/app-core/value';
import { useEffect, useId, useState } from 'react';
import { paymentNowMs, usePendingPayments } from '../../api/pending-payments.ts';
import type { Quote } from '../../state/card-order.ts';
import { CardForm } from './card-form.tsx';
import { CardPayment, isRunning, type CardPaymentOptions, type CardState } from './card-payment.ts';
import { canTryAgain, failureText } from './buy-words.ts';
import { useKept } from './use-kept.ts';
import { WalletPayButton } from './wallet-pay-button.tsx';
import { useOfflineReason } from '../../state/offline-reason.ts';

interface CardPaymentModalProps extends Omit<CardPaymentOptions, 'quote'> {
  /** The purchase that is being paid for. The dialog is closed while this is `undefined`. */
  quote: Quote | undefined;
  onClose: () => void;
}

/** Spec 2 and 4: the card form, from the provider's script to the credit. */
export function CardPaymentModal(props: CardPaymentModalProps) {
  const quote = useKept(props.quote);
  // Each opening is a new run.
  const [run, setRun] = useState({ isOpen: false, count: 0 });
  const isOpen = props.quote !== undefined;
  if (isOpen !== run.isOpen) setRun({ isOpen, count: run.count + (isOpen ? 1 : 0) });
  if (quote === undefined) return null;
  return <CardDialog key={run.count} {...props} quote={quote} isOpen={isOpen} />;
}

type CardDialogProps = CardPaymentModalProps & { quote: Quote; isOpen: boolean };

function CardDialog({ quote, isOpen, onClose, ...options }: CardDialogProps) {
  const [payment] = useState(() => new CardPayment({ quote, ...options }));
  const paid = useValue(payment.quote);
  const state = useValue(payment.state);
  const alert = useValue(payment.alert);
  const formId = useId();
  const [readySecret, setReadySecret] = useState('');
  const [hasTyped, setHasTyped] = useState(false);
  const [hasEnded, setHasEnded] = useState(false);
  const isOver = state.status === 'late' || state.status === 'credited';
  const form = 'form' in state && !isOver ? state.form : undefined;
  const isReady = form !== undefined && form.clientSecret === readySecret;

  useEffect(() => (isOpen ? payment.start() : undefined), [isOpen, payment]);

  const handleClose = (): void => {
    if (!payment.completeEarly()) onClose();
  };

  return (
    <Dialog
      isOpen={isOpen}
      // A stray tap outside must not discard a typed card or hide a running payment.
      onClose={hasTyped || isRunning(state) ? undefined : handleClose}
      hasCloseButton={false}
      title={m.buy_card_title()}
      actions={
        <>
          <Button
            variant="quiet"
            isWide
            // While the provider charges, its form must stay mounted.
            isDisabled={state.status === 'confirming'}
            onClick={handleClose}
          >
            {m.buy_card_close()}
          </Button>
          <MainButton
            payment={payment}
            state={state}
            formId={formId}
            isReady={isReady}
            hasEnded={hasEnded}
          />
        </>
      }
    >
      <Summary quote={paid} />
      {state.status === 'idle' && !hasEnded && (
        <FormEnd order={options.order} onEnd={() => setHasEnded(true)} />
      )}
      <WalletPayButton
        isReady={isReady && state.status === 'idle'}
        onPay={(wallet) => void payment.confirmByWallet(wallet)}
      />
      <div className="relative">
        {state.status === 'preparing' && <FormSkeleton />}
        {form !== undefined && !isReady && <FormCover />}
        {form !== undefined && (
          <CardForm
            id={formId}
            form={form}
            onSubmit={(elements) => void payment.confirm(elements)}
            onReady={() => setReadySecret(form.clientSecret)}
            onLoadError={() => payment.failForm()}
            onTyped={setHasTyped}
          />
        )}
        <StateNotice state={state} />
      </div>
      {alert !== undefined && <Notice kind="danger">{alert}</Notice>}
    </Dialog>
  );
}

function Summary({ quote }: { quote: Quote }) {
  return (
    <DetailList
      details={[
        {
          label: m.buy_order_amount(),
          value: m.buy_order_amount_value({
            amount: formatAthRoundedUp(quote.amountMicroAth),
            symbol: mainToken.symbol,
          }),
        },
        {
          label: m.buy_order_total(),
          value: m.buy_order_total_value({ total: formatUsd(quote.totalUsdCents) }),
          isTotal: true,
        },
      ]}
    />
  );
}

/** The time until which the order in the form can be paid. Renders nothing until the server has reported it. */
function FormEnd({ order, onEnd }: Pick<CardPaymentOptions, 'order'> & { onEnd: () => void }) {
  const { paymentId } = useValue(order);
  const endsAtMs = usePendingPayments().find(({ id }) => id === paymentId)?.endsAtMs;
  if (endsAtMs === undefined) return null;
  return (
    <p className="text-caption text-ink-quiet -mt-3">
      <Countdown
        key={endsAtMs}
        endsAtMs={endsAtMs}
        nowMs={paymentNowMs}
        label={(time) => m.buy_card_ends({ time })}
        announcement={(count) => m.buy_open_minutes({ count })}
        onEnd={onEnd}
      />
    </p>
  );
}

interface MainButtonProps {
  payment: CardPayment;
  state: CardState;
  formId: string;
  isReady: boolean;
  /** The order can no longer be paid. */
  hasEnded: boolean;
}

/** 'Pay' or 'Try again', or nothing if there is no action. */
function MainButton({ payment, state, formId, isReady, hasEnded }: MainButtonProps) {
  const offlineReason = useOfflineReason();
  const endedReason = hasEnded ? m.buy_card_ended() : undefined;
  if (state.status === 'late' || state.status === 'credited') return null;
  if (state.status === 'failed') {
    return (
      canTryAgain(state.failure) && (
        <Button isWide onClick={() => payment.tryAgain()}>
          {m.common_try_again()}
        </Button>
      )
    );
  }
  return (
    <Button
      type="submit"
      form={formId}
      isWide
      isPending={isRunning(state)}
      isDisabled={!isReady}
      disabledReason={isRunning(state) ? undefined : (endedReason ?? offlineReason)}
    >
      {isRunning(state) ? m.buy_card_processing() : m.buy_card_pay()}
    </Button>
  );
}

/** The state of the payment, unless the form shows it. */
function StateNotice({ state }: { state: CardState }) {
  switch (state.status) {
    case 'failed':
      return <Notice kind="danger">{failureText(state.failure)}</Notice>;
    case 'waiting':
      return (
        <p role="status" className="text-caption text-ink-quiet pt-4 text-center">
          {m.buy_card_confirming()}
        </p>
      );
    case 'late':
      return <Notice kind="info">{m.buy_card_slow({ symbol: mainToken.symbol })}</Notice>;
    case 'credited':
      return (
        <div className="flex flex-col items-center gap-2">
          <SuccessMoment />
          <p role="status" className="text-lead font-semibold">
            {m.buy_card_received()}
          </p>
        </div>
      );
    case 'preparing':
    case 'idle':
    case 'confirming':
      return null;
  }
}

/** Hides the form until it is drawn. */
function FormCover() {
  return (
    <div className="bg-raised absolute inset-0 z-10">
      <FormSkeleton />
    </div>
  );
}

/** A skeleton in the shape of the form: number; expiry and code; country and postal code. */
function FormSkeleton() {
  return (
    <div role="status" aria-label={m.buy_card_loading()} className="grid grid-cols-2 gap-3 p-0.5">
      <Skeleton className="col-span-2 h-14" />
      <Skeleton className="h-14" />
      <Skeleton className="h-14" />
      <Skeleton className="h-14" />
      <Skeleton className="h-14" />
    </div>
  );
}
