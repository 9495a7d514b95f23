import { TOKEN_ASSETS, units, type TokenAsset, type Units } from '@athos/domain/money';
import { canonicalQrText, parseQrContent, QR_VALID_MS, QR_VERSION } from '@athos/domain/qr-payload';
import {
  TransferKind,
  userAccountId,
  type Ledger,
  type TransferRefusal,
} from '../../ledger/index.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Db } from '../../platform/database.ts';
import { AppError, invariant } from '../../platform/errors.ts';
import type { SignedInUser } from '../../platform/session.ts';
import type { SigningKeys } from '../../platform/signing-keys.ts';
import type { FindRecipient } from './recipients.ts';

export interface WalletDeps {
  readonly db: Db;
  readonly ledger: Ledger;
  readonly clock: Clock;
  readonly keys: SigningKeys;
}

export type Balances = Readonly<Record<TokenAsset, Units>>;

/** The balances of a user in every token. */
export async function readBalances(ledger: Ledger, userId: bigint): Promise<Balances> {
  const found = await ledger.balances(TOKEN_ASSETS.map((asset) => userAccountId(userId, asset)));
  const balanceIn = (asset: TokenAsset): Units =>
    found.get(userAccountId(userId, asset)) ?? units(0n);
  return { ATH: balanceIn('ATH'), ATH2: balanceIn('ATH2'), ATH3: balanceIn('ATH3') };
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

/**
 * Signs the payload of a QR code (decisions "Signed QR codes"): exactly the canonical bytes, for the caller's own account
 * and for now. Codes of purchases and tiers come with the marketplace.
 */
export function signQrText(
  { clock, keys }: Pick<WalletDeps, 'clock' | 'keys'>,
  user: SignedInUser,
  text: string,
): string {
  const content = parseQrContent(text);
  if (content === undefined || canonicalQrText(content) !== text) {
    throw new AppError('invalid_qr_payload', { detail: 'Send the canonical text of {t, d}.' });
  }
  const { t: kind, d: data } = content;
  if (kind !== 'transfer')
    throw new AppError('invalid_qr_payload', { detail: 'Only transfer codes are signed.' });
  if (data.v !== QR_VERSION)
    throw new AppError('invalid_qr_payload', { detail: `Send version ${QR_VERSION}.` });
  if (data.a !== user.userUuid)
    throw new AppError('invalid_qr_payload', { detail: 'Name your own account.' });
  if (Math.abs(clock.nowMs() - data.t) > QR_VALID_MS) throw new AppError('qr_time_out_of_range');
  const signature = keys.signText(text);
  invariant(keys.verifyText(text, signature), 'what we sign, we can verify');
  return signature;
}
