import { brand } from '@athos/brand/brand';
import { AppError } from '../../../platform/errors.ts';
import { relyingPartyOf, type PasskeySite } from '../../../platform/factors/passkeys.ts';
import type { NativeAppSettings } from '../../../platform/http/native-app.ts';
import type { AuthDeps } from '../identity-deps.ts';

/** The demo's address is an IP address, which cannot have passkeys; its host name can. */
const nameOf = (publicUrl: string): string => publicUrl.replace('//127.0.0.1', '//localhost');

/** Android names an app by the hash of the certificate that signed it, not by a site. */
const keyHashOrigin = (fingerprint: string): string =>
  `android:apk-key-hash:${Buffer.from(fingerprint.replaceAll(':', ''), 'hex').toString('base64url')}`;

/**
 * The origins that phones state for the packaged apps. iOS states the site that the app is associated with, which differs from the web's
 * origin if that has a port.
 */
const appOrigins = (id: string, { iosAppId, androidFingerprints }: NativeAppSettings): string[] => [
  ...(iosAppId === undefined ? [] : [`https://${id}`]),
  ...androidFingerprints.map(keyHashOrigin),
];

/** Returns a function for the site of the wallet's passkeys, which throws `not_found` if the wallet has no host name. */
export function passkeySite({
  clock,
  config,
  db,
}: Pick<AuthDeps, 'clock' | 'config' | 'db'>): () => PasskeySite {
  const web = relyingPartyOf(nameOf(config.publicUrl), brand.programmeName);
  const party = web && {
    ...web,
    origins: [...web.origins, ...appOrigins(web.id, config.nativeApp)],
  };
  return () => {
    if (party !== undefined) return { db, clock, party };
    const detail = 'Passkeys need a host name: open the wallet by its name, not by an IP address.';
    throw new AppError('not_found', { detail });
  };
}
