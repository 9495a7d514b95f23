/** Parses and verifies scanned codes, and computes how long they are valid. */
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
import { TICKET_CODE_START } from '@athos/domain/ticket-code';
import { isUuid } from '@athos/domain/uuid';
import { AppError } from '../../platform/errors.ts';
import type { SigningKeys } from '../../platform/keys/signing-keys.ts';
import { readTicketCode } from './offline/read-ticket-code.ts';

/** The ticket in a ticket code. From its number and bytes, the server knows whose it is and whether it has ended. */
export interface ReadTicket {
  readonly number: number;
  readonly bytes: Buffer;
  readonly validFromMs: number;
  readonly validUntilMs: number;
}

/** A code signed by one of our keys. */
export interface ReadCode {
  readonly kind: QrKind;
  /** The first group of the holder's uuid: enough to compare with the holder's phone, too little to send to. */
  readonly shortUuid: string;
  /** Null in a ticket code, which names the holder by its ticket. */
  readonly holderUuid: string | null;
  readonly ticket: ReadTicket | null;
  readonly issuedAtMs: number;
  /** In the order of the code; empty unless it is a purchase code. */
  readonly itemIds: readonly number[];
  /** The hash of the text without its signature: the same content signed with another key is the same code. */
  readonly hash: Buffer;
}

const SHORT_UUID_LENGTH = 8;

/** Buffer accepts non-canonical base64url, which our signatures never contain; a second spelling would be a second code. */
const isSpelledAsOurs = (signature: string): boolean =>
  Buffer.from(signature, 'base64url').toString('base64url') === signature;

/**
 * Reads a scanned text (D-067, D-073). It must match the text that the wallet shows byte for byte: with two texts for one code,
 * the second could be scanned although the first was claimed. Throws `unreadable_code` and `invalid_signature`.
 */
export const readCode = (keys: SigningKeys, payload: string): ReadCode =>
  payload.startsWith(TICKET_CODE_START)
    ? readTicketCode(keys, payload)
    : readSignedCode(keys, payload);

function readSignedCode(keys: SigningKeys, payload: string): ReadCode {
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
  const shortUuid = holderUuid.slice(0, SHORT_UUID_LENGTH);
  return { kind: code.t, shortUuid, holderUuid, ticket: null, issuedAtMs, itemIds, hash };
}

/** The time until which the items of a code that was scanned in time can be redeemed. */
export const redeemUntilMs = (code: ReadCode): number => code.issuedAtMs + QR_REDEEMABLE_MS;

export const isFromFuture = ({ issuedAtMs, ticket }: ReadCode, nowMs: number): boolean =>
  Math.max(issuedAtMs, ticket?.validFromMs ?? 0) - nowMs > QR_VALID_MS;

/** Whether the ticket of the code had expired when the code was shown. */
export const isPastTicket = ({ issuedAtMs, ticket }: ReadCode): boolean =>
  ticket !== null && issuedAtMs > ticket.validUntilMs;

/** Whether a code may still be scanned for the first time. */
export const isInTime = (code: ReadCode, nowMs: number): boolean =>
  nowMs - code.issuedAtMs <= QR_VALID_MS;
