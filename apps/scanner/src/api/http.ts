/** The app's one client instance. Everything under `src/api` calls through it. */
import { createClient } from '@athos/client/client';
import { API_PREFIX } from '@athos/contract/call';
import { scannerRoutes } from '@athos/contract/gen/scanner-routes';
import { log } from '../state/log.ts';
import { isNetworkLost } from '../state/network.ts';
import { session } from '../state/session.ts';

export const client = createClient(scannerRoutes, {
  prefixUrl: `${location.origin}${API_PREFIX}`,
  token: session.token,
  onNetworkLost: () => isNetworkLost.set(true),
  onNetworkBack: () => isNetworkLost.set(false),
  onUnauthorized: session.dropToken,
  log,
});
