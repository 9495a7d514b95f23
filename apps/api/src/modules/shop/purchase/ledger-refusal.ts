import type { TransferRefusal } from '../../../ledger/index.ts';
import { AppError } from '../../../platform/errors.ts';

export const NOTHING_BOUGHT = 'Nothing was bought.';
export const NOTHING_SENT = 'Nothing was sent.';

/** What a refusal of the ledger means to who pays the shop. `nothing` says what did not happen. */
export function ledgerRefusal(refusal: TransferRefusal, nothing: string): AppError {
  switch (refusal.outcome) {
    case 'insufficient':
      return new AppError('insufficient_balance', {
        detail: `${nothing} It costs more than your balance: buy ATH first.`,
      });
    case 'unknown_account':
      return new AppError('offer_unavailable', {
        detail: `${nothing} Its receiver has left: choose another offer.`,
      });
    case 'same_account':
      return new AppError('recipient_is_sender', {
        detail: `${nothing} It would be paid to yourself.`,
      });
    case 'bad_amount':
      return new AppError('amount_above_maximum', {
        detail: `${nothing} Choose a smaller amount.`,
      });
    case 'key_reused':
      return keyReused(nothing);
    case 'blocked':
      return new AppError('account_restricted', { detail: `${nothing} Ask support why.` });
  }
}

export const keyReused = (nothing: string): AppError =>
  new AppError('idempotency_key_reused', {
    detail: `${nothing} Use a new key for what differs from the first request.`,
  });
