/** Reads what a scanner saw, and says for how long the code is good. */
import { createHash } from 'node:crypto';
import {
  canonicalQrText,
  parseSignedQr,
  QR_ITEMS_MAX,
  QR_REDEEMABLE_MS,
  QR_VALID_MS,
  QR_VERSION,
  signedQrText,
  type QrKind,
} from '@athos/domain/qr-payload';
import { isUuid } from '@athos/domain/uuid';
import { AppError } from '../../platform/errors.ts';
import type { SigningKeys } from '../../platform/keys/signing-keys.ts';

/** A code that one of our keys signed. */
export interface ReadCode {
  readonly kind: QrKind;
  readonly holderUuid: string;
  readonly issuedAtMs: number;
  /** In the order of the code; empty unless it is a purchase code. */
  readonly itemIds: readonly number[];
  /** Hash of the signed text without the signature: the same content signed by another key is the same code. */
  readonly hash: Buffer;
}

/** Buffer accepts spellings of base64url that our signatures never have, and a second spelling would be a second code. */
const isSpelledAsOurs = (signature: string): boolean =>
  Buffer.from(signature, 'base64url').toString('base64url') === signature;

/**
 * Reads a scanned text (D-067, D-073). It must be the text that the wallet shows, to the byte: with two texts for one code,
 * the second could be scanned although the first was claimed. Throws `unreadable_code` and `invalid_signature`.
 */
export function readCode(keys: SigningKeys, payload: string): ReadCode {
  const code = parseSignedQr(payload);
  if (code === undefined || signedQrText(code, code.s) !== payload) {
    throw new AppError('unreadable_code');
  }
  const { a: holderUuid, t: issuedAtMs, v: version, i: itemIds = [] } = code.d;
  const isOurShape =
    isUuid(holderUuid) &&
    version === QR_VERSION &&
    itemIds.length <= QR_ITEMS_MAX &&
    new Set(itemIds).size === itemIds.length;
  if (!isOurShape) throw new AppError('unreadable_code');
  const text = canonicalQrText(code);
  if (!isSpelledAsOurs(code.s) || !keys.verifyText(text, code.s)) {
    throw new AppError('invalid_signature');
  }
  const hash = createHash('sha256').update(text).digest();
  return { kind: code.t, holderUuid, issuedAtMs, itemIds, hash };
}

/** The items of a code that was scanned in time can be redeemed until then. */
export const redeemUntilMs = (code: ReadCode): number => code.issuedAtMs + QR_REDEEMABLE_MS;

export const isFromFuture = (code: ReadCode, nowMs: number): boolean =>
  code.issuedAtMs - nowMs > QR_VALID_MS;

/** Whether a code may still be scanned for the first time. */
export const isInTime = (code: ReadCode, nowMs: number): boolean =>
  nowMs - code.issuedAtMs <= QR_VALID_MS;
