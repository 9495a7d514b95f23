import { isNetworkLost } from '../state/network.ts';

/** While the connection is lost, the server is asked this often whether it is there (decision "'failed to fetch'"). */
const HEALTH_EVERY_MS = 3000;

/** Asks whether the server is there, and clears the network-lost flag if it is. Outside `/api`, so without the client. */
async function askHealth(): Promise<void> {
  try {
    const response = await fetch('/healthz', { cache: 'no-store' });
    if (response.ok) isNetworkLost.set(false);
  } catch {
    // Still lost; it is asked again in a moment.
  }
}

/** Watches for the connection's end and return, for as long as the page lives. Returns the function that ends it. */
export function watchNetwork(): () => void {
  let timer: ReturnType<typeof setInterval> | undefined;

  function follow(): void {
    clearInterval(timer);
    timer = isNetworkLost.get() ? setInterval(() => void askHealth(), HEALTH_EVERY_MS) : undefined;
  }
  // The browser's own word is right about being offline, and optimistic about being online.
  const handleOffline = (): void => isNetworkLost.set(true);
  const handleOnline = (): void => void askHealth();

  const unsubscribe = isNetworkLost.subscribe(follow);
  addEventListener('offline', handleOffline);
  addEventListener('online', handleOnline);
  follow();
  return () => {
    clearInterval(timer);
    unsubscribe();
    removeEventListener('offline', handleOffline);
    removeEventListener('online', handleOnline);
  };
}
