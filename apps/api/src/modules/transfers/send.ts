import type { TokenAsset, Units } from '@athos/domain/money';
import { TransferKind, userAccountId, type Ledger } from '../../ledger/index.ts';
import { AppError } from '../../platform/errors.ts';
import { refusalError, type RefusalWords } from './pay.ts';
import type { FindRecipient } from './recipients.ts';

interface Send {
  readonly senderId: bigint;
  readonly recipientUuid: string;
  readonly amountUnits: Units;
  readonly asset: TokenAsset;
  readonly key: string;
}

interface Sent {
  readonly transferId: bigint;
  /** The sender's balance in the asset, after the send. */
  readonly balanceUnits: Units;
}

const SEND_WORDS: RefusalWords = {
  nothing: 'Nothing was sent.',
  refusals: {
    insufficient: { advice: 'Send at most your balance.' },
    unknown_account: {},
    same_account: {},
    bad_amount: { advice: 'Send a smaller amount.' },
    key_reused: { advice: 'Use a new key for another recipient, amount or asset.' },
    blocked: { advice: 'Ask support why.' },
  },
};

/**
 * Moves an amount from one user to another, once for each key. Guards in order: the recipient exists and is another user;
 * then the ledger's own, replay and money. Throws the AppError of the refusal.
 */
export async function sendAsset(
  { ledger, findRecipient }: { ledger: Ledger; findRecipient: FindRecipient },
  { senderId, recipientUuid, amountUnits, asset, key }: Send,
): Promise<Sent> {
  const recipientId = await findRecipient(recipientUuid);
  if (recipientId === undefined) throw new AppError('recipient_not_found');
  if (recipientId === senderId) throw new AppError('recipient_is_sender');
  const result = await ledger.transfer({
    debitAccountId: userAccountId(senderId, asset),
    creditAccountId: userAccountId(recipientId, asset),
    amountUnits,
    kind: TransferKind.Send,
    key,
  });
  if (result.outcome === 'done' || result.outcome === 'replayed') {
    return { transferId: result.transferId, balanceUnits: result.debitAfterUnits };
  }
  throw refusalError(result.outcome, SEND_WORDS);
}
