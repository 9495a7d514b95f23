import type { FastifyInstance } from 'fastify';
import { API_PREFIX } from '@athos/contract/call';
import { CONSOLE_PREFIX } from '@athos/contract/console/console-call';
import { AppError } from '../errors.ts';
import { CONSOLE_PATH } from '../http/web-apps.ts';
import { createNetworkCheck } from '../limits/network-address.ts';

/** Refuses pages and calls of the console from outside these networks. An empty list allows every network. */
export function registerConsoleNetworks(app: FastifyInstance, networks: readonly string[]): void {
  if (networks.length === 0) return;
  const isAllowed = createNetworkCheck(networks);
  app.addHook('onRequest', (request, _reply, done) => {
    // The route's pattern is compared, because a path can be spelled in many ways.
    const { url = '' } = request.routeOptions;
    const isConsole =
      url === CONSOLE_PATH ||
      url.startsWith(`${CONSOLE_PATH}/`) ||
      url.startsWith(`${API_PREFIX}${CONSOLE_PREFIX}/`);
    done(isConsole && !isAllowed(request.ip) ? new AppError('network_not_allowed') : undefined);
  });
}
