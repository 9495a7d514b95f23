/** The texts for an amount outside the limits, and for a payment that could not be created. */
import { brand } from '@athos/brand/brand';
import type { BuyLimit } from '@athos/domain/purchase-price';
import { m } from '@athos/messages/messages';
import type { PrepareFailure } from './card-payment.ts';

/** Spec 5: the warning for an amount outside the limits. */
export function limitText(limit: BuyLimit): string {
  switch (limit) {
    case 'below_minimum':
      return m.buy_reason_below_min();
    case 'above_maximum':
      return m.buy_reason_above_max();
  }
}

/** States what happened, what to do, and that nothing was charged. */
export function failureText(failure: PrepareFailure): string {
  switch (failure.status) {
    case 'script':
      return m.buy_card_load_failed();
    case 'rate_unavailable':
      return m.buy_rate_unavailable();
    case 'paused':
      return m.buy_paused({ minutes: failure.minutes });
    case 'too_many':
      return m.errors_too_many({ seconds: failure.seconds });
    case 'terms_missing':
      return m.errors_terms();
    case 'stopped':
      return m.buy_stopped({ notice: failure.notice });
    case 'restricted':
      return m.buy_restricted({ address: brand.supportAddress });
    case 'failed':
      return m.buy_failed();
  }
}

/** Whether trying again may help. */
export const canTryAgain = ({ status }: PrepareFailure): boolean =>
  status !== 'paused' && status !== 'restricted';
