/**
 * Verifies the two signatures of a ticket code: the server's over the ticket, and the phone's over the showing, which is its selection and
 * time (decision 0059).
 */
import { fromBase64url } from '@athos/domain/base64url';
import { decompressPoint } from '@athos/domain/p256';
import {
  showingToSign,
  ticketItemIds,
  ticketToSign,
  type TicketCode,
} from '@athos/domain/ticket-code';
import type { Signatures } from '@athos/domain/judge-offline';
import type { KeptPack } from './offline-store.ts';

type Bytes = Uint8Array<ArrayBuffer>;

const SIGNATURE_LENGTH = 64;
const CURVE = { name: 'ECDSA', namedCurve: 'P-256' } as const;
const SIGNATURE = { name: 'ECDSA', hash: 'SHA-256' } as const;

export async function verifyTicketCode(
  code: TicketCode,
  keys: KeptPack['keys'],
): Promise<Signatures> {
  const candidates = keys.filter(({ keyByte }) => keyByte === code.content.keyByte);
  const verdicts = await Promise.all(candidates.map((key) => isOfServer(code.ticket, key)));
  return {
    isTicketGenuine: verdicts.includes(true),
    isShowingGenuine: await isOfPhone(code),
  };
}

const isOfServer = (ticket: Bytes, { publicKey }: { publicKey: string }): Promise<boolean> =>
  verifyEd25519(
    fromBase64url(publicKey),
    ticket.slice(-SIGNATURE_LENGTH),
    ticketToSign(ticket.slice(0, -SIGNATURE_LENGTH)),
  );

/** WebCrypto supports this algorithm since Chrome 137, Firefox 130 and Safari 17. For older browsers, another implementation is loaded. */
async function verifyEd25519(key: Bytes, signature: Bytes, text: Bytes): Promise<boolean> {
  let imported: CryptoKey;
  try {
    imported = await crypto.subtle.importKey('raw', key, 'Ed25519', false, ['verify']);
  } catch {
    const { verifyAsync } = await import('@noble/ed25519');
    return verifyAsync(signature, text, key).catch(() => false);
  }
  return crypto.subtle.verify('Ed25519', imported, signature, text);
}

async function isOfPhone(code: TicketCode): Promise<boolean> {
  const point = decompressPoint(code.content.phoneKey);
  if (point === undefined) return false;
  const key = await crypto.subtle.importKey('raw', point, CURVE, false, ['verify']);
  const ticketHash = new Uint8Array(await crypto.subtle.digest('SHA-256', code.ticket));
  const text = showingToSign(ticketHash, code, ticketItemIds(code.content).length);
  return crypto.subtle.verify(SIGNATURE, key, code.showingSignature, text);
}
