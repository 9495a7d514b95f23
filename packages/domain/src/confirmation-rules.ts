/** Rules on which acts of signed-in customers require a fresh proof of identity (decision 0071). */
import { usdCents, type UsdCents } from './money.ts';

/** `above_limit`: required once the sum since the last confirmation exceeds the owner's limit. `always`: required each time. */
export const CONFIRMATION_RULES = {
  send: 'above_limit',
  tip: 'above_limit',
  purchase: 'above_limit',
  raise_limit: 'always',
  move_tickets: 'always',
} as const;

export type ConfirmedAct = keyof typeof CONFIRMATION_RULES;
export const CONFIRMED_ACTS = [
  'send',
  'tip',
  'purchase',
  'raise_limit',
  'move_tickets',
] as const satisfies ConfirmedAct[];

/** The highest limit, which is also the default of accounts with a second factor. */
export const CONFIRMATION_LIMIT_MAX: UsdCents = usdCents(20_000n);

/** The delay before a raised limit takes effect. */
export const RAISE_WAIT_MS = 24 * 60 * 60_000;

/** A limit in US cents; `undefined` requires no confirmation at all. */
export type ConfirmationLimit = UsdCents | undefined;

/** The limit of an account. `own`: the limit chosen by its owner, if any. */
export const limitOf = (own: UsdCents | undefined, hasSecondFactor: boolean): ConfirmationLimit =>
  own ?? (hasSecondFactor ? CONFIRMATION_LIMIT_MAX : undefined);

/** Whether the change allows more spending without a confirmation. */
export const isRaise = (from: ConfirmationLimit, to: ConfirmationLimit): boolean =>
  from !== undefined && (to === undefined || to > from);

interface Spending {
  /** The value of this spending. */
  readonly worth: UsdCents;
  /** The value spent since the last confirmation. */
  readonly spent: UsdCents;
  /** A send to a recipient whom no send of this account has reached. */
  readonly isFirstTime: boolean;
}

/** A first send to a recipient is allowed a quarter of the limit. */
const FIRST_TIME_SHARE = 4n;

/** Whether a spending requires a confirmation. */
export const needsConfirmation = (
  limit: ConfirmationLimit,
  { worth, spent, isFirstTime }: Spending,
): boolean =>
  limit !== undefined &&
  (spent + worth > limit || (isFirstTime && worth * FIRST_TIME_SHARE > limit));
