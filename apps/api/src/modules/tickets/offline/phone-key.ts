import { createPublicKey, ECDH, type KeyObject } from 'node:crypto';

/** The key of a compressed point of secp256r1; `undefined` if the bytes are no such point. */
export function phoneKey(compressed: Uint8Array): KeyObject | undefined {
  try {
    const point = ECDH.convertKey(compressed, 'prime256v1', undefined, undefined, 'uncompressed');
    // Without an encoding, the result is a buffer: the byte 4 and two coordinates of 32 bytes.
    const bytes = Buffer.from(point);
    const x = bytes.subarray(1, 33).toString('base64url');
    const y = bytes.subarray(33).toString('base64url');
    return createPublicKey({ key: { kty: 'EC', crv: 'P-256', x, y }, format: 'jwk' });
  } catch {
    // OpenSSL throws a different error for each kind of invalid point.
    return undefined;
  }
}
