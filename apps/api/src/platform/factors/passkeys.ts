/**
 * Passkeys (WebAuthn). User verification is required, so a passkey proves both possession and identity and counts as two factors.
 * No attestation is requested: every model of authenticator is accepted, and none is disclosed.
 */
import { isIP } from 'node:net';
import { dateOf, type Clock } from '../clock.ts';
import type { Db } from '../database/database.ts';
import { insertChallenge, takeChallenge } from './challenges.sql.ts';

/** Enough time to find the phone or the security key that holds the passkey. */
const CHALLENGE_LIFETIME_MS = 5 * 60 * 1000;

/** EdDSA, ES256 and RS256 as COSE numbers. Every authenticator supports at least one of them. */
const ALGORITHMS = [-8, -7, -257];

/** Loaded at first use. Its attestation parsers cost 115 ms and 26 MB, which a process without passkeys need not pay. */
const webAuthn = () => import('@simplewebauthn/server');

/** The site that passkeys belong to. */
export interface RelyingParty {
  /** The host name of the site's own origin. */
  readonly id: string;
  /** Where passkeys may be made and used: the site's own origin and those of its packaged apps. */
  readonly origins: readonly string[];
  /** Shown by the authenticator. */
  readonly name: string;
}

/** Returns `undefined` for an address whose host is an IP address, which cannot have passkeys. */
export function relyingPartyOf(url: string, name: string): RelyingParty | undefined {
  const { hostname, origin } = new URL(url);
  const isAddress = isIP(hostname) !== 0 || hostname.startsWith('[');
  return isAddress ? undefined : { id: hostname, origins: [origin], name };
}

/** The stored data of a passkey. */
export interface Passkey {
  readonly credentialId: string;
  readonly publicKey: Buffer;
  /** The authenticator's signature counter; 0 if it does not count. */
  readonly signCount: number;
  /** How browsers can reach the authenticator. */
  readonly transports: readonly string[];
}

/** The cause is for the log. Callers learn only that the response was refused. */
type Refusal = { readonly outcome: 'refused'; readonly cause: unknown };

interface PasskeyOwner {
  /** Identifies the owner to the authenticator. Random, because an authenticator may disclose it. */
  readonly handle: Buffer;
  /** Both are shown when the authenticator asks which passkey to use. */
  readonly address: string;
  readonly name: string;
}

/** The site where passkeys are created and used. */
export interface PasskeySite {
  readonly db: Db;
  readonly clock: Clock;
  readonly party: RelyingParty;
}

type KnownPasskey = Pick<Passkey, 'credentialId' | 'transports'>;

const descriptor = ({ credentialId, transports }: KnownPasskey) => ({
  id: credentialId,
  type: 'public-key' as const,
  transports: [...transports],
});

async function makeChallenge({ db, clock }: PasskeySite, purpose: string): Promise<string> {
  const expiresAt = new Date(clock.nowMs() + CHALLENGE_LIFETIME_MS);
  return (await insertChallenge(db, { purpose, expiresAt })).toString('base64url');
}

/** Options of `navigator.credentials.create` as JSON. `known` are the owner's passkeys, so that no authenticator creates a second one. */
export const passkeyMakeOptions = async (
  site: PasskeySite,
  purpose: string,
  { handle, address, name }: PasskeyOwner,
  known: readonly KnownPasskey[],
) => ({
  rp: { id: site.party.id, name: site.party.name },
  user: { id: handle.toString('base64url'), name: address, displayName: name },
  challenge: await makeChallenge(site, purpose),
  pubKeyCredParams: ALGORITHMS.map((alg) => ({ type: 'public-key' as const, alg })),
  timeout: CHALLENGE_LIFETIME_MS,
  excludeCredentials: known.map(descriptor),
  // Discoverable, so that nobody has to type an address to sign in.
  authenticatorSelection: {
    residentKey: 'required' as const,
    requireResidentKey: true as const,
    userVerification: 'required' as const,
  },
  attestation: 'none' as const,
});

/** Options of `navigator.credentials.get` as JSON. Without `allowed`, any passkey of this site may answer. */
export const passkeyUseOptions = async (
  site: PasskeySite,
  purpose: string,
  allowed?: readonly KnownPasskey[],
) => ({
  rpId: site.party.id,
  challenge: await makeChallenge(site, purpose),
  timeout: CHALLENGE_LIFETIME_MS,
  userVerification: 'required' as const,
  ...(allowed === undefined ? {} : { allowCredentials: allowed.map(descriptor) }),
});

interface Credential {
  readonly id: string;
  readonly rawId: string;
  readonly type: 'public-key';
}

/** The result of `navigator.credentials.create` as JSON. */
interface MadeCredential extends Credential {
  readonly response: {
    readonly clientDataJSON: string;
    readonly attestationObject: string;
    readonly transports?: readonly string[] | undefined;
  };
}

/** The result of `navigator.credentials.get` as JSON. */
interface UsedCredential extends Credential {
  readonly response: {
    readonly clientDataJSON: string;
    readonly authenticatorData: string;
    readonly signature: string;
  };
}

/** The challenge that a response claims to answer. The signature proves it later. */
function challengeOf({ clientDataJSON }: { readonly clientDataJSON: string }): unknown {
  try {
    return Object(JSON.parse(Buffer.from(clientDataJSON, 'base64url').toString())).challenge;
  } catch {
    return undefined;
  }
}

const refused = (cause: unknown): Refusal => ({ outcome: 'refused', cause });

/**
 * Uses up the challenge of a response. Runs outside the caller's transaction, because a refusal would roll that back and the
 * challenge could be tried again. Returns `undefined` if the challenge is unknown, expired, used, or was issued for another purpose.
 */
async function takeExpected(
  { db, clock, party }: PasskeySite,
  purpose: string,
  response: { readonly clientDataJSON: string },
) {
  const challenge = challengeOf(response);
  if (typeof challenge !== 'string') return undefined;
  const isTaken = await takeChallenge(db, challenge, { purpose, now: dateOf(clock) });
  if (!isTaken) return undefined;
  return {
    expectedChallenge: challenge,
    expectedOrigin: [...party.origins],
    expectedRPID: party.id,
    requireUserVerification: true,
  };
}

/** Verifies a new passkey and uses up its challenge. */
export async function judgeMadePasskey(
  site: PasskeySite,
  purpose: string,
  { response, ...credential }: MadeCredential,
): Promise<({ readonly outcome: 'made' } & Passkey) | Refusal> {
  const { verifyRegistrationResponse } = await webAuthn();
  const expected = await takeExpected(site, purpose, response);
  if (expected === undefined) return refused('challenge');
  try {
    const { verified, registrationInfo } = await verifyRegistrationResponse({
      ...expected,
      response: {
        ...credential,
        response: { ...response, transports: [...(response.transports ?? [])] },
        clientExtensionResults: {},
      },
      supportedAlgorithmIDs: ALGORITHMS,
    });
    if (!verified) return refused('attestation');
    const { id, publicKey, counter, transports = [] } = registrationInfo.credential;
    return {
      outcome: 'made',
      credentialId: id,
      publicKey: Buffer.from(publicKey),
      signCount: counter,
      transports,
    };
  } catch (cause) {
    return refused(cause);
  }
}

/** Verifies a signature of a known passkey and uses up its challenge. The caller stores the new count. */
export async function judgeUsedPasskey(
  site: PasskeySite,
  purpose: string,
  { response, ...credential }: UsedCredential,
  { credentialId, publicKey, signCount, transports }: Passkey,
): Promise<{ readonly outcome: 'used'; readonly signCount: number } | Refusal> {
  const { verifyAuthenticationResponse } = await webAuthn();
  const expected = await takeExpected(site, purpose, response);
  if (expected === undefined) return refused('challenge');
  try {
    const { verified, authenticationInfo } = await verifyAuthenticationResponse({
      ...expected,
      response: { ...credential, response, clientExtensionResults: {} },
      credential: {
        id: credentialId,
        publicKey: Uint8Array.from(publicKey),
        counter: signCount,
        transports: [...transports],
      },
    });
    return verified
      ? { outcome: 'used', signCount: authenticationInfo.newCounter }
      : refused('signature');
  } catch (cause) {
    return refused(cause);
  }
}
