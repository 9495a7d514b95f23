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

/**
 * Recognizes known browsers and names them with their system, such as "Firefox on Linux". The words come from a fixed list, never from
 * the request, so that they can be shown.
 */
export function readUserAgent(userAgent: string): {
  readonly browser: string | undefined;
  readonly label: string;
  /** Browser and system; `undefined` unless both are known. */
  readonly name: string | undefined;
} {
  const browser = nameIn(BROWSERS, userAgent);
  const system = nameIn(SYSTEMS, userAgent);
  const name =
    browser === undefined || system === undefined ? undefined : m.mail_device({ browser, system });
  return { browser, name, label: name ?? m.mail_device_unknown() };
}
