/** A key that belongs to this device alone: no script can export its private part. The server knows its public part. */
import { fromBase64url, toBase64url } from '@athos/domain/base64url';
import { compressPoint } from '@athos/domain/p256';

const ALGORITHM = { name: 'ECDSA', namedCurve: 'P-256' } as const;
const SIGNATURE = { name: 'ECDSA', hash: 'SHA-256' } as const;

export const makeDeviceKey = (): Promise<CryptoKeyPair> =>
  crypto.subtle.generateKey(ALGORITHM, false, ['sign', 'verify']);

/** Base64url of the compressed point. */
export async function publicKeyText({ publicKey }: CryptoKeyPair): Promise<string> {
  const point = new Uint8Array(await crypto.subtle.exportKey('raw', publicKey));
  return toBase64url(compressPoint(point));
}

export const signBytes = async (
  { privateKey }: CryptoKeyPair,
  bytes: Uint8Array<ArrayBuffer>,
): Promise<Uint8Array<ArrayBuffer>> =>
  new Uint8Array(await crypto.subtle.sign(SIGNATURE, privateKey, bytes));

/** Base64url of the key's signature over a text. */
export const proofOf = async (key: CryptoKeyPair, text: string): Promise<string> =>
  toBase64url(await signBytes(key, new TextEncoder().encode(text)));

/** The id of the session, to which the server compares a proof. */
export function sessionIdOf(token: string | undefined): string {
  const payload = token?.split('.')[1] ?? '';
  const { sid } = JSON.parse(new TextDecoder().decode(fromBase64url(payload))) as { sid?: string };
  return sid ?? '';
}
