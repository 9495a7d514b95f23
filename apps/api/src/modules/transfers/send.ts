import type { TokenAsset, Units } from '@athos/domain/money';
import {
  canonicalQrText,
  parseQrContent,
  QR_ITEMS_MAX,
  QR_VALID_MS,
  QR_VERSION,
} from '@athos/domain/qr-payload';
import {
  TransferKind,
  userAccountId,
  type Ledger,
  type TransferRefusal,
} from '../../ledger/index.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Db } from '../../platform/database/database.ts';
import { AppError, invariant } from '../../platform/errors.ts';
import type { SignedInUser } from '../../platform/http/endpoint.ts';
import type { SigningKeys } from '../../platform/keys/signing-keys.ts';
import type { FindRecipient } from './recipients.ts';
import { selectRedeemableCount } from './transfers.sql.ts';

export interface WalletDeps {
  readonly db: Db;
  readonly ledger: Ledger;
  readonly clock: Clock;
  readonly keys: SigningKeys;
}

interface Send {
  readonly sender: SignedInUser;
  readonly recipientUuid: string;
  readonly amountUnits: Units;
  readonly asset: TokenAsset;
  readonly key: string;
}

interface Sent {
  readonly transferId: bigint;
  /** The sender's, in the asset sent. */
  readonly balanceUnits: Units;
}

/**
 * Moves an amount from one user to another, once for each key. Guards in order: recipient exists, is another user; then
 * the ledger's own: replay, money. Throws the AppError of the refusal.
 */
export async function sendAsset(
  { ledger, findRecipient }: { ledger: Ledger; findRecipient: FindRecipient },
  { sender, recipientUuid, amountUnits, asset, key }: Send,
): Promise<Sent> {
  const recipientId = await findRecipient(recipientUuid);
  if (recipientId === undefined) throw new AppError('recipient_not_found');
  if (recipientId === sender.userId) throw new AppError('recipient_is_sender');
  const outcome = await ledger.transfer({
    debitAccountId: userAccountId(sender.userId, asset),
    creditAccountId: userAccountId(recipientId, asset),
    amountUnits,
    kind: TransferKind.Send,
    key,
  });
  if (outcome.outcome === 'done' || outcome.outcome === 'replayed') {
    return { transferId: outcome.transferId, balanceUnits: outcome.debitAfterUnits };
  }
  throw refusalError(outcome);
}

function refusalError(refusal: TransferRefusal): AppError {
  switch (refusal.outcome) {
    case 'insufficient':
      return new AppError('insufficient_balance', {
        detail: 'Nothing was sent. Send at most your balance.',
      });
    case 'unknown_account':
      return new AppError('recipient_not_found');
    case 'same_account':
      return new AppError('recipient_is_sender');
    case 'bad_amount':
      return new AppError('amount_above_maximum', {
        detail: 'Nothing was sent. Send a smaller amount.',
      });
    case 'key_reused':
      return new AppError('idempotency_key_reused', {
        detail: 'Nothing was sent. Use a new key for another recipient, amount or asset.',
      });
    case 'blocked':
      return new AppError('account_restricted', { detail: 'Nothing was sent. Ask support why.' });
  }
}

const invalidPayload = (detail: string): AppError => new AppError('invalid_qr_payload', { detail });

/** The items of a purchase code: the caller's own, not redeemed, each once. Whether an offer is active, the scan decides. */
async function requireRedeemable(
  db: Db,
  userId: bigint,
  itemIds: readonly number[],
): Promise<void> {
  if (itemIds.length > QR_ITEMS_MAX) throw invalidPayload(`Name at most ${QR_ITEMS_MAX} items.`);
  if (new Set(itemIds).size !== itemIds.length) throw invalidPayload('Name each item once.');
  if ((await selectRedeemableCount(db, userId, itemIds)) !== itemIds.length) {
    throw invalidPayload('Name only items of yours that are not redeemed.');
  }
}

/**
 * Signs the payload of a QR code (decisions "Signed QR codes"): exactly the canonical bytes, for the caller's own account
 * and for now. Guards in order: shape, ownership, time, items.
 */
export async function signQrText(
  { db, clock, keys }: Pick<WalletDeps, 'db' | 'clock' | 'keys'>,
  user: SignedInUser,
  text: string,
): Promise<string> {
  const content = parseQrContent(text);
  if (content === undefined || canonicalQrText(content) !== text) {
    throw invalidPayload('Send the canonical text of {t, d}.');
  }
  const { d: data } = content;
  if (data.v !== QR_VERSION) throw invalidPayload(`Send version ${QR_VERSION}.`);
  if (data.a !== user.userUuid) throw invalidPayload('Name your own account.');
  if (Math.abs(clock.nowMs() - data.t) > QR_VALID_MS) throw new AppError('qr_time_out_of_range');
  if (data.i !== undefined) await requireRedeemable(db, user.userId, data.i);
  const signature = keys.signText(text);
  invariant(keys.verifyText(text, signature), 'what we sign, we can verify');
  return signature;
}
