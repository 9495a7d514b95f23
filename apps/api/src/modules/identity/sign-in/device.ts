import { createHmac } from 'node:crypto';
import { m } from '@athos/messages/messages';

/** The first match wins: many browsers also name others. */
const BROWSERS: readonly (readonly [pattern: RegExp, name: string])[] = [
  [/\bEdg(e|A|iOS)?\//, 'Edge'],
  [/\b(OPR|Opera)\//, 'Opera'],
  [/\bSamsungBrowser\//, 'Samsung Internet'],
  [/\b(Firefox|FxiOS)\//, 'Firefox'],
  [/\b(Chrome|Chromium|CriOS|HeadlessChrome)\//, 'Chrome'],
  [/\bSafari\//, 'Safari'],
];
const SYSTEMS: readonly (readonly [pattern: RegExp, name: string])[] = [
  [/\b(iPhone|iPad|iPod)\b/, 'iOS'],
  [/\bAndroid\b/, 'Android'],
  [/\bWindows\b/, 'Windows'],
  [/\b(Macintosh|Mac OS X)\b/, 'macOS'],
  [/\bCrOS\b/, 'ChromeOS'],
  [/\bLinux\b/, 'Linux'],
];
/** The random id of an installation, which the wallet sends in a header when it signs in. */
const DEVICE_ID_PATTERN = /^[A-Za-z0-9_-]{16,64}$/;

const nameIn = (
  names: readonly (readonly [RegExp, string])[],
  userAgent: string,
): string | undefined => names.find(([pattern]) => pattern.test(userAgent))?.[1];

export interface Device {
  /** A keyed hash, so that the stored value does not reveal the device. */
  readonly hash: Buffer;
  /** Shown to the owner. Taken from a fixed list, never from the request. */
  readonly label: string;
}

interface DeviceHeaders {
  readonly userAgent: string | undefined;
  readonly deviceId: string | undefined;
}

/**
 * Tells devices apart: by the id of the installation if the caller sends one, else by the kinds of browser and system.
 * Versions are ignored, since an update makes no new device.
 */
export function readDevice(
  { userAgent = '', deviceId }: DeviceHeaders,
  hashingKey: string,
): Device {
  const browser = nameIn(BROWSERS, userAgent);
  const system = nameIn(SYSTEMS, userAgent);
  const label =
    browser === undefined || system === undefined
      ? m.mail_device_unknown()
      : m.mail_device({ browser, system });
  const isNamed = deviceId !== undefined && DEVICE_ID_PATTERN.test(deviceId);
  // Programs that are no browser are told apart by their name: "curl/8.5.0" is "curl".
  const kind = browser === undefined ? (userAgent.split(/[\s/(]/)[0] ?? '') : label;
  const identity = isNamed ? `id ${deviceId}` : `kind ${kind}`;
  return {
    hash: createHmac('sha256', hashingKey).update(`device ${identity}`).digest(),
    label,
  };
}
