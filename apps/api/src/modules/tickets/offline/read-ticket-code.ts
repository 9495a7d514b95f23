/**
 * Reads a ticket code (decision 0059): the server's signature covers the content of the ticket, the phone's signature the time and the
 * items that it shows.
 */
import { createHash, verify } from 'node:crypto';
import {
  parseTicketCode,
  showingToSign,
  shownItemIds,
  ticketItemIds,
  ticketToSign,
  type TicketCode,
} from '@athos/domain/ticket-code';
import { AppError } from '../../../platform/errors.ts';
import type { SigningKeys } from '../../../platform/keys/signing-keys.ts';
import type { ReadCode } from '../read-code.ts';
import { phoneKey } from './phone-key.ts';

const HOUR_MS = 60 * 60_000;
const SIGNATURE_LENGTH = 64;

const sha256 = (bytes: Uint8Array): Buffer => createHash('sha256').update(bytes).digest();

/** The first byte of a key's id, with which a ticket refers to the key that signed it. */
export const keyByteOf = (kid: string): number => Buffer.from(kid, 'base64url')[0] ?? 0;

function isOurTicket(keys: SigningKeys, { content, ticket }: TicketCode): boolean {
  const body = ticket.slice(0, -SIGNATURE_LENGTH);
  const signature = ticket.slice(-SIGNATURE_LENGTH);
  // Two keys may have the same first byte.
  return [...keys.publicKeys].some(
    ([kid, key]) =>
      keyByteOf(kid) === content.keyByte && verify(null, ticketToSign(body), key, signature),
  );
}

/** Throws `unreadable_code` and `invalid_signature`. */
export function readTicketCode(keys: SigningKeys, payload: string): ReadCode {
  const code = parseTicketCode(payload);
  if (code === undefined) throw new AppError('unreadable_code');
  const { content, ticket, showingSignature } = code;
  if (!isOurTicket(keys, code)) throw new AppError('invalid_signature');
  const key = phoneKey(content.phoneKey);
  // The bytes are copied, because the signed text must not share memory with the parser.
  const shown = showingToSign(Uint8Array.from(sha256(ticket)), code, ticketItemIds(content).length);
  const isPhones =
    key !== undefined &&
    verify('sha256', shown, { key, dsaEncoding: 'ieee-p1363' }, showingSignature);
  if (!isPhones) throw new AppError('invalid_signature');
  const validFromMs = content.validFromS * 1000;
  return {
    kind: 'purchase',
    shortUuid: content.holder,
    holderUuid: null,
    ticket: {
      number: content.number,
      bytes: Buffer.from(ticket),
      validFromMs,
      validUntilMs: validFromMs + content.validHours * HOUR_MS,
    },
    issuedAtMs: code.timeS * 1000,
    itemIds: shownItemIds(code),
    // The signature is not hashed: ECDSA has two valid signatures for each content.
    hash: sha256(shown),
  };
}
