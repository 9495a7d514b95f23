import type { AnswerOf } from '@athos/contract/api';

const balances = (ath: string, others: string): AnswerOf<'balance'> => ({
  balance: ath,
  balances: { ATH: ath, ATH2: others, ATH3: others },
});

/** A very rich user's. */
export const BALANCES_LARGE = balances('123456789123456', '9876543210000');
/** The largest that an account can hold. */
export const BALANCES_HUGE = balances('9223372036854775807', '9223372036854775807');
