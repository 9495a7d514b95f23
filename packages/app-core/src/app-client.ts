import { createClient, type Client, type ClientOptions } from '@athos/client/client';
import type { CallName } from '@athos/contract/api';
import { abandonRetries } from '@athos/client/abandoned-retries';
import { API_PREFIX } from '@athos/contract/call';
import { log } from './log.ts';
import { readDeviceId } from './device-id.ts';
import { isNetworkLost } from './network.ts';
import type { SessionStore } from './session.ts';

interface AppClientOptions {
  readonly session: Pick<SessionStore<never>, 'token' | 'dropToken' | 'subscribe'>;
  /** Origin of the API. On the web this is the page's own origin. */
  readonly origin: string;
  /** The name of the build, for a list of the devices that run it. */
  readonly appVersion?: string | undefined;
  /** Called when the user has to accept the terms in force first. */
  readonly onTermsMissing?: () => void;
  /** Asks the user for a proof that it is them. */
  readonly confirm?: ClientOptions['confirm'];
}

/**
 * Creates an app's only client. It sends the session's token and reports the state of the network and refused tokens.
 */
export const createAppClient = <Names extends CallName>(
  routes: Readonly<Record<Names, string>>,
  { session, origin, appVersion, onTermsMissing, confirm }: AppClientOptions,
): Client<Names> => {
  session.subscribe(abandonRetries);
  return createClient(routes, {
    prefixUrl: origin + API_PREFIX,
    token: session.token,
    deviceId: readDeviceId,
    appVersion,
    onNetworkLost: () => isNetworkLost.set(true),
    onNetworkBack: () => isNetworkLost.set(false),
    onUnauthorized: session.dropToken,
    onTermsMissing,
    confirm,
    log,
  });
};
