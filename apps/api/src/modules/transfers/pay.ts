/** Moves value in the transaction of other rows, and turns the ledger's refusals into errors for the user. */
import type { ErrorCode } from '@athos/contract/errors';
import {
  userIdOfAccount,
  type GroupTransferRequest,
  type Ledger,
  type TransferRefusal,
} from '../../ledger/index.ts';
import type { Tx } from '../../platform/database/database.ts';
import { AppError, invariant } from '../../platform/errors.ts';

type RefusalOutcome = TransferRefusal['outcome'];

/** A caller's texts for the refusals that it can receive. */
export interface RefusalWords {
  /** The first sentence of each refusal, which says what was not done. */
  readonly nothing: string;
  /** The advice for the user, and the code if it differs from `USUAL_CODES`. Any other refusal breaks an invariant. */
  readonly refusals: Partial<
    Record<RefusalOutcome, { readonly code?: ErrorCode; readonly advice?: string }>
  >;
}

const USUAL_CODES: Readonly<Record<RefusalOutcome, ErrorCode>> = {
  insufficient: 'insufficient_balance',
  unknown_account: 'recipient_not_found',
  same_account: 'recipient_is_sender',
  bad_amount: 'amount_above_maximum',
  key_reused: 'idempotency_key_reused',
  blocked: 'account_restricted',
  held: 'account_restricted',
  receiver_held: 'recipient_restricted',
};

export function refusalError(
  outcome: RefusalOutcome,
  { nothing, refusals }: RefusalWords,
): AppError {
  const words = refusals[outcome];
  invariant(words !== undefined, `a transfer ended as ${outcome}`);
  const { code = USUAL_CODES[outcome], advice } = words;
  return new AppError(code, { detail: advice === undefined ? nothing : `${nothing} ${advice}` });
}

/** A refused payment. Names its user, for callers that pay for several users at once. */
export class PaymentRefused extends AppError {
  /** The payer or, if the programme pays, the receiver. */
  readonly userId: bigint | undefined;

  constructor(
    { code, options }: AppError,
    { debitAccountId, creditAccountId }: GroupTransferRequest,
  ) {
    super(code, options);
    this.userId = userIdOfAccount(debitAccountId) ?? userIdOfAccount(creditAccountId);
  }
}

type Paid = Exclude<Awaited<ReturnType<Ledger['transferInTx']>>, { outcome: 'refused' }>;

/**
 * Makes the transfers, all or none, in the transaction `tx`. Must be its last statement, since the ledger stays locked until
 * the commit. A replay with the same keys moves nothing and returns `replayed`. Throws `PaymentRefused`, which rolls `tx`
 * back.
 */
export async function pay(
  tx: Tx,
  ledger: Ledger,
  transfers: readonly GroupTransferRequest[],
  words: RefusalWords,
): Promise<Paid> {
  const result = await ledger.transferInTx(tx, transfers);
  if (result.outcome !== 'refused') return result;
  const refused = transfers[result.index];
  invariant(refused !== undefined, 'the ledger refuses a transfer of the group');
  throw new PaymentRefused(refusalError(result.refusal.outcome, words), refused);
}
