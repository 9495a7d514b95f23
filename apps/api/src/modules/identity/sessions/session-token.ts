import { SignJWT, decodeProtectedHeader, jwtVerify } from 'jose';
import { brand } from '@athos/brand/brand';
import { dateOf, type Clock } from '../../../platform/clock.ts';
import { AppError } from '../../../platform/errors.ts';
import type { SigningKeys } from '../../../platform/keys/signing-keys.ts';

/** The lifetime of a token (D-059). */
export const TOKEN_LIFETIME_SECONDS = 24 * 60 * 60;
const TOKEN_ISSUER = `${brand.productSlug}-wallet`;

export interface TokenClaims {
  readonly userUuid: string;
  readonly sessionId: string;
  readonly expiresAtMs: number;
}

/** Signs an EdDSA JWT that contains the user and the session and nothing else. */
export function signToken(
  { keys, clock }: { readonly keys: SigningKeys; readonly clock: Clock },
  userUuid: string,
  sessionId: string,
): Promise<string> {
  const issuedAt = Math.floor(clock.nowMs() / 1000);
  return new SignJWT({ sid: sessionId })
    .setProtectedHeader({ alg: 'EdDSA', kid: keys.current.kid, typ: 'JWT' })
    .setIssuer(TOKEN_ISSUER)
    .setSubject(userUuid)
    .setIssuedAt(issuedAt)
    .setExpirationTime(issuedAt + TOKEN_LIFETIME_SECONDS)
    .sign(keys.current.privateKey);
}

/** Throws `session_ended` for an expired token of ours, `unauthenticated` for any other invalid one. */
export async function verifyToken(
  { keys, clock }: { readonly keys: SigningKeys; readonly clock: Clock },
  token: string,
): Promise<TokenClaims> {
  try {
    const key = keys.publicKeys.get(decodeProtectedHeader(token).kid ?? '');
    if (key === undefined) throw new AppError('unauthenticated');
    const { payload } = await jwtVerify(token, key, {
      algorithms: ['EdDSA'],
      issuer: TOKEN_ISSUER,
      currentDate: dateOf(clock),
      requiredClaims: ['exp', 'sub', 'sid'],
    });
    return {
      userUuid: String(payload.sub),
      sessionId: String(payload['sid']),
      expiresAtMs: (payload.exp ?? 0) * 1000,
    };
  } catch (error) {
    const hasExpired =
      error instanceof Error && 'code' in error && error.code === 'ERR_JWT_EXPIRED';
    throw new AppError(hasExpired ? 'session_ended' : 'unauthenticated', { cause: error });
  }
}
