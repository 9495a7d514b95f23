/**
 * What the people of the demo's past do. Plain data: `plan.ts` decides on the acts, `wallet-acts.ts` and `staff-acts.ts` carry them out.
 */
import type { Moment } from './calendar.ts';

/** An item of an earlier purchase. */
export interface ItemRef {
  /** The number of the purchase. */
  readonly purchase: number;
  readonly index: number;
}

export interface CartLine {
  readonly offerId: number;
  readonly itemCount: number;
}

/** How an order ends: paid, declined by the bank for a reason of the provider's list, or left unpaid. */
export type OrderEnd = 'paid' | 'left' | 'insufficient_funds' | 'generic_decline' | 'expired_card';

/** `no` numbers the acts of a kind; an act's keys are derived from it. People are identified by their index. */
export type Act =
  | { readonly kind: 'sign_up'; readonly person: number; readonly isVerified: boolean }
  | {
      readonly kind: 'order';
      readonly person: number;
      readonly no: number;
      readonly usdCents: number;
      readonly end: OrderEnd;
      /** A test card of the sandbox. */
      readonly card: 'visa' | 'mastercard' | 'amex';
    }
  | {
      readonly kind: 'claim';
      readonly person: number;
      readonly no: number;
      readonly code: string;
    }
  | {
      readonly kind: 'buy';
      readonly person: number;
      readonly no: number;
      readonly lines: readonly CartLine[];
    }
  | {
      readonly kind: 'redeem';
      readonly person: number;
      readonly no: number;
      readonly items: readonly ItemRef[];
      readonly venue: number;
      /** The reason why the code is refused; `none` if it is not. */
      readonly fault: 'none' | 'expired' | 'redeemed';
    }
  | {
      readonly kind: 'send';
      readonly person: number;
      readonly no: number;
      readonly to: number;
      readonly hundredths: number;
    }
  | {
      readonly kind: 'tip';
      readonly person: number;
      readonly no: number;
      readonly offerId: number;
      readonly hundredths: number;
    }
  /** `no` is the number of the order. */
  | { readonly kind: 'refund_order'; readonly person: number; readonly no: number }
  /** `no` is the number of the purchase. */
  | {
      readonly kind: 'refund_purchase';
      readonly person: number;
      readonly no: number;
      readonly lines: readonly { readonly line: number; readonly itemCount: number }[];
    };

export type ActOf<Kind extends Act['kind']> = Extract<Act, { kind: Kind }>;

export interface Scene extends Moment {
  /** At most one act of each person, so that all can happen at once. */
  readonly acts: readonly Act[];
  /** The rate published at this moment. */
  readonly rateText: string;
}
