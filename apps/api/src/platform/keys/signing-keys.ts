import {
  createHash,
  createPrivateKey,
  createPublicKey,
  sign,
  verify,
  type KeyObject,
} from 'node:crypto';

/** A code is redeemed seconds after its scan, and verifying its signature takes a tenth of the work of either. About 2 MB. */
const VERIFIED_COUNT_MAX = 4_096;

/** The PKCS #8 header of an Ed25519 private key, which precedes the 32-byte seed (RFC 8410). */
const PKCS8_ED25519 = Buffer.from('302e020100300506032b657004220420', 'hex');

export interface PublicJwk {
  kty: 'OKP';
  crv: 'Ed25519';
  x: string;
  kid: string;
  alg: 'EdDSA';
  use: 'sig';
}

export interface SigningKeys {
  /** The key that signs new tokens and codes: the first one, unless `signAsKnownTo` found that other processes do not know it yet. */
  readonly current: { readonly kid: string; readonly privateKey: KeyObject };
  /** All keys by id. A retired key still verifies what it signed. */
  readonly publicKeys: ReadonlyMap<string, KeyObject>;
  readonly jwks: readonly PublicJwk[];
  /**
   * Signs with the first key that every process knows, given the ids of the keys that each other process has. A token signed with a key
   * that another process does not know would sign its user out there. If no key is known to all, the first one signs. Returns whether the
   * first key signs.
   */
  signAsKnownTo(others: readonly (readonly string[])[]): boolean;
  /** Returns the Ed25519 signature of the UTF-8 bytes of `text`, base64url. */
  signText(text: string): string;
  /** Whether any of our keys signed `text`. */
  verifyText(text: string, signature: string): boolean;
}

/**
 * Derives keys from 32-byte Ed25519 seeds. The first one signs; the others only verify, so that keys can be rotated (decision 0049).
 */
export function createSigningKeys(seeds: readonly Buffer[]): SigningKeys {
  const keys = seeds.map((seed) => {
    const privateKey = createPrivateKey({
      key: Buffer.concat([PKCS8_ED25519, seed]),
      format: 'der',
      type: 'pkcs8',
    });
    const publicKey = createPublicKey(privateKey);
    const x = publicKey.export({ format: 'jwk' }).x ?? '';
    // The RFC 7638 thumbprint: members in lexical order.
    const kid = createHash('sha256')
      .update(JSON.stringify({ crv: 'Ed25519', kty: 'OKP', x }))
      .digest('base64url');
    const jwk: PublicJwk = { kty: 'OKP', crv: 'Ed25519', x, kid, alg: 'EdDSA', use: 'sig' };
    return { kid, privateKey, publicKey, jwk };
  });
  const [first] = keys;
  if (first === undefined) throw new RangeError('at least one signing key is needed');
  let current = first;
  /** The signature of each text that was verified last. */
  const verified = new Map<string, string>();
  return {
    get current() {
      return current;
    },
    publicKeys: new Map(keys.map((key) => [key.kid, key.publicKey])),
    jwks: keys.map((key) => key.jwk),
    signAsKnownTo(others) {
      current = keys.find(({ kid }) => others.every((known) => known.includes(kid))) ?? first;
      return current === first;
    },
    signText: (text) => sign(null, Buffer.from(text), current.privateKey).toString('base64url'),
    verifyText(text, signature) {
      if (verified.get(text) === signature) return true;
      const [bytes, signed] = [Buffer.from(text), Buffer.from(signature, 'base64url')];
      if (!keys.some(({ publicKey }) => verify(null, bytes, publicKey, signed))) return false;
      const [oldest] = verified.keys();
      if (oldest !== undefined && verified.size >= VERIFIED_COUNT_MAX) verified.delete(oldest);
      verified.set(text, signature);
      return true;
    },
  };
}
