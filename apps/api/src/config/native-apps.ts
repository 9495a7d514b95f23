import { z } from 'zod';
import { brand } from '@athos/brand/brand';
import type { NativeAppSettings } from '../platform/http/native-app.ts';
import { list, topic } from './topic.ts';

/** The origins of the pages inside the native apps: iOS, then Android. */
const SHELL_ORIGINS = ['capacitor://localhost', 'https://localhost'];

export const nativeApps = topic(
  {
    iosTeamId: [
      'IOS_TEAM_ID',
      z
        .string()
        .regex(/^[A-Z0-9]{10}$/, 'must be the ten letters and digits of the Apple developer team')
        .optional(),
    ],
    iosBundleId: [
      'IOS_BUNDLE_ID',
      z
        .string()
        .regex(/^[A-Za-z0-9-]+(\.[A-Za-z0-9-]+)+$/, 'must be the bundle id of the iOS app')
        .default(brand.app.id),
    ],
    androidPackage: [
      'ANDROID_PACKAGE',
      z
        .string()
        .regex(/^[a-zA-Z]\w*(\.[a-zA-Z]\w*)+$/, 'must be the package name of the Android app')
        .default(brand.app.id),
    ],
    /** Fingerprints of the certificates that sign the Android app: the store's, and our own for builds outside the store. */
    androidFingerprints: [
      'ANDROID_CERT_SHA256',
      list
        .transform((parts) => parts.map((part) => part.toUpperCase()))
        .refine(
          (parts) => parts.every((part) => /^([0-9A-F]{2}:){31}[0-9A-F]{2}$/.test(part)),
          'must be SHA-256 fingerprints such as "14:6D:…" of 32 bytes, separated by commas',
        ),
    ],
    origins: [
      'APP_ORIGINS',
      list.refine(
        (parts) => parts.every((part) => SHELL_ORIGINS.includes(part)),
        `must be ${SHELL_ORIGINS.join(' or ')}, or both, separated by a comma`,
      ),
    ],
  },
  {
    build: ({ iosTeamId, iosBundleId, ...apps }): NativeAppSettings => ({
      ...apps,
      iosAppId: iosTeamId === undefined ? undefined : `${iosTeamId}.${iosBundleId}`,
    }),
  },
);
