/** A software authenticator. It creates ES256 passkeys without attestation and signs with them, honestly or in a way that must be refused. */
import { createHash, generateKeyPairSync, randomBytes, sign, type KeyObject } from 'node:crypto';

type Cbor = number | string | Buffer | Map<number | string, Cbor>;

/** The part of CBOR (RFC 8949) that an attestation object needs. */
function cbor(value: Cbor): Buffer {
  const head = (major: number, count: number): Buffer => {
    if (count < 24) return Buffer.from([(major << 5) | count]);
    if (count < 256) return Buffer.from([(major << 5) | 24, count]);
    return Buffer.from([(major << 5) | 25, count >> 8, count & 255]);
  };
  if (typeof value === 'number') return value < 0 ? head(1, -1 - value) : head(0, value);
  if (typeof value === 'string') {
    return Buffer.concat([head(3, Buffer.byteLength(value)), Buffer.from(value)]);
  }
  if (Buffer.isBuffer(value)) return Buffer.concat([head(2, value.length), value]);
  const entries = [...value].flatMap(([key, item]) => [cbor(key), cbor(item)]);
  return Buffer.concat([head(5, value.size), ...entries]);
}

const sha256 = (text: string | Buffer): Buffer => createHash('sha256').update(text).digest();

const USER_PRESENT = 1;
const USER_VERIFIED = 4;
const HAS_CREDENTIAL = 64;

/** How a response differs from an honest one. */
export interface Forgery {
  readonly origin?: string;
  readonly rpId?: string;
  readonly challenge?: string;
  readonly type?: string;
  readonly isUserVerified?: boolean;
  readonly signCount?: number;
  readonly isSignatureTampered?: boolean;
}

interface CreationOptions {
  readonly challenge: string;
  readonly user: { readonly id: string };
}

export class SoftwareAuthenticator {
  readonly credentialId = randomBytes(32);
  readonly #site: { readonly origin: string; readonly rpId: string };
  readonly #keys: { readonly publicKey: KeyObject; readonly privateKey: KeyObject };
  #signCount = 0;
  #userHandle = '';

  /** `url` is the address of the page that the person looks at. */
  constructor(url: string) {
    const { origin, hostname } = new URL(url);
    this.#site = { origin, rpId: hostname };
    this.#keys = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  }

  /** Answers what `navigator.credentials.create` would, as JSON. */
  create(options: CreationOptions, forgery: Forgery = {}) {
    this.#userHandle = options.user.id;
    const clientData = this.#clientData('webauthn.create', options.challenge, forgery);
    const { x = '', y = '' } = this.#keys.publicKey.export({ format: 'jwk' });
    const key = new Map<number, Cbor>([
      [1, 2],
      [3, -7],
      [-1, 1],
      [-2, Buffer.from(x, 'base64url')],
      [-3, Buffer.from(y, 'base64url')],
    ]);
    const { length } = this.credentialId;
    const credential = Buffer.concat([
      Buffer.alloc(16),
      Buffer.from([length >> 8, length & 255]),
      this.credentialId,
      cbor(key),
    ]);
    const attestation = new Map<string, Cbor>([
      ['fmt', 'none'],
      ['attStmt', new Map()],
      ['authData', Buffer.concat([this.#data(HAS_CREDENTIAL, forgery), credential])],
    ]);
    return {
      ...this.#envelope(),
      response: {
        clientDataJSON: clientData.toString('base64url'),
        attestationObject: cbor(attestation).toString('base64url'),
        transports: ['internal'],
      },
    };
  }

  /** Answers what `navigator.credentials.get` would, as JSON. */
  get(options: { readonly challenge: string }, forgery: Forgery = {}) {
    this.#signCount = forgery.signCount ?? this.#signCount + 1;
    const clientData = this.#clientData('webauthn.get', options.challenge, forgery);
    const data = this.#data(0, forgery);
    const signature = sign(
      'sha256',
      Buffer.concat([data, sha256(clientData)]),
      this.#keys.privateKey,
    );
    // The last byte is part of the number s, so the signature stays well-formed.
    if (forgery.isSignatureTampered === true) {
      signature.writeUInt8(signature.readUInt8(signature.length - 1) ^ 1, signature.length - 1);
    }
    return {
      ...this.#envelope(),
      response: {
        clientDataJSON: clientData.toString('base64url'),
        authenticatorData: data.toString('base64url'),
        signature: signature.toString('base64url'),
        userHandle: this.#userHandle,
      },
    };
  }

  #envelope() {
    const id = this.credentialId.toString('base64url');
    return { id, rawId: id, type: 'public-key' as const, clientExtensionResults: {} };
  }

  #clientData(type: string, challenge: string, forgery: Forgery): Buffer {
    const said = { type, challenge, origin: this.#site.origin, crossOrigin: false };
    const { origin = said.origin, challenge: other = challenge, type: otherType = type } = forgery;
    return Buffer.from(JSON.stringify({ ...said, origin, challenge: other, type: otherType }));
  }

  #data(flags: number, { rpId = this.#site.rpId, isUserVerified = true }: Forgery): Buffer {
    const count = Buffer.alloc(4);
    count.writeUInt32BE(this.#signCount);
    const verified = isUserVerified ? USER_VERIFIED : 0;
    return Buffer.concat([sha256(rpId), Buffer.from([flags | USER_PRESENT | verified]), count]);
  }
}
