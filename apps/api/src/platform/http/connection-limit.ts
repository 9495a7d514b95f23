import type { Server } from 'node:http';
import { networkSite } from '../limits/caller.ts';
import { InProgress } from '../limits/in-progress.ts';
import { createNetworkCheck } from '../limits/network-address.ts';

interface ConnectionLimits {
  readonly ofPlaceMax: number;
  readonly trustedProxies: readonly string[];
}

/**
 * Closes a new connection of a network place that already has too many, so that one place cannot take all of a process's connections.
 * Connections of trusted proxies carry the requests of many places, which platform/limits/crowd-limit.ts counts instead.
 */
export function limitConnections(server: Server, limits: ConnectionLimits): void {
  const isProxy = createNetworkCheck(limits.trustedProxies);
  const open = new InProgress<string>();

  server.on('connection', (socket) => {
    const address = socket.remoteAddress;
    if (address === undefined || isProxy(address)) return;
    const site = networkSite(address);
    if (open.begin(site, limits.ofPlaceMax)) socket.once('close', () => open.end(site));
    else socket.destroy();
  });
}
