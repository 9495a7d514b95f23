/** The one place where value moves together with other rows, and where a refusal of the ledger becomes an error for the user. */
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

/** What a caller tells its user about the refusals that it can meet. */
export interface RefusalWords {
  /** What did not happen: the first sentence of each refusal. */
  readonly nothing: string;
  /** What the user can do about it, and the code if it is not the usual one. A refusal that is not listed breaks an invariant. */
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

/** Tells whose payment was refused, for callers that pay for several users at once. */
export class PaymentRefused extends AppError {
  /** `undefined` if an account of the programme was to pay. */
  readonly payerId: bigint | undefined;

  constructor({ code, options }: AppError, payerId: bigint | undefined) {
    super(code, options);
    this.payerId = payerId;
  }
}

type Paid = Exclude<Awaited<ReturnType<Ledger['transferInTx']>>, { outcome: 'refused' }>;

/**
 * Makes the transfers, all or none, with the rows that `tx` has written. Has to be its last statement: the ledger is held
 * until the commit. Repeated with the same keys it moves nothing and answers `replayed`. Throws `PaymentRefused`, which rolls
 * the rows back.
 */
export async function pay(
  tx: Tx,
  ledger: Ledger,
  transfers: readonly GroupTransferRequest[],
  words: RefusalWords,
): Promise<Paid> {
  const result = await ledger.transferInTx(tx, transfers);
  if (result.outcome !== 'refused') return result;
  const payer = transfers[result.index]?.debitAccountId;
  throw new PaymentRefused(
    refusalError(result.refusal.outcome, words),
    payer && userIdOfAccount(payer),
  );
}
