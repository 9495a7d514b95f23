import {
  canonicalQrText,
  parseQrContent,
  QR_ITEMS_MAX,
  QR_VALID_MS,
  QR_VERSION,
} from '@athos/domain/qr-payload';
import type { Clock } from '../../platform/clock.ts';
import type { Db } from '../../platform/database/database.ts';
import { AppError, invariant } from '../../platform/errors.ts';
import type { SigningKeys } from '../../platform/keys/signing-keys.ts';
import { countRedeemableItems } from './redeem-items.sql.ts';

interface SignDeps {
  readonly db: Db;
  readonly clock: Clock;
  readonly qrKeys: SigningKeys;
}

const invalidPayload = (detail: string): AppError => new AppError('invalid_qr_payload', { detail });

/** Requires that the items are the caller's own, unredeemed and distinct. The scan decides whether their offers are active. */
async function requireRedeemable(
  db: Db,
  userId: bigint,
  itemIds: readonly number[],
): Promise<void> {
  if (itemIds.length > QR_ITEMS_MAX) throw invalidPayload(`Name at most ${QR_ITEMS_MAX} items.`);
  if (new Set(itemIds).size !== itemIds.length) throw invalidPayload('Name each item once.');
  if ((await countRedeemableItems(db, userId, itemIds)) !== itemIds.length) {
    throw invalidPayload('Name only items of yours that are not redeemed.');
  }
}

/**
 * Signs the text of a QR code, which must have exactly the canonical bytes, the caller's own account and the current time. Guards
 * in order: shape, ownership, time, items. Throws `invalid_qr_payload` and `qr_time_out_of_range`.
 */
export async function signCode(
  { db, clock, qrKeys }: SignDeps,
  { userId, userUuid }: { readonly userId: bigint; readonly userUuid: string },
  text: string,
): Promise<string> {
  const content = parseQrContent(text);
  if (content === undefined || canonicalQrText(content) !== text) {
    throw invalidPayload('Send the canonical text of {t, d}.');
  }
  const { d: data } = content;
  if (data.v !== QR_VERSION) throw invalidPayload(`Send version ${QR_VERSION}.`);
  if (data.a !== userUuid) throw invalidPayload('Name your own account.');
  if (Math.abs(clock.nowMs() - data.t) > QR_VALID_MS) throw new AppError('qr_time_out_of_range');
  if (data.i !== undefined) await requireRedeemable(db, userId, data.i);
  const signature = qrKeys.signText(text);
  invariant(qrKeys.verifyText(text, signature), 'a new signature is valid');
  return signature;
}
