import type { Server } from 'node:http';
import { BlockList, isIPv6 } from 'node:net';
import { networkSite } from '../limits/caller.ts';
import { InProgress } from '../limits/in-progress.ts';

interface ConnectionLimits {
  readonly ofPlaceMax: number;
  readonly trustedProxies: readonly string[];
}

function networksOf(addresses: readonly string[]): BlockList {
  const networks = new BlockList();
  for (const text of addresses) {
    const [address = '', prefix] = text.split('/');
    const family = isIPv6(address) ? 'ipv6' : 'ipv4';
    if (prefix === undefined) networks.addAddress(address, family);
    else networks.addSubnet(address, parseInt(prefix, 10), family);
  }
  return networks;
}

/**
 * Closes a new connection of a network place that has too many, so that one place cannot take all of a process's connections.
 * Those of trusted proxies carry the requests of many places, which platform/limits/crowd-limit.ts counts instead.
 */
export function limitConnections(server: Server, limits: ConnectionLimits): void {
  const proxies = networksOf(limits.trustedProxies);
  const open = new InProgress<string>();

  server.on('connection', (socket) => {
    const address = socket.remoteAddress;
    if (address === undefined || proxies.check(address, isIPv6(address) ? 'ipv6' : 'ipv4')) return;
    const site = networkSite(address);
    if (open.begin(site, limits.ofPlaceMax)) socket.once('close', () => open.end(site));
    else socket.destroy();
  });
}
