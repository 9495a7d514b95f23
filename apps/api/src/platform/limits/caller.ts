import type { FastifyRequest } from 'fastify';
import { networkPlace } from './network-address.ts';

/** Who asks, for fair shares: the caller's groups and then the caller, the widest group first. */
export type Caller = readonly [string, ...string[]];

export const userCaller = (userId: bigint): Caller => [`user ${userId}`];

const IPV6_PLACE = /^([^:]+:[^:]+:[^:]+):[^:]+::\/64$/;

/** A network place. Those of IPv6 are grouped by /48, because one site may own all 65,536 of them. */
export function networkCaller(address: string): Caller {
  const place = networkPlace(address);
  const site = IPV6_PLACE.exec(place)?.[1];
  return site === undefined ? [place] : [`${site}::/48`, place];
}

/**
 * The widest group of a network place, for limits that a neighbouring network of the same owner must not multiply: a third of the
 * connections for each /64 is all of them for three.
 */
export const networkSite = (address: string): string => networkCaller(address)[0];

/** The user, or the network place of somebody who is not signed in. */
export const callerOf = ({ signedInUser, ip }: FastifyRequest): Caller =>
  signedInUser === undefined ? networkCaller(ip) : userCaller(signedInUser.userId);
