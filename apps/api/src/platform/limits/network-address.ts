import { BlockList, isIPv4, isIPv6 } from 'node:net';

/** An IPv4-mapped IPv6 address, as dual-stack sockets report it. */
const MAPPED_IPV4 = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i;

/** The 8 groups of an IPv6 address, without leading zeros. */
function ipv6Groups(address: string): string[] {
  // The URL parser normalizes every spelling of an address (RFC 5952).
  const canonical = new URL(`http://[${address.split('%')[0] ?? ''}]`).hostname.slice(1, -1);
  const [head = '', tail] = canonical.split('::');
  const before = head === '' ? [] : head.split(':');
  const after = tail === undefined || tail === '' ? [] : tail.split(':');
  return [...before, ...Array<string>(8 - before.length - after.length).fill('0'), ...after];
}

/**
 * The network place for which limits count: an IPv4 address, or the /64 network of an IPv6 address, which usually belongs to
 * one household. Everything else, such as a local socket, counts as one place.
 */
export function networkPlace(address: string): string {
  const ipv4 = MAPPED_IPV4.exec(address)?.[1] ?? address;
  if (isIPv4(ipv4)) return ipv4;
  if (isIPv6(address)) return `${ipv6Groups(address).slice(0, 4).join(':')}::/64`;
  return 'unknown';
}

/** Whether an address is in the list of addresses and networks such as `10.1.0.0/16`. */
export function createNetworkCheck(networks: readonly string[]): (address: string) => boolean {
  const list = new BlockList();
  for (const text of networks) {
    const [address = '', prefix] = text.split('/');
    const family = isIPv6(address) ? 'ipv6' : 'ipv4';
    if (prefix === undefined) list.addAddress(address, family);
    else list.addSubnet(address, parseInt(prefix, 10), family);
  }
  return (address) => list.check(address, isIPv6(address) ? 'ipv6' : 'ipv4');
}
