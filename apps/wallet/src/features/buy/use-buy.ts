import type { MicroAth, Rate } from '@athos/domain/money';
import { useValue } from '@athos/app-core/value';
import { useState } from 'react';
import { refreshRate } from '../../api/payment.ts';
import type { PendingPayment } from '../../api/pending-payments.ts';
import { usePublishedRate } from '../../api/rate.ts';
import { useUserUuid } from '../../state/current-user.ts';
import {
  cardOrderOf,
  quoteOf,
  quoteOfOrder,
  type CardOrderStore,
  type Quote,
} from '../../state/card-order.ts';

/** One modal at a time (spec 4): preview, card form, success. */
export type BuyStep =
  | { readonly name: 'amount' }
  /** `isRepriced`: the server refused the rate of the previous preview. */
  | { readonly name: 'preview'; readonly quote: Quote; readonly isRepriced: boolean }
  | { readonly name: 'card'; readonly quote: Quote }
  | { readonly name: 'bought'; readonly quote: Quote };

export interface Buy {
  readonly step: BuyStep;
  readonly order: CardOrderStore;
  /** The payment in the open card form, once it exists. */
  readonly shownId: string | undefined;
  preview: (amount: MicroAth, usdPerAth: Rate) => void;
  purchase: (quote: Quote) => void;
  /** Handles a rate that the server no longer accepts: shows a fresh preview, if there is a rate for one. */
  reprice: (quote: Quote, usdPerAth: Rate | undefined) => void;
  /** Continues an open purchase at its own price: at the card form if it was started here, otherwise at its preview. */
  resume: (payment: PendingPayment) => void;
  celebrate: (quote: Quote) => void;
  /** Returns to the amount. */
  leave: () => void;
}

/** The flow of the buy screen. */
export function useBuy(): Buy {
  const order = cardOrderOf(useUserUuid());
  const { paymentId } = useValue(order);
  const publishedRate = usePublishedRate();
  const [step, setStep] = useState<BuyStep>({ name: 'amount' });

  const showPreview = (quote: Quote, isRepriced: boolean): void =>
    setStep({ name: 'preview', quote, isRepriced });

  return {
    step,
    order,
    shownId: step.name === 'card' ? paymentId : undefined,
    preview: (amount, usdPerAth) => showPreview(quoteOf(amount, usdPerAth), false),
    purchase: (quote) => setStep({ name: 'card', quote }),
    reprice(quote, told) {
      refreshRate();
      const usdPerAth = told ?? publishedRate;
      if (usdPerAth === undefined) setStep({ name: 'amount' });
      else showPreview(quoteOf(quote.amountMicroAth, usdPerAth), true);
    },
    resume(payment) {
      const begun = quoteOfOrder(order.get());
      if (begun !== undefined && order.get().paymentId === payment.id) {
        setStep({ name: 'card', quote: begun });
        return;
      }
      const usdPerAth = payment.usdPerAth ?? publishedRate;
      if (usdPerAth === undefined) return;
      showPreview(quoteOf(payment.amount as MicroAth, usdPerAth), false);
    },
    celebrate: (quote) => setStep({ name: 'bought', quote }),
    leave: () => setStep({ name: 'amount' }),
  };
}
