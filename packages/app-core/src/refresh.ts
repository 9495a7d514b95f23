/** Refreshing and revoking the token (spec 4, D-061). */
import type { Client } from '@athos/client/client';
import { ApiError, isTemporary } from '@athos/client/errors';
import { log } from './log.ts';
import { isNetworkLost } from './network.ts';
import type { SessionStore } from './session.ts';

/** The app's session and the client that sends its token. */
export interface TokenUse {
  readonly session: Pick<SessionStore<never>, 'token' | 'claims' | 'begin' | 'end'>;
  readonly client: Pick<Client<'refreshJwt' | 'logout'>, 'call' | 'serverNowMs'>;
}

const PAUSE_FIRST_MS = 1000;
const PAUSE_MAX_MS = 30_000;

/** Resolves early when the network is back. */
const pause = (ms: number): Promise<void> =>
  new Promise((resolve) => {
    const end = (): void => {
      clearTimeout(timer);
      unsubscribe();
      resolve();
    };
    const timer = setTimeout(end, ms);
    const unsubscribe = isNetworkLost.subscribe(() => {
      if (!isNetworkLost.get()) end();
    });
  });

/** Only these errors mean that the server refused the token (S4-004). */
const isRefusal = (error: unknown): boolean =>
  error instanceof ApiError && [400, 401, 403].includes(error.status);

/**
 * Retries until the server accepts or refuses the token, and ends the session if it refuses. The pauses between other
 * failures grow; `onDelay` is called before each one.
 */
export async function refreshToken(
  { session, client }: TokenUse,
  onDelay?: () => void,
): Promise<void> {
  for (let attempt = 0; ; attempt += 1) {
    const token = session.token();
    if (token === undefined) return session.end('refused');
    try {
      const fresh = await client.call('refreshJwt', { query: { token } });
      // Otherwise the user signed out, or signed in as someone else, during the request.
      if (session.token() === token) session.begin(fresh);
      return;
    } catch (error) {
      if (isRefusal(error)) {
        const current = session.token();
        if (current === token || current === undefined) session.end('refused');
        return;
      }
      if (!isTemporary(error)) log('refresh_failed', { error: String(error) });
      onDelay?.();
    }
    await pause(Math.min(PAUSE_MAX_MS, PAUSE_FIRST_MS * 2 ** attempt));
  }
}

/** Revokes the token without waiting for the server, which may be unreachable. After `away` the user's tickets stay. */
export function revokeToken({ client }: Pick<TokenUse, 'client'>, reason?: 'away'): void {
  client.call('logout', reason && { query: { reason } }).catch((error: unknown) => {
    log('logout_failed', { error: error instanceof Error ? error.name : typeof error });
  });
}
