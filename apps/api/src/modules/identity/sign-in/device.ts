import { createHmac } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import { DEVICE_ID_PATTERN } from '@athos/contract/call';
import { m } from '@athos/messages/messages';

/** The first match wins, since many user agents also name other browsers. */
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

const nameIn = (
  names: readonly (readonly [RegExp, string])[],
  userAgent: string,
): string | undefined => names.find(([pattern]) => pattern.test(userAgent))?.[1];

export interface Device {
  /** A keyed hash, so that the stored value does not reveal the device. */
  readonly hash: Buffer;
  /**
   * Whether it sent the secret id of its installation. Without one it is only a kind of browser, which anybody can claim to
   * use: enough to spare its owner a mail, never to pass a limit.
   */
  readonly hasId: boolean;
  /** Shown to the owner. Comes from a fixed list, never from the request. */
  readonly label: string;
}

interface DeviceHeaders {
  readonly userAgent: string | undefined;
  readonly deviceId: string | undefined;
}

/**
 * Distinguishes devices by the installation id if the caller sends one, otherwise by browser and system. Versions are
 * ignored, since an update does not make a new device.
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
  const hasId = deviceId !== undefined && DEVICE_ID_PATTERN.test(deviceId);
  // Clients other than browsers are distinguished by name: "curl/8.5.0" is "curl".
  const kind = browser === undefined ? (userAgent.split(/[\s/(]/)[0] ?? '') : label;
  const identity = hasId ? `id ${deviceId}` : `kind ${kind}`;
  return {
    hash: createHmac('sha256', hashingKey).update(`device ${identity}`).digest(),
    hasId,
    label,
  };
}

/** The device that sends a request. */
export function deviceOf({ headers }: Pick<FastifyRequest, 'headers'>, hashingKey: string): Device {
  const deviceId = headers['x-device-id'];
  return readDevice(
    {
      userAgent: headers['user-agent'],
      deviceId: typeof deviceId === 'string' ? deviceId : undefined,
    },
    hashingKey,
  );
}
