import { isNetworkLost } from '../state/network.ts';
import { apiOrigin } from '../state/settings.ts';

/** Asks whether the server is there, and clears the network-lost flag if it is. Outside `/api`, so without the client. */
export async function askHealth(): Promise<boolean> {
  try {
    const response = await fetch(`${apiOrigin()}/healthz`, { cache: 'no-store' });
    if (response.ok) isNetworkLost.set(false);
    return response.ok;
  } catch {
    // Still lost; it is asked again in a moment.
    return false;
  }
}
