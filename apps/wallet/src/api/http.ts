/** The app's one client instance. Everything under `src/api` calls through it. */
import { createClient } from '@athos/client/client';
import { API_PREFIX } from '@athos/contract/call';
import { walletRoutes } from '@athos/contract/gen/wallet-routes';
import { readDeviceId } from '../state/device-id.ts';
import { log } from '../state/log.ts';
import { isNetworkLost } from '../state/network.ts';
import { session } from '../state/session.ts';
import { apiOrigin } from '../state/settings.ts';

export const client = createClient(walletRoutes, {
  prefixUrl: (apiOrigin() || location.origin) + API_PREFIX,
  token: session.token,
  deviceId: readDeviceId,
  onNetworkLost: () => isNetworkLost.set(true),
  onNetworkBack: () => isNetworkLost.set(false),
  onUnauthorized: session.dropToken,
  log,
});
