/**
 * The lowest balance of an account since an order was credited: an upper bound for the order's unused tokens. Value that came later
 * cannot raise it, so rewards and gifts never become card money. Amounts that were bought and refunded, held and given back, or sent and
 * taken back count as never spent (docs/cards.md, "Refunds").
 */
import { TransferKind } from '../../../ledger/index.ts';

/** A movement of the account. */
export interface Movement {
  readonly kind: TransferKind;
  readonly key: string;
  readonly isPaid: boolean;
  /** Whether the other account is the programme's own. Only the programme gives value back. */
  readonly isWithProgramme: boolean;
  readonly amountUnits: bigint;
  readonly balanceAfterUnits: bigint;
}

/** The kind of payment that each kind of return undoes. */
const UNDOES: ReadonlyMap<TransferKind, TransferKind> = new Map([
  [TransferKind.Refund, TransferKind.Refund],
  [TransferKind.Chargeback, TransferKind.Chargeback],
  [TransferKind.Release, TransferKind.Hold],
  [TransferKind.PurchaseRefund, TransferKind.Purchase],
  [TransferKind.SendReturned, TransferKind.SendHeld],
]);

const least = (a: bigint, b: bigint): bigint => (a < b ? a : b);

/**
 * `movements` begin with the newest and end with the order's credit. A return belongs to the payment with its key; without one, to the
 * newest payments of its kind before it, which never overstates what is left.
 */
export function lowWaterOf(movements: readonly Movement[]): bigint {
  const paidKeys = new Set(movements.flatMap(({ isPaid, key }) => (isPaid ? [key] : [])));
  /** Returned amounts that have not been matched with their payment yet, by key or by kind. */
  const open = new Map<string | TransferKind, bigint>();
  let openUnits = 0n;
  let lowest: bigint | undefined;

  const close = (name: string | TransferKind, amountUnits: bigint): bigint => {
    const closed = least(open.get(name) ?? 0n, amountUnits);
    open.set(name, (open.get(name) ?? 0n) - closed);
    openUnits -= closed;
    return closed;
  };

  for (const { kind, key, isPaid, isWithProgramme, amountUnits, balanceAfterUnits } of movements) {
    const balance = balanceAfterUnits + openUnits;
    lowest = lowest === undefined ? balance : least(lowest, balance);
    const undone = UNDOES.get(kind);
    if (!isPaid && isWithProgramme && undone !== undefined) {
      const name = paidKeys.has(key) ? key : undone;
      open.set(name, (open.get(name) ?? 0n) + amountUnits);
      openUnits += amountUnits;
    }
    if (isPaid) close(kind, amountUnits - close(key, amountUnits));
  }
  return lowest ?? 0n;
}
