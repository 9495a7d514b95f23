import { brand } from '@athos/brand/brand';
import { AppError } from '../../../platform/errors.ts';
import { relyingPartyOf, type PasskeySite } from '../../../platform/factors/passkeys.ts';
import type { AuthDeps } from '../identity-deps.ts';

/** The demo's address is an IP address, which cannot have passkeys; its host name can. */
const nameOf = (publicUrl: string): string => publicUrl.replace('//127.0.0.1', '//localhost');

/** Returns a function for the site of the wallet's passkeys, which throws `not_found` if the wallet has no host name. */
export function passkeySite({
  clock,
  config,
  db,
}: Pick<AuthDeps, 'clock' | 'config' | 'db'>): () => PasskeySite {
  const party = relyingPartyOf(nameOf(config.publicUrl), brand.programmeName);
  return () => {
    if (party !== undefined) return { db, clock, party };
    const detail = 'Passkeys need a host name: open the wallet by its name, not by an IP address.';
    throw new AppError('not_found', { detail });
  };
}
