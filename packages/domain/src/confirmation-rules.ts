/** Which acts of signed-in customers take a fresh proof of who they are (decision 0071). */
import { usdCents, type UsdCents } from './money.ts';

/** `above_limit`: once the sum since the last confirmation passes the owner's limit. `always`: each time. */
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

/** The highest limit, and that of accounts with a second factor whose owner chose no other. */
export const CONFIRMATION_LIMIT_MAX: UsdCents = usdCents(20_000n);

/** How long a raised limit waits before it holds. */
export const RAISE_WAIT_MS = 24 * 60 * 60_000;

/** A limit in US cents; `undefined` asks for no confirmation at all. */
export type ConfirmationLimit = UsdCents | undefined;

/** What holds for an account. `own`: what its owner chose, if anything. */
export const limitOf = (own: UsdCents | undefined, hasSecondFactor: boolean): ConfirmationLimit =>
  own ?? (hasSecondFactor ? CONFIRMATION_LIMIT_MAX : undefined);

/** Whether the change lets more pass without a confirmation. */
export const isRaise = (from: ConfirmationLimit, to: ConfirmationLimit): boolean =>
  from !== undefined && (to === undefined || to > from);

interface Spending {
  /** What this spending is worth. */
  readonly worth: UsdCents;
  /** What was spent since the last confirmation. */
  readonly spent: UsdCents;
  /** A send to somebody whom no send of this account has reached. */
  readonly isFirstTime: boolean;
}

/** A first send to somebody may take a quarter of the limit. */
const FIRST_TIME_SHARE = 4n;

/** Whether a spending takes a confirmation. */
export const needsConfirmation = (
  limit: ConfirmationLimit,
  { worth, spent, isFirstTime }: Spending,
): boolean =>
  limit !== undefined &&
  (spent + worth > limit || (isFirstTime && worth * FIRST_TIME_SHARE > limit));
