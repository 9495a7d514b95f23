/** Whether the server can be reached (spec 4). */
import { createValue } from './value.ts';

/** Set when a fetch fails without a response, cleared by any successful one. */
export const isNetworkLost = createValue(false);

/** Interval between health checks while the network is lost. */
const HEALTH_EVERY_MS = 3000;

/**
 * Checks whether the server responds, and clears the flag if it does. The health check is outside `/api`, so it
 * bypasses the client.
 */
export async function askHealth(origin: string): Promise<boolean> {
  try {
    const response = await fetch(`${origin}/healthz`, {
      cache: 'no-store',
      // Checks that never end would occupy every connection to the server.
      signal: AbortSignal.timeout(HEALTH_EVERY_MS),
    });
    if (response.ok) isNetworkLost.set(false);
    return response.ok;
  } catch {
    // Still lost; the next poll checks again.
    return false;
  }
}

/** Polls the server while the network is lost, until the returned function is called. */
export function pollHealth(origin: string): () => void {
  let timer: ReturnType<typeof setInterval> | undefined;
  const follow = (): void => {
    clearInterval(timer);
    if (isNetworkLost.get()) timer = setInterval(() => void askHealth(origin), HEALTH_EVERY_MS);
  };
  const unfollow = isNetworkLost.subscribe(follow);
  follow();
  return () => {
    clearInterval(timer);
    unfollow();
  };
}

/** A browser that reports being offline is right. One that reports being online may be wrong, so only that is checked. */
export function followConnection(origin: string): () => void {
  const handleOffline = (): void => isNetworkLost.set(true);
  const handleOnline = (): void => void askHealth(origin);
  addEventListener('offline', handleOffline);
  addEventListener('online', handleOnline);
  return () => {
    removeEventListener('offline', handleOffline);
    removeEventListener('online', handleOnline);
  };
}
