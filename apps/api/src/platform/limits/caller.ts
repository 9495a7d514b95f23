import type { FastifyRequest } from 'fastify';
import { networkPlace } from './network-address.ts';

/** The caller's groups, widest first, and then the caller itself. Fair shares are based on it. */
export type Caller = readonly [string, ...string[]];

export const userCaller = (userId: bigint): Caller => [`user ${userId}`];

const IPV6_PLACE = /^([^:]+:[^:]+:[^:]+):[^:]+::\/64$/;

/** The caller for a network place. IPv6 places are grouped by /48, because one site may own all 65,536 networks in it. */
export function networkCaller(address: string): Caller {
  const place = networkPlace(address);
  const site = IPV6_PLACE.exec(place)?.[1];
  return site === undefined ? [place] : [`${site}::/48`, place];
}

/**
 * The widest group of a network place, for limits that the owner of neighbouring networks must not multiply: with a third of the
 * connections for each /64, three of them could take all connections.
 */
export const networkSite = (address: string): string => networkCaller(address)[0];

/** The user, or the network place of a caller who is not signed in. */
export const callerOf = ({ signedInUser, ip }: FastifyRequest): Caller =>
  signedInUser === undefined ? networkCaller(ip) : userCaller(signedInUser.userId);
