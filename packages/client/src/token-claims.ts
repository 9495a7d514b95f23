/** What the app reads from its own token, unverified: only when to refresh it and whose it is. */
export interface TokenClaims {
  readonly sub: string;
  readonly issuedAtMs: number;
  readonly expiresAtMs: number;
}

/** `undefined` for what is no JWT with these claims. */
export function readClaims(token: string): TokenClaims | undefined {
  try {
    const payload = token.split('.')[1] ?? '';
    const json = atob(payload.replaceAll('-', '+').replaceAll('_', '/'));
    const claims = JSON.parse(json) as { sub?: unknown; iat?: unknown; exp?: unknown };
    const { sub, iat, exp } = claims;
    if (typeof sub !== 'string' || typeof iat !== 'number' || typeof exp !== 'number') return;
    return { sub, issuedAtMs: iat * 1000, expiresAtMs: exp * 1000 };
  } catch {
    return undefined;
  }
}
